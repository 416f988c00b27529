import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/**
 * What a tape waits for: its listeners, its tasks and the orders placed in its time. Work that waits for the answer to an
 * order does not hold it, since the tape must go on for the answer to come; once it is there, the tape waits again.
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

  /** Resolves once no work runs. Nested work is part of the outer work. @throws what any work threw so far */
  async run(work: () => unknown): Promise<void> {
    if (this.isInside) {
      await work();
      return;
    }
    this.#begin(work);
    await this.idle();
  }

  /** Starts work that counts by itself: it may wait for the answer to an order while its caller still has others to place. */
  async apart(work: () => unknown): Promise<void> {
    this.#begin(work);
  }

  /** Resolves once no work runs. @throws what any work threw so far */
  async idle(): Promise<void> {
    do {
      if (this.#running > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
      // The caller that got an answer by this work continues some promises later.
      if (this.#awaiting > 0) await setImmediate();
    } while (this.#running > 0);
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Returns the same answer; work waiting for it no longer counts as running once the request has arrived. */
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

  #begin(work: () => unknown): void {
    this.#running += 1;
    this.#inside
      .run(true, async () => work())
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#ends());
  }

  #ends(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
