import type { AccountId } from '../../core/ids.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { HistoryRange } from '../../ports/event-log.js';
import { RecentMap } from './remembered.js';

/** Orders remembered: those of some seconds of the busiest server. */
const ORDERS = 10_000;
/** Events remembered of one order. */
const MOST_EVENTS = 50;

/**
 * What this process stored last in the histories of orders, which is never changed afterwards. Whoever reads the log soon after it
 * was written, as those do who make bets and send webhooks, does not read it from the database again: with this, and prepared statements
 * of bets, a bet takes 165 µs in place of 261 (SQLite, 64 accounts, 50 orders each between two steps).
 */
export class RecentHistories {
  readonly #orders = new RecentMap<OrderEvent[]>(ORDERS);

  /** Takes in events that are durable, those of each order in their order. */
  stored(events: readonly OrderEvent[]): void {
    for (const event of events) {
      const known = this.#orders.get(event.orderId);
      const isNext = known?.at(-1)?.seq === event.seq - 1;
      if (known !== undefined && isNext && known.length < MOST_EVENTS) known.push(event);
      else this.#orders.put(event.orderId, [event]);
    }
  }

  /** This part of a history; undefined where some of it is not remembered. */
  part(account: AccountId, { id, after, upTo }: HistoryRange): readonly OrderEvent[] | undefined {
    const known = this.#orders.get(id);
    const [first] = known ?? [];
    if (known === undefined || first === undefined || first.account !== account) return undefined;
    const [from, to] = [after + 1 - first.seq, upTo + 1 - first.seq];
    return from < 0 || to > known.length ? undefined : known.slice(from, to);
  }
}
