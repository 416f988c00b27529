/** How far a command has come and how long it will take, in a line that overwrites itself: for a terminal only. */
export function progressLine() {
  const began = performance.now();
  const isShown = process.stderr.isTTY;
  return {
    /** `done` is the part that is done, from 0 to 1; `words` say where it is. */
    show(done: number, words = ''): void {
      if (!isShown) return;
      const left = done < 0.01 ? null : Math.ceil(((performance.now() - began) / 1000) * (1 / done - 1));
      const parts = [`${Math.floor(done * 100)} %`, words, left === null ? '' : `about ${left} s left`];
      process.stderr.write(`\r${parts.filter((part) => part !== '').join(', ')}   \r`);
    },
    clear(): void {
      if (isShown) process.stderr.write(`\r${' '.repeat(60)}\r`);
    },
  };
}
