import type { OrderId } from '../ids.js';
import type { WorkingOrder } from './working-order.js';

/** What will happen to an order at a moment. */
export type Timer =
  | { readonly type: 'arrive' | 'release' | 'expire'; readonly working: WorkingOrder }
  | { readonly type: 'cancel'; readonly orderId: OrderId };

interface Entry {
  readonly at: number;
  readonly key: string;
  readonly due: Timer;
}

/** At one moment what ends comes before what begins. */
const RANK = { expire: 0, cancel: 1, release: 2, arrive: 3 } as const satisfies Record<Timer['type'], number>;

/** Due entries in order of time; at one moment by kind, then by order id, so that the order of insertion does not matter. */
export class TimerQueue {
  readonly #entries: Entry[] = [];

  /** The earliest moment at which something is due, in milliseconds; infinitely late when nothing is. */
  get next(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  put(at: number, due: Timer): void {
    const key = `${RANK[due.type]}${due.type === 'cancel' ? due.orderId : due.working.order.id}`;
    const entry = { at, key, due };
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comesFirst(this.#entries[middle] ?? entry, entry)) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
  }

  /** Takes out the earliest entry that is due before `to`, or at it when that is included. */
  take(to: number, included: boolean): Entry | undefined {
    const first = this.#entries[0];
    if (first === undefined || first.at > to || (first.at === to && !included)) return undefined;
    return this.#entries.shift();
  }
}

function comesFirst(one: Entry, other: Entry): boolean {
  return one.at === other.at ? one.key <= other.key : one.at < other.at;
}
