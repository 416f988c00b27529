import type { HoldingFilter } from '../../core/account/position.js';
import {
  type OrderFilter,
  orderStatusesOf,
  type Page,
  type PositionCursor,
  type VenueOrderFilter,
} from '../../core/ledger/query.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import { statusOf } from '../../core/order/order.js';

/** With shares that await a result. */
export const isUnsettled = ({ filled, settlement }: Order): boolean => filled.shares > 0n && settlement === null;

/** Whether the order matches the filter of a venue, a settlement or an audit. */
export function isAsked(order: Order, { paper, venue, working, unsettled, placedFrom }: VenueOrderFilter): boolean {
  const { intent, state, placedAt } = order;
  return (
    is(paper, intent.paper) &&
    is(venue, intent.venue) &&
    (!working || isWorking(state)) &&
    (!unsettled || isUnsettled(order)) &&
    (placedFrom === undefined || placedAt >= placedFrom)
  );
}

/** Whether the record is about this holding. */
export function holds(holding: HoldingFilter, { paper, strategyId }: HoldingFilter): boolean {
  return holding.paper === paper && holding.strategyId === strategyId;
}

/** Whether the value is the wanted one; undefined matches every value. */
export function is<T>(wanted: T | undefined, actual: T): boolean {
  return wanted === undefined || wanted === actual;
}

/** Whether the order matches its owner's filter. */
export function matches(order: Order, filter: OrderFilter): boolean {
  const { intent, placedAt } = order;
  return (
    (orderStatusesOf(filter)?.includes(statusOf(order)) ?? true) &&
    is(filter.marketId, intent.marketId) &&
    is(filter.strategyId, intent.strategy?.id) &&
    is(filter.paper, intent.paper) &&
    is(filter.venue, intent.venue) &&
    (filter.placedAfter === undefined || placedAt > filter.placedAfter) &&
    (filter.placedBefore === undefined || placedAt < filter.placedBefore)
  );
}

/** Whether the filter is by the time of placement, so that orders are listed in that order. */
export const asksForMoments = ({ placedAfter, placedBefore }: OrderFilter): boolean =>
  placedAfter !== undefined || placedBefore !== undefined;

/** When an order was placed, as a text that sorts; its id separates orders of the same moment. */
export const momentOf = ({ placedAt, id }: Order): string => `${placedAt.toISOString()} ${id}`;

/** A page of a list, greatest key first. */
export function newestFirst<T, Key extends string | number>(
  all: readonly T[],
  keyOf: (item: T) => Key,
  page: Page<Key>,
): T[] {
  const { after, limit } = page;
  const older = after === undefined ? [...all] : all.filter((item) => keyOf(item) < after);
  return older.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1)).slice(0, limit);
}

/** A page of a list, smallest key first. */
export function inOrder<T, Key extends string>(all: readonly T[], keyOf: (item: T) => Key, page: Page<Key>): T[] {
  const { after, limit } = page;
  const keyed = all.map((item) => ({ item, key: keyOf(item) }));
  const later = after === undefined ? keyed : keyed.filter(({ key }) => key > after);
  later.sort((a, b) => (a.key < b.key ? -1 : 1));
  return later.slice(0, limit).map(({ item }) => item);
}

/** A page of a list, in the way that its filter asks for. */
export const inWay = ({ oldestFirst }: Pick<OrderFilter, 'oldestFirst'>): typeof inOrder =>
  oldestFirst === true ? inOrder : newestFirst;

/** The order in which the positions of an account are listed. */
export const outcomeOrder = ({ marketId, outcome, venue }: PositionCursor): string =>
  `${marketId}\n${outcome}\n${venue}`;
