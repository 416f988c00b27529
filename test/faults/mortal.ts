import type { MemoryLedger } from '../../src/adapters/memory/index.js';

/** What a process meets that has ended: nothing that it asks for happens any more. */
export class Ended extends Error {}

/** The ledger as one process sees it that may end at any of its calls, before what was asked is done or right after it. */
export class MortalLedger {
  readonly ledger: MemoryLedger;
  #left = Number.POSITIVE_INFINITY;
  #after = false;

  constructor(immortal: MemoryLedger) {
    this.ledger = new Proxy(immortal, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#call(() => member.apply(target, args));
      },
    });
  }

  /** Lets the process end at its call of this number from now on, counted from one. */
  endAt(call: number, after: boolean): void {
    this.#left = Math.min(this.#left, call);
    this.#after = after;
  }

  get hasEnded(): boolean {
    return this.#left <= 0;
  }

  async #call(work: () => unknown): Promise<unknown> {
    if (this.hasEnded) throw new Ended();
    this.#left -= 1;
    if (!this.hasEnded) return work();
    if (this.#after) await work();
    throw new Ended();
  }
}
