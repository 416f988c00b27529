/** What a start has opened so far, so that nothing is left open when it does not come to its end. */
export class Opened {
  readonly #closings: (() => void | Promise<void>)[] = [];
  #closed = false;

  /** Hands back what was opened. What comes after the end is closed at once. @throws Error then */
  async add<Thing>(thing: Thing, close: () => void | Promise<void>): Promise<Thing> {
    if (!this.#closed) {
      this.#closings.push(close);
      return thing;
    }
    await close();
    throw new Error('The start was given up.');
  }

  /** Closes all, the newest first. One that cannot be closed does not keep the others open. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const close of this.#closings.splice(0).reverse()) await Promise.resolve(close()).catch(() => {});
  }
}

/** What the work comes to. @throws the signal's reason once it is given, with the work still under way */
export function unlessInterrupted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const interrupted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, interrupted]);
}
