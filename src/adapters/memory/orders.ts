import type { AccountId, OrderId } from '../../core/ids.js';
import type { MarketOrderCursor, MarketOrderFilter, OrderFilter, Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { type MarketRef, marketName, marketNamed } from '../../core/market/venue.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import { asksForMoments, isAsked, isUnsettled, matches, momentOf } from './filters.js';
import { inOrder, newestFirst } from './pages.js';

/** A page of an account's orders: by id, or by when they were placed where the filter restricts that. */
export function accountOrdersIn(
  { orders }: Pick<WorkingSet, 'orders'>,
  account: AccountId,
  filter: OrderFilter,
  page: Page<OrderId>,
): readonly Order[] {
  const own = orders.all().filter((order) => order.account === account);
  const wanted = own.filter((order) => matches(order, filter));
  const { limit, after } = page;
  const last = own.find(({ id }) => id === after);
  if (!asksForMoments(filter)) return newestFirst(wanted, (order) => order.id, page);
  if (after !== undefined && last === undefined) return [];
  return newestFirst(wanted, momentOf, { limit, ...(last && { after: momentOf(last) }) });
}

/** A page of the orders of all accounts in one market. */
export function marketOrdersIn(
  { orders }: Pick<WorkingSet, 'orders'>,
  filter: MarketOrderFilter,
  { limit, after }: Page<MarketOrderCursor>,
): readonly Order[] {
  const nameOf = ({ account, id }: MarketOrderCursor) => `${account}\n${id}`;
  const wanted = orders.all().filter(({ intent }) => marketName(intent) === marketName(filter));
  const asked = wanted.filter((order) => isAsked(order, filter));
  return inOrder(asked, nameOf, { limit, ...(after && { after: nameOf(after) }) });
}

/** A page of the markets with orders that work, that await a result, or that were settled since. */
export function marketsInUseIn(
  { orders }: Pick<WorkingSet, 'orders'>,
  settledFrom: Date,
  { limit, after }: Page<MarketRef>,
): readonly MarketRef[] {
  const used = orders.all().filter((order) => {
    const { settlement, state } = order;
    return isWorking(state) || isUnsettled(order) || (settlement !== null && settlement.at >= settledFrom);
  });
  const markets = [...new Set(used.map(({ intent }) => marketName(intent)))].map(marketNamed);
  return inOrder(markets, marketName, { limit, ...(after && { after: marketName(after) }) });
}
