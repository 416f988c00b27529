/** How far a command has come and how long it will take, in a line that overwrites itself: for a terminal only. */
export function progressLine() {
  const began = performance.now();
  const isShown = process.stderr.isTTY;
  return {
    /** `done` is the part that is done, from 0 to 1; `words` say where it is. */
    show(done: number, words = ''): void {
      if (isShown) process.stderr.write(`\r${progressText(done, words, performance.now() - began)}   \r`);
    },
    clear(): void {
      if (isShown) process.stderr.write(`\r${' '.repeat(60)}\r`);
    },
  };
}

/** The words of that line after so many milliseconds, with the time left as it is by the part that is done: not before a hundredth is. */
export function progressText(done: number, words: string, tookMs: number): string {
  const left = done < 0.01 ? '' : `about ${Math.ceil((tookMs / 1000) * (1 / done - 1))} s left`;
  return [`${Math.floor(done * 100)} %`, words, left].filter((part) => part !== '').join(', ');
}
