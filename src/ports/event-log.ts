import type { AccountId, OrderId } from '../core/ids.js';
import type { AccountEvent, EventType, TradingRecord } from '../core/ledger/event-log.js';
import type { Page } from '../core/ledger/query.js';
import type { OrderEvent } from '../core/order/event.js';
import type { Strategy } from '../core/strategy/strategy.js';

/** Which events to list. */
export interface EventFilter {
  /** Only these kinds; all of them when absent. */
  readonly types?: readonly EventType[];
  /** Only events up to this number, so that a rare kind does not make the store read the whole log. */
  readonly upTo?: number;
}

/** Which events to list, newest first. */
export interface LatestFilter extends Pick<EventFilter, 'types'> {
  /** Only events from this number on, so that a rare kind does not make the store read the whole log. */
  readonly from?: number;
}

/** The numbers of the first and the last event that a log still has. */
export interface LogRange {
  readonly first: number;
  readonly last: number;
}

/** A part of the history of an order: the events after one number, up to another. */
export interface HistoryRange {
  readonly id: OrderId;
  readonly after: number;
  readonly upTo: number;
}

/** Names a version of a strategy. */
export type VersionName = Pick<Strategy, 'id' | 'version'>;

/** Reads the event log of each account, which `Ledger.write` adds to. */
export interface EventLog {
  /** In the order of their commits; `page.after` is the number of an event. */
  list(account: AccountId, filter: EventFilter, page: Page<number>): Promise<readonly AccountEvent[]>;
  /** Newest first; `page.after` is the number of an event, and only those before it are listed. */
  latest(account: AccountId, filter: LatestFilter, page: Page<number>): Promise<readonly AccountEvent[]>;
  /** Null where nothing was recorded. */
  range(account: AccountId): Promise<LogRange | null>;
  /** These parts of the histories of orders, of at most 100; the events of each in the order in which they happened. */
  histories(account: AccountId, orders: readonly HistoryRange[]): Promise<readonly OrderEvent[]>;
  /** These versions of strategies, of at most 100; those of others are left out. */
  versions(account: AccountId, strategies: readonly VersionName[]): Promise<readonly Strategy[]>;
  /** Every state of trading that was set for it, newest first; `page.after` is the number of an event. */
  trading(account: AccountId, page: Page<number>): Promise<readonly TradingRecord[]>;
  /**
   * Calls `wake`, which must not throw, after every commit that adds to the account's log: at once for those of this process,
   * within a second for those of others, and sometimes without reason. The function returned ends it.
   */
  watch(account: AccountId, wake: () => void): () => void;
  /** Deletes what was recorded before `moment`, but the last event of each account, and returns how many. */
  forget(moment: Date): Promise<number>;
}
