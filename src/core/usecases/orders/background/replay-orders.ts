import type { Bookmarks, Ledger } from '../../../../ports/ledger.js';
import type { OrderId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import type { Market } from '../../../market/market.js';
import { type ReplayedOrder, replayOf } from '../../../matching/order-replay.js';
import type { OrderEvent } from '../../../order/event.js';
import type { Order } from '../../../order/order.js';

/** Time that is played again from its beginning. */
export interface RecordedTime {
  /** The name of its bookmark, which is the same for a recording under any file name. */
  readonly name: string;
  readonly began: Date;
  readonly ended: Date;
  /** The markets as they are at the beginning. */
  readonly markets: readonly Market[];
}

/** A venue in this process that can replay orders. */
export interface Replaying {
  /** Follows a market from now on, with or without orders in it. */
  keep(market: Market): Promise<void>;
  /** Until `last`, the newest moment on record, nothing new may happen to these orders. */
  replay(orders: readonly ReplayedOrder[], last: Date): Promise<void>;
}

/** Results are not booked by the venue, nor necessarily in the tape's time. */
const NOT_OF_THE_VENUE: ReadonlySet<string> = new Set(['settled', 'amended']);

/**
 * Before a tape is played: replays every paper order that was placed in its time and markets, so that a restart changes
 * nothing. Every market is followed from its first line: an order's fills do not depend on when its market was first
 * requested.
 */
export class ReplayOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly bookmarks: Bookmarks,
    private readonly exchange: Replaying,
  ) {}

  /**
   * Returns the first moment with nothing on record yet, by the orders and by the bookmark; the beginning, when nothing is
   * on record at all. @throws StorageUnavailable
   */
  async execute(time: RecordedTime): Promise<Date> {
    const { name, began, markets } = time;
    for (const market of markets) await this.exchange.keep(market);
    const replayed: ReplayedOrder[] = [];
    let last = Math.max(began.getTime() - 1, (await this.bookmarks.findBookmark(name))?.getTime() ?? 0);
    for await (const onRecord of this.#ordersOf(time)) {
      const history = await this.#history(onRecord);
      const replay = replayOf(history);
      replayed.push({ onRecord, replay });
      // A refused order never reached the book, and happened at no moment of the tape.
      const newest = replay && history.findLast(({ change }) => !NOT_OF_THE_VENUE.has(change.type));
      last = Math.max(last, newest?.at.getTime() ?? 0);
    }
    await this.exchange.replay(replayed, new Date(last));
    return new Date(last + 1);
  }

  async *#ordersOf({ began, ended, markets }: RecordedTime): AsyncGenerator<Order> {
    const known = new Set(markets.map(({ id }) => id));
    const read = (page: Page<OrderId>) => this.ledger.listVenueOrders({ paper: true, placedFrom: began }, page);
    for await (const orders of slices(read, (order) => order.id)) {
      for (const order of orders) if (order.placedAt <= ended && known.has(order.intent.marketId)) yield order;
    }
  }

  async #history({ account, id }: Order): Promise<readonly OrderEvent[]> {
    const history: OrderEvent[] = [];
    const read = (page: Page<number>) => this.ledger.listEvents(account, id, page);
    for await (const events of slices(read, ({ seq }) => seq)) history.push(...events);
    return history;
  }
}
