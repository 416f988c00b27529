import { gate } from '../gate.js';
import type { Answer } from './rows.js';

/** A write that waits. */
interface Hold {
  readonly where: 'before' | 'answer';
  arrive(): void;
  readonly released: Promise<void>;
}

/** What becomes of requests that write, in the order of their arrival; one of which a test says nothing is taken and answered. */
export class KalshiWrites {
  /** Taken and not answered, neither, or taken when they arrive. */
  readonly vanish: ('answer' | 'request' | 'late')[] = [];
  readonly #holds: Hold[] = [];
  readonly #late: (() => Answer)[] = [];

  /** The oldest late request arrives; nobody hears its answer. */
  arrive(): Answer | undefined {
    return this.#late.shift()?.();
  }

  /** The next write waits until it is released, before the venue acts on it or between its act and its answer. */
  hold(where: 'before' | 'answer'): { readonly arrived: Promise<void>; release(): void } {
    const [arrived, released] = [gate(), gate()];
    this.#holds.push({ where, arrive: arrived.open, released: released.opened });
    return { arrived: arrived.opened, release: released.open };
  }

  /** Null where the client hears no answer. */
  async answerTo(taken: () => Answer): Promise<Answer | null> {
    const [lost, hold] = [this.vanish.shift(), this.#holds.shift()];
    if (hold?.where === 'before') await heldBy(hold);
    if (lost === 'late') this.#late.push(taken);
    const answer = lost === 'request' || lost === 'late' ? null : taken();
    if (hold?.where === 'answer') await heldBy(hold);
    return lost === undefined ? answer : null;
  }
}

function heldBy({ arrive, released }: Hold): Promise<void> {
  arrive();
  return released;
}
