/** Runs at most so many pieces of work at once; the others wait, in the order in which they came. */
export class BoundedWork {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly most: number) {}

  /** True while another piece of work would wait. */
  get isFull(): boolean {
    return this.#running >= this.most;
  }

  /** Resolves with what the work does. @throws what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFull) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever waits takes the place over, so that nobody comes in between.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
