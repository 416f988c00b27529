import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { BookPaperExchange } from '../../../src/adapters/paper/index.js';
import type { Market } from '../../../src/core/market/market.js';
import type { Order } from '../../../src/core/order/order.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import type { ReportSink } from '../../../src/ports/exchange.js';
import { anOrderContext, type DraftChanges } from '../../support/builders.js';
import { aMarket, CONDITION, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { Trading } from '../../support/trading.js';

/** A paper exchange on one scripted market, and controlled time. */
export interface Fixture {
  readonly time: ManualTimeline;
  readonly source: ScriptedMarket;
  readonly exchange: BookPaperExchange;
  readonly trading: Trading;
  /** Places an order and lets it travel to the venue. */
  place(draft?: DraftChanges): Promise<Order>;
  now(order: Order): Promise<Order>;
}

export function fixture(
  market: Market = aMarket(),
  bids = '0.48x100',
  asks = '0.50x100',
  ledger = new MemoryLedger(),
): Fixture {
  const time = new ManualTimeline();
  const source = new ScriptedMarket(market, time, bids, asks);
  const context = anOrderContext({ clock: time });
  const sink: ReportSink = async (order, reports) =>
    void (await trading.use.orders.recordReports.execute(order, reports));
  const exchange = new BookPaperExchange({ markets: marketsAt(source), timeline: time, sink });
  const trading: Trading = new Trading(ledger, { context, paper: exchange, markets: source });
  return {
    time,
    source,
    exchange,
    trading,
    async place(draft = {}) {
      const placed = trading.place({ marketId: CONDITION, ...draft });
      const settled = placed.then(() => true);
      while (!(await Promise.race([settled, time.pass(50).then(() => false)])));
      return placed;
    },
    now: (order) => trading.orders.one(order.account, order.id),
  };
}
