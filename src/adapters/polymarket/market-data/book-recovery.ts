import { type BackoffLimits, type Ending, pause, repeatUntilDone } from '../../transport/backoff.js';

/** Reads a book repeatedly until it can be trusted, or until it is no longer needed. */
export class BookRecovery {
  #under = new AbortController();

  /** `read` must not throw; its result decides whether it is called again. */
  constructor(
    private readonly pace: BackoffLimits,
    private readonly read: (signal: AbortSignal) => Promise<Ending>,
  ) {}

  /** Begins again, after this many milliseconds. */
  begin(patience: number): void {
    this.end();
    this.#under = new AbortController();
    void this.#readAfter(patience, this.#under.signal);
  }

  /** Stops reading. */
  end(): void {
    this.#under.abort();
  }

  async #readAfter(patience: number, signal: AbortSignal): Promise<void> {
    if (patience > 0 && !(await pause(patience, signal))) return;
    await repeatUntilDone(this.pace, signal, () => this.read(signal));
  }
}
