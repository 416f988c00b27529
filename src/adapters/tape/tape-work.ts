import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/**
 * What a tape waits for: its listeners, its tasks and those who trade in its time. Work that waits for the answer to an order
 * holds nobody, since the answer takes time that the tape has to go on for; once it is there, the tape waits again.
 */
export class TapeWork {
  readonly #inside = new AsyncLocalStorage<true>();
  #running = 0;
  #awaiting = 0;
  #waiters: (() => void)[] = [];
  #failure: { readonly error: unknown } | null = null;

  /** True inside of work that is waited for. */
  get isInside(): boolean {
    return this.#inside.getStore() === true;
  }

  /** Resolves once no work runs. Work inside of other work is a part of that. @throws what any work threw so far */
  async run(work: () => unknown): Promise<void> {
    if (this.isInside) {
      await work();
      return;
    }
    this.#running += 1;
    this.#inside
      .run(true, async () => work())
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#ends());
    await this.idle();
  }

  /** Resolves once no work runs. @throws what any work threw so far */
  async idle(): Promise<void> {
    do {
      if (this.#running > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
      // Whoever got an answer by this work goes on some promises later.
      if (this.#awaiting > 0) await setImmediate();
    } while (this.#running > 0);
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** The same answer; work that waits for it does not run once what is asked is there. */
  async awaits<Answer>(answer: Promise<Answer>): Promise<Answer> {
    if (!this.isInside) return answer;
    let [isAnswered, isAwaited] = [false, false];
    // The exchange takes it in some promises later, and before it waits for anything but the tape.
    void setImmediate().then(() => {
      if (isAnswered) return;
      isAwaited = true;
      this.#awaiting += 1;
      this.#ends();
    });
    return answer.finally(() => {
      isAnswered = true;
      if (!isAwaited) return;
      this.#awaiting -= 1;
      this.#running += 1;
    });
  }

  #ends(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
