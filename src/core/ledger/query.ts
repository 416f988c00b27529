import type { AccountId, MarketId, OrderId, StrategyId, VenueName } from '../ids.js';
import type { MarketRef, OutcomeSide } from '../market/market.js';
import type { OrderStatus } from '../order/lifecycle.js';

/** A bounded slice of a list: at most `limit` items that come after the one named. */
export interface Page<Key> {
  readonly limit: number;
  readonly after?: Key;
}

/** A slice, and the key to go on after; null at the end of the list. */
export interface Slice<T, Key> {
  readonly items: readonly T[];
  readonly next: Key | null;
}

/** Reads one item more than requested, to learn whether there is a next slice. */
export async function slice<T, Key>(
  page: Page<Key>,
  read: (page: Page<Key>) => Promise<readonly T[]>,
  keyOf: (item: T) => Key,
): Promise<Slice<T, Key>> {
  const found = await read({ ...page, limit: page.limit + 1 });
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  return { items, next: found.length > page.limit && last !== undefined ? keyOf(last) : null };
}

const AT_ONCE = 100;

/** Reads a list to its end, slice by slice, each after the one before. */
export async function* slices<T, Key>(
  read: (page: Page<Key>) => Promise<readonly T[]>,
  keyOf: (item: T) => Key,
): AsyncGenerator<readonly T[]> {
  let after: Key | undefined;
  for (;;) {
    const items = await read({ limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
    yield items;
    const last = items.at(-1);
    if (items.length < AT_ONCE || last === undefined) return;
    after = keyOf(last);
  }
}

/** A list to its end, read slice by slice: for what one account holds, not for what grows without bound. */
export async function whole<T, Key>(
  read: (page: Page<Key>) => Promise<readonly T[]>,
  keyOf: (item: T) => Key,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const items of slices(read, keyOf)) all.push(...items);
  return all;
}

/** Where a list of strategies of all accounts goes on. */
export interface AutomatedCursor {
  readonly account: AccountId;
  readonly id: StrategyId;
}

/** Which strategies to list; an absent member does not restrict. */
export interface StrategyFilter {
  readonly sport?: string;
  readonly isPaused?: boolean;
}

/** Which orders to list; an absent member does not restrict. */
export interface OrderFilter {
  /** One status, or several of which an order has one. */
  readonly status?: OrderStatus | readonly OrderStatus[];
  readonly marketId?: MarketId;
  readonly strategyId?: StrategyId;
  readonly paper?: boolean;
  readonly venue?: VenueName;
  /** Placed strictly after. */
  readonly placedAfter?: Date;
  /** Placed strictly before. */
  readonly placedBefore?: Date;
  /** Lists the oldest first, in place of the newest. */
  readonly oldestFirst?: true;
}

/** The statuses that a filter names; null where it names none. */
export function orderStatusesOf({ status }: OrderFilter): readonly OrderStatus[] | null {
  if (status === undefined) return null;
  return typeof status === 'string' ? [status] : status;
}

/** How many of an account's newest orders are searched for the slug of a market: slugs have no index, which each order would pay for. */
export const ORDERS_SEARCHED_FOR_SLUG = 10_000;

/** Which orders of all accounts to list; an absent member does not restrict. */
export interface VenueOrderFilter {
  readonly paper?: boolean;
  readonly venue?: VenueName;
  /** Only those that may still trade. */
  readonly working?: true;
  /** Only those with fills and no result yet. */
  readonly unsettled?: true;
  /** Placed at or after. */
  readonly placedFrom?: Date;
}

/** Which orders of all accounts in one market to list; an absent member does not restrict. */
export interface MarketOrderFilter extends MarketRef {
  readonly paper?: boolean;
  /** Only those that may still trade. */
  readonly working?: true;
}

/** Names one order among those of a market; ordered by account, oldest first. */
export interface MarketOrderCursor {
  readonly account: AccountId;
  readonly id: OrderId;
}

/** Which accounts to list; an absent member does not restrict. */
export interface AccountFilter {
  /** Only the one of this name, when it is on record. */
  readonly name?: AccountId;
  /** Only those that may trade with real money now. */
  readonly liveEnabled?: true;
  /** Only those that may trade with real money, are halted, or have, or had, money of their own. */
  readonly live?: true;
  /** Only those with a limit on their losses. */
  readonly lossLimited?: true;
  /** Only those with alarms that their record does not show by itself. */
  readonly alarmed?: true;
}

/** Names one position among those of a holding; ordered by market, then outcome, then venue. */
export interface PositionCursor extends MarketRef {
  readonly outcome: OutcomeSide;
}

/** Names one position among those of all accounts that may be redeemed; ordered by account, market, outcome, venue. */
export interface RedeemableCursor extends PositionCursor {
  readonly account: AccountId;
}

/** Names one balance among all; ordered by account, paper first, then by venue. */
export interface BalanceCursor {
  readonly account: AccountId;
  readonly paper: boolean;
  /** Null on paper. */
  readonly venue: VenueName | null;
}
