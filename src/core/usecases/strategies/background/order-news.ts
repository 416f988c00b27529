import type { Ledger } from '../../../../ports/ledger.js';
import type { AccountId, OrderId } from '../../../ids.js';
import type { EventType } from '../../../ledger/event-log.js';
import type { Order } from '../../../order/order.js';

/** What changes a position, or whether an order rests. */
const TYPES: readonly EventType[] = [
  ...(['order.accepted', 'order.fill', 'order.fill_voided', 'order.rejected'] as const),
  ...(['order.cancelled', 'order.expired', 'order.settled', 'order.amended'] as const),
];
const PAGE = 500;
/** Accounts whose logs are read at once. */
const AT_ONCE = 16;

/** Finds orders that changed, on whichever server, in the event logs of accounts. */
export class OrderNews {
  /** The number of the last event that was seen, by account. */
  readonly #seen = new Map<AccountId, number>();

  constructor(private readonly ledger: Pick<Ledger, 'log' | 'findOrder'>) {}

  /** What happens to the account from now on is news. @throws StorageUnavailable */
  async watch(account: AccountId): Promise<void> {
    if (!this.#seen.has(account)) this.#seen.set(account, (await this.ledger.log.range(account))?.last ?? 0);
  }

  /** Hands over every order of a strategy that changed since the last call. @throws StorageUnavailable, and what `take` throws */
  async read(take: (order: Order) => Promise<void>): Promise<void> {
    const accounts = [...this.#seen.keys()];
    // Few at once: a store has few connections for lists.
    for (let first = 0; first < accounts.length; first += AT_ONCE)
      await Promise.all(accounts.slice(first, first + AT_ONCE).map((account) => this.#read(account, take)));
  }

  async #read(account: AccountId, take: (order: Order) => Promise<void>): Promise<void> {
    for (let isWhole = false; !isWhole; ) {
      const after = this.#seen.get(account) ?? 0;
      const events = await this.ledger.log.list(account, {}, { limit: PAGE, after });
      isWhole = events.length < PAGE;
      const named = events.flatMap(({ type, subject }) =>
        TYPES.includes(type) && subject.kind === 'order' ? [subject.id] : [],
      );
      const orders = await Promise.all([...new Set<OrderId>(named)].map((id) => this.ledger.findOrder(account, id)));
      for (const order of orders) {
        if (order !== undefined && order.intent.strategy !== null) await take(order);
      }
      // Only now: what could not be taken is read again.
      this.#seen.set(account, events.at(-1)?.seq ?? after);
    }
  }
}
