import type { Ledger } from '../../ports/ledger.js';
import { adjustCash } from '../account/account.js';
import type { Position } from '../account/position.js';
import { cashOf, freedExposures, type PositionResult, settlePosition } from '../account/settling.js';
import type { AccountId, MarketId, OrderId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { type Page, slices } from '../ledger/query.js';
import { scopeOf, scopeOfAll } from '../ledger/scope.js';
import type { Payout } from '../market/resolution.js';
import { ALLOWED, isWorking } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { type Desk, Posting } from '../order/posting.js';
import { returnedTo } from '../order/settlement.js';

const RESOLVED = 'market_resolved: the market has a result';

/**
 * Books a confirmed result on every paper account: what still works is cancelled, each share that is held is paid, and each
 * order that filled is told what came back. The same result again changes nothing; another one reverses the first by
 * entries of its own; fills that came late are paid the next time.
 */
export class SettleMarket {
  constructor(
    private readonly ledger: Ledger,
    private readonly desk: Desk,
  ) {}

  /** Tells how many orders were settled or amended. @throws StorageUnavailable */
  async execute(marketId: MarketId, payout: Payout): Promise<number> {
    let settled = 0;
    const read = (page: Page<OrderId>) => this.ledger.listVenueOrders({ paper: true, marketId }, page);
    for await (const orders of slices(read, (order) => order.id)) {
      for (const order of orders) if (isWorking(order.state)) await this.#cancel(order);
      for (const [account, own] of byAccount(orders)) settled += await this.#settle(account, own, payout);
    }
    return settled;
  }

  #cancel(order: Order): Promise<void> {
    return this.ledger.write(scopeOf(order), (now) => {
      const current = now.order(order.id) ?? order;
      const posting = Posting.resume(now, this.desk, current);
      const cancellable: readonly string[] = ALLOWED.cancelled;
      if (cancellable.includes(current.state)) posting.record({ type: 'cancelled', reason: RESOLVED });
      return posting.decision(undefined);
    });
  }

  #settle(account: AccountId, orders: readonly Order[], payout: Payout): Promise<number> {
    const scope = scopeOfAll(account, orders);
    return this.ledger.write(scope, (now) => {
      const at = this.desk.clock.now();
      const postings = orders.map(({ id }) => this.#tell(now, id, payout)).filter((posting) => posting !== null);
      const told = postings.map((posting) => posting.decision(undefined));
      const results = (scope.positions ?? [])
        .map((key) => now.position(key))
        .filter((position) => position !== undefined && position.reserved === 0n)
        .map((position) => settlePosition(position as Position, payout, this.desk, at))
        .filter((result) => result !== null);
      return {
        result: told.length,
        orders: told.flatMap((decision) => decision.orders ?? []),
        events: told.flatMap((decision) => decision.events ?? []),
        ...moneyOf(now, results),
      };
    });
  }

  #tell(now: Snapshot, id: OrderId, payout: Payout): Posting | null {
    const order = now.order(id);
    const booked: readonly string[] = ALLOWED.settled;
    if (order === undefined || order.filled.shares === 0n || !booked.includes(order.state)) return null;
    const returned = returnedTo(order, payout);
    if (order.settlement?.returned === returned) return null;
    const posting = Posting.resume(now, this.desk, order);
    posting.record({ type: order.settlement === null ? 'settled' : 'amended', returned });
    return posting;
  }
}

function moneyOf(now: Snapshot, results: readonly PositionResult[]): Omit<Decision<unknown>, 'result'> {
  const balance = now.balance(true);
  if (balance === undefined || results.length === 0) return {};
  return {
    balances: [adjustCash(balance, cashOf(results))],
    positions: results.map(({ position }) => position),
    entries: results.flatMap(({ entries }) => entries),
    exposures: freedExposures(now, results),
  };
}

function byAccount(orders: readonly Order[]): Map<AccountId, Order[]> {
  const accounts = new Map<AccountId, Order[]>();
  for (const order of orders) {
    const own = accounts.get(order.account);
    if (own === undefined) accounts.set(order.account, [order]);
    else own.push(order);
  }
  return accounts;
}
