/** What a start has opened so far, so that nothing is left open when it fails. */
export class Opened {
  readonly #closings: (() => void | Promise<void>)[] = [];
  #closed = false;

  /** Returns what was opened. What comes after the end is closed at once. @throws Error then */
  async add<Thing>(thing: Thing, close: () => void | Promise<void>): Promise<Thing> {
    if (!this.#closed) {
      this.#closings.push(close);
      return thing;
    }
    await close();
    throw new Error('The start was aborted.');
  }

  /** Closes all, the newest first. One that fails to close does not keep the others open. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const close of this.#closings.splice(0).reverse()) await Promise.resolve(close()).catch(() => {});
  }
}

/** The result of the work. @throws the signal's reason once it is aborted, with the work still in progress */
export function unlessInterrupted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const interrupted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, interrupted]);
}
