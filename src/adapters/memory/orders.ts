import { SERVICE } from '../../core/account/account.js';
import type { AccountId, OrderId, StrategyId } from '../../core/ids.js';
import type {
  AccountFilter,
  AutomatedCursor,
  MarketOrderCursor,
  MarketOrderFilter,
  OrderFilter,
  Page,
  StrategyFilter,
} from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { type MarketRef, marketName } from '../../core/market/market.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { asksForMoments, inOrder, inWay, is, isAsked, isUnsettled, matches, momentOf, newestFirst } from './filters.js';

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
  const listed = inWay(filter);
  if (!asksForMoments(filter)) return listed(wanted, (order) => order.id, page);
  if (after !== undefined && last === undefined) return [];
  return listed(wanted, momentOf, { limit, ...(last && { after: momentOf(last) }) });
}

/** The orders of one market. */
interface OrdersOfMarket {
  readonly ref: MarketRef;
  readonly orders: Map<OrderId, Order>;
  /** Those that work, or await a result. */
  readonly open: Set<OrderId>;
  /** When one of them was last settled, in milliseconds. */
  settledAt: number;
}

/** Orders of all accounts by their markets: what a settlement asks for again and again. */
export class OrdersByMarket {
  readonly #markets = new Map<string, OrdersOfMarket>();
  /** Those in which an order works, or awaits a result. */
  readonly #open = new Set<OrdersOfMarket>();
  /** Settlements in the order of their moments; one of a market that was settled again later says nothing any more. */
  readonly #settlements: Settlement[] = [];

  /** Takes in orders as they are now. */
  put(orders: readonly Order[]): void {
    for (const order of orders) {
      const { intent, settlement, id, state } = order;
      const name = marketName(intent);
      const known = this.#markets.get(name) ?? ordersOfMarket(intent);
      this.#markets.set(name, known);
      known.orders.set(id, order);
      if (isWorking(state) || isUnsettled(order)) known.open.add(id);
      else known.open.delete(id);
      if (known.open.size > 0) this.#open.add(known);
      else this.#open.delete(known);
      const settledAt = settlement?.at.getTime() ?? Number.NEGATIVE_INFINITY;
      if (settledAt > known.settledAt) this.#settle(known, settledAt);
    }
  }

  /** A page of the orders in one market. */
  ordersIn(filter: MarketOrderFilter, { limit, after }: Page<MarketOrderCursor>): readonly Order[] {
    const nameOf = ({ account, id }: MarketOrderCursor) => `${account}\n${id}`;
    const orders = [...(this.#markets.get(marketName(filter))?.orders.values() ?? [])];
    const asked = orders.filter((order) => isAsked(order, filter));
    return inOrder(asked, nameOf, { limit, ...(after && { after: nameOf(after) }) });
  }

  /** A page of the markets with orders that work, that await a result, or that were settled since. */
  inUse(settledFrom: Date, { limit, after }: Page<MarketRef>): readonly MarketRef[] {
    const used = new Set(this.#open);
    const from = settledFrom.getTime();
    for (let at = this.#settlements.length - 1; at >= 0; at -= 1) {
      const { market, settledAt } = this.#settlements[at] as Settlement;
      if (settledAt < from) break;
      if (market.settledAt === settledAt) used.add(market);
    }
    const refs = [...used].map(({ ref }) => ref);
    return inOrder(refs, marketName, { limit, ...(after && { after: marketName(after) }) });
  }

  #settle(market: OrdersOfMarket, settledAt: number): void {
    market.settledAt = settledAt;
    // Nearly always the newest one.
    let place = this.#settlements.length;
    while (place > 0 && (this.#settlements[place - 1]?.settledAt ?? settledAt) > settledAt) place -= 1;
    this.#settlements.splice(place, 0, { market, settledAt });
  }
}

interface Settlement {
  readonly market: OrdersOfMarket;
  readonly settledAt: number;
}

const ordersOfMarket = ({ venue, marketId }: MarketRef): OrdersOfMarket => ({
  ref: { venue, marketId },
  orders: new Map(),
  open: new Set(),
  settledAt: Number.NEGATIVE_INFINITY,
});

/** Names of the accounts with any records that match the filter. */
export function accountsIn(
  set: WorkingSet,
  { name, live, liveEnabled, lossLimited, alarmed }: AccountFilter,
): readonly AccountId[] {
  const { accounts, balances, strategies, orders, keys } = set;
  if (lossLimited === true) return accounts.all().flatMap(({ id, losses }) => (losses && is(name, id) ? [id] : []));
  if (alarmed === true)
    return accounts.all().flatMap(({ id, alarms }) => (alarms && id !== SERVICE && is(name, id) ? [id] : []));
  const isLive = live === true || liveEnabled === true;
  const matching = accounts.all().filter((one) => !isLive || one.liveEnabled || (live === true && one.halt !== null));
  const funded = liveEnabled ? [] : balances.all().filter(({ paper }) => !isLive || !paper);
  const others = isLive ? [] : [...strategies.all(), ...orders.all(), ...keys.all()];
  const names = [...matching.map(({ id }) => id), ...[...funded, ...others].map(({ account }) => account)];
  return [...new Set(names)].filter((one) => is(name, one) && one !== SERVICE);
}

/** A page of an account's strategies that are not archived. */
export function strategiesIn(
  { strategies }: Pick<WorkingSet, 'strategies'>,
  account: AccountId,
  { sport, isPaused }: StrategyFilter,
  page: Page<StrategyId>,
): readonly Strategy[] {
  const own = strategies.all().filter((one) => one.account === account && one.archivedAt === null);
  const wanted = own.filter((one) => is(sport, one.sport) && is(isPaused, one.isPaused));
  return newestFirst(wanted, ({ id }) => id, page);
}

/** A page of the versions of a strategy. */
export function versionsIn(
  { versions }: Pick<WorkingSet, 'versions'>,
  account: AccountId,
  id: StrategyId,
  page: Page<number>,
): readonly Strategy[] {
  const own = versions.filter((one) => one.id === id && one.account === account);
  return newestFirst(own, ({ version }) => version, page);
}

/** A page of the strategies of all accounts that trade by themselves, or that changed since. */
export function automatedIn(
  { strategies }: Pick<WorkingSet, 'strategies'>,
  since: Date | null,
  { limit, after }: Page<AutomatedCursor>,
): readonly Strategy[] {
  const nameOf = ({ account, id }: AutomatedCursor) => `${account}\n${id}`;
  const wanted = strategies.all().filter((strategy) => isWanted(strategy, since));
  return inOrder(wanted, nameOf, { limit, ...(after && { after: nameOf(after) }) });
}

function isWanted({ automation, archivedAt, updatedAt }: Strategy, since: Date | null): boolean {
  return since === null ? automation !== 'off' && archivedAt === null : updatedAt >= since;
}
