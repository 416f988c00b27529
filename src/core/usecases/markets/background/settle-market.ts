import type { Ledger } from '../../../../ports/ledger.js';
import type { Decision, Snapshot } from '../../../ledger/decision.js';
import { scopeOfAll } from '../../../ledger/decision.js';
import { type MarketOrderCursor, type MarketOrderFilter, type Page, slices } from '../../../ledger/query.js';
import type { Payout } from '../../../market/lifecycle.js';
import type { MarketRef, OutcomeSide } from '../../../market/market.js';
import { ALLOWED } from '../../../order/lifecycle.js';
import type { Order } from '../../../order/order.js';
import { returnedTo } from '../../../order/order.js';
import { stepped, takeStep } from '../../../posting/posting.js';
import { FinalShares, isFinal, resultMoneyOf, settlePosition } from '../../../posting/settling.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import type { Venues } from '../../../venues/venues.js';

const RESOLVED = 'market_resolved: the market has a result';

/**
 * Books a confirmed result on every account: each share that is held is paid, and in the same write each filled order records
 * what came back. An outcome of which a working sale reserves shares waits for the next time, its orders with it.
 * Working orders at an exchange in this process are cancelled first. Over the network an outcome waits until all its orders
 * have ended at the venue, which cancels them itself, and all their fills are confirmed; what real shares are paid may have
 * to be redeemed before it is cash. A repeated result changes nothing; a different one reverses the first by entries of its own; late fills are paid the next
 * time.
 */
export class SettleMarket {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Pick<Venues, 'settlesInCash'>,
    private readonly context: OrderContext,
  ) {}

  /** Returns how many orders were settled or amended. @throws StorageUnavailable */
  async execute({ venue, marketId }: MarketRef, payout: Payout): Promise<number> {
    const market = { venue, marketId };
    let settled = 0;
    for (const paper of [true, false]) {
      const final = await this.#end({ ...market, paper });
      for await (const orders of this.#orders({ paper, ...market }))
        for (const own of byAccount(orders)) settled += await this.#settle(own, payout, final);
    }
    return settled;
  }

  /**
   * Cancels what still works at an exchange in this process. Over the network the venue does so itself: then the shares that
   * orders leave once they are final; null where nothing is to be waited for.
   */
  async #end(market: MarketRef & { readonly paper: boolean }): Promise<FinalShares | null> {
    const isLocal = this.context.venues.isLocal(market);
    const final = new FinalShares(market.paper);
    for await (const orders of this.#orders(isLocal ? { ...market, working: true } : market))
      for (const order of orders) isLocal ? await this.#cancel(order) : final.add(order);
    return isLocal ? null : final;
  }

  #orders(filter: MarketOrderFilter): AsyncGenerator<readonly Order[]> {
    const read = (page: Page<MarketOrderCursor>) => this.ledger.listMarketOrders(filter, page);
    return slices(read, (order) => order);
  }

  #cancel(order: Order): Promise<Order> {
    return takeStep(this.ledger, this.context, order, (posting) => {
      const cancellable: readonly string[] = ALLOWED.cancelled;
      if (cancellable.includes(posting.order.state)) posting.record({ type: 'cancelled', reason: RESOLVED });
    });
  }

  /** Orders of one account, all on paper or none. */
  #settle(orders: readonly [Order, ...Order[]], payout: Payout, final: FinalShares | null): Promise<number> {
    const [{ account, intent }] = orders;
    const { venue, marketId } = intent;
    const scope = scopeOfAll(account, orders);
    return this.ledger.write(scope, (now) => {
      const at = this.context.clock.now();
      const redeems = !this.venues.settlesInCash(venue);
      const found = orders.map(({ id }) => now.order(id)).filter((order) => order !== undefined);
      const positionIn = (outcome: OutcomeSide) =>
        now.position({ account, paper: intent.paper, venue, marketId, outcome, strategyId: null });
      const isFinalIn = (outcome: OutcomeSide) =>
        final === null ||
        (final.explain(now, { account, venue, marketId, outcome }) &&
          found.every((order) => order.intent.outcome !== outcome || isFinal(order)));
      // Orders and shares alike: an order that is settled has been paid.
      const isDue = ({ outcome }: { readonly outcome: OutcomeSide }) =>
        (positionIn(outcome)?.reserved ?? 0n) === 0n && isFinalIn(outcome);
      const due = found.filter((order) => isDue(order.intent));
      const settled = due.map((order) => this.#settleOrder(now, order, payout)).filter((decision) => decision !== null);
      const results = (scope.positions ?? [])
        .filter(isDue)
        .map((key) => now.position(key))
        .filter((position) => position !== undefined)
        .map((position) => settlePosition(position, { payout, redeems }, this.context, at))
        .filter((result) => result !== null);
      return {
        result: settled.length,
        orders: settled.flatMap((decision) => decision.orders ?? []),
        events: settled.flatMap((decision) => decision.events ?? []),
        ...resultMoneyOf(now, results),
      };
    });
  }

  #settleOrder(now: Snapshot, order: Order, payout: Payout): Decision<Order> | null {
    const booked: readonly string[] = ALLOWED.settled;
    if (order.filled.shares === 0n || !booked.includes(order.state)) return null;
    const returned = returnedTo(order, payout);
    if (order.settlement?.returned === returned) return null;
    const type = order.settlement === null ? 'settled' : 'amended';
    return stepped(now, this.context, order.id, (posting) => {
      // The clock by which the order was placed may have been ahead.
      posting.happened(posting.at);
      posting.record({ type, returned, perShare: payout[order.intent.outcome === 'YES' ? 0 : 1] });
    });
  }
}

function byAccount(orders: readonly Order[]): Iterable<[Order, ...Order[]]> {
  const accounts = new Map<string, [Order, ...Order[]]>();
  for (const order of orders) {
    const own = accounts.get(order.account);
    if (own === undefined) accounts.set(order.account, [order]);
    else own.push(order);
  }
  return accounts.values();
}
