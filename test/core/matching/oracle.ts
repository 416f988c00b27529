import { expect } from 'vitest';
import type { BookSide, Level, MarketEvent } from '../../../src/core/market/event.js';
import type { ReportBatch } from '../../../src/core/matching/matcher.js';
import type { Price } from '../../../src/core/money.js';
import type { Order } from '../../../src/core/order/order.js';
import type { Report } from '../../../src/ports/exchange.js';
import { Displayed } from './displayed.js';
import type { Witness } from './player.js';
import { otherSide } from './stories.js';

/** An order that rests, and the least that can still be ahead of it by what was shown and traded since it came. */
interface Waiting {
  readonly order: Order;
  readonly side: BookSide;
  readonly limit: Price;
  ahead: bigint;
}

const LOT = 10_000n;

/** Knows nothing of queues, walks or working orders: keeps what was shown and traded, and checks every report against it. */
export class Oracle implements Witness {
  readonly #book = new Displayed();
  readonly #filled = new Map<string, bigint>();
  readonly #over = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  #fresh = false;
  /** How many fills were checked against the rules. */
  fills = 0;

  event(event: MarketEvent): void {
    if (event.type === 'gap') this.#fresh = false;
    const at = event.at.getTime();
    if (event.type === 'book') this.#replaced(event.bids, event.asks, at);
    if (event.type === 'levels' && this.#fresh) {
      for (const { side, price, shares } of event.changes) this.#book.at(side, price).tell(shares, at);
    }
    if (event.type === 'trade' && this.#fresh) {
      this.#book.at(event.taker === 'BUY' ? 'asks' : 'bids', event.price).trade(event.shares, at);
    }
    if (event.type === 'book' || (event.type === 'levels' && this.#fresh)) this.#shrink();
  }

  wiped(at: Date): void {
    this.#replaced([], [], at.getTime());
    this.#fresh = false;
  }

  reported(batches: readonly ReportBatch[], event: MarketEvent | null): void {
    const allowed = this.#fresh || batches.every(({ reports }) => reports.every(({ type }) => type !== 'fill'));
    expect(allowed, 'nothing fills while the book is not to be trusted').toBe(true);
    const trade = event?.type === 'trade' && this.#fresh ? event : null;
    const budgets = new Map<string, bigint>();
    for (const { order, reports } of batches) for (const report of reports) this.#report(order, report, trade, budgets);
    if (trade !== null) this.#serve(trade);
  }

  #report(order: Order, report: Report, trade: Trade | null, budgets: Map<string, bigint>): void {
    expect(this.#over.has(order.id), 'nothing follows the end of an order').toBe(false);
    if (report.type === 'fill') this.#fill(order, report, trade, budgets);
    const left = order.intent.shares - (this.#filled.get(order.id) ?? 0n);
    expect(left >= 0n, 'remaining is never negative').toBe(true);
    if (left === 0n || ENDS.has(report.type)) this.#end(order);
    else if (report.type === 'accepted' && !report.delayed) this.#join(order);
  }

  #fill(order: Order, { execution, at }: Filling, trade: Trade | null, budgets: Map<string, bigint>): void {
    const { side, price: limit, outcome } = order.intent;
    const { shares, price, liquidity } = execution;
    this.fills += 1;
    expect(side === 'BUY' ? price <= limit : price >= limit, 'never past the limit').toBe(true);
    expect(shares > 0n && shares % LOT === 0n, 'whole lots').toBe(true);
    this.#filled.set(order.id, (this.#filled.get(order.id) ?? 0n) + shares);
    if (liquidity === 'TAKER') this.#take(order, outcome === 'YES' ? price : otherSide(price), shares, at);
    else this.#rested(order, { execution, at }, trade, budgets);
  }

  #rested(order: Order, { execution, at }: Filling, trade: Trade | null, budgets: Map<string, bigint>): void {
    const { shares, price, model } = execution;
    const waiting = this.#waiting.get(order.id);
    if (waiting === undefined) throw new Error('only what rests is a maker');
    expect(price, 'a maker gets its own price').toBe(order.intent.price);
    if (model?.startsWith('queue_crossed')) this.#cross(waiting, shares, at);
    else if (trade === null) throw new Error('a queue is served by trades alone');
    else this.#served(waiting, shares, trade, budgets);
  }

  #served({ order, ...waiting }: Waiting, shares: bigint, trade: Trade, budgets: Map<string, bigint>): void {
    const spent = (budgets.get(order.account) ?? 0n) + shares;
    budgets.set(order.account, spent);
    const through = trade.price !== waiting.limit;
    expect(isOpposite(waiting, trade), 'an opposite trade, at its price or past it').toBe(true);
    expect(spent + (through ? 0n : waiting.ahead) <= trade.shares, 'no sooner than its queue').toBe(true);
  }

  #take(order: Order, price: Price, shares: bigint, at: Date): void {
    const spot = this.#book.at(restsOn(order) === 'bids' ? 'asks' : 'bids', price);
    const [name, now] = [order.account, at.getTime()];
    expect(shares <= spot.free(name, now), 'no more than displayed and not consumed').toBe(true);
    expect(spot.take(name, shares, now), 'no more in all than displayed, less what others traded').toBe(true);
  }

  /** Best price first. */
  #cross({ order, side, limit, ahead }: Waiting, shares: bigint, at: Date): void {
    expect(ahead, 'crossed, and no shares ahead').toBe(0n);
    const takes = side === 'bids' ? 'asks' : 'bids';
    const within = this.#book.prices(takes).filter((price) => (side === 'bids' ? price <= limit : price >= limit));
    const free = within.find((price) => this.#book.at(takes, price).free(order.account, at.getTime()) >= LOT);
    if (free === undefined) throw new Error('nothing crosses it');
    this.#take(order, free as Price, shares, at);
  }

  #join(order: Order): void {
    const side = restsOn(order);
    const { outcome, price } = order.intent;
    const limit = outcome === 'YES' ? price : otherSide(price);
    this.#waiting.set(order.id, { order, side, limit, ahead: this.#book.shares(side, limit) });
  }

  #serve(trade: Trade): void {
    for (const waiting of this.#waiting.values()) {
      if (!isOpposite(waiting, trade)) continue;
      const served = trade.price === waiting.limit ? trade.shares : waiting.ahead;
      waiting.ahead = waiting.ahead > served ? waiting.ahead - served : 0n;
    }
  }

  #shrink(): void {
    for (const waiting of this.#waiting.values()) {
      const there = this.#book.shares(waiting.side, waiting.limit);
      if (there < waiting.ahead) waiting.ahead = there;
    }
  }

  #end({ id }: Order): void {
    this.#over.add(id);
    this.#waiting.delete(id);
  }

  #replaced(bids: readonly Level[], asks: readonly Level[], at: number): void {
    this.#fresh = true;
    for (const [side, levels] of [['bids', bids] as const, ['asks', asks] as const]) {
      const there = new Set<bigint>(levels.map(({ price }) => price));
      for (const price of this.#book.prices(side)) if (!there.has(price)) this.#book.at(side, price).tell(0n, at);
      for (const { price, shares } of levels) this.#book.at(side, price).tell(shares, at);
    }
  }
}

/** The report of a fill. */
type Filling = Pick<Report & { readonly type: 'fill' }, 'execution' | 'at'>;
type Trade = MarketEvent & { readonly type: 'trade' };

const ENDS: ReadonlySet<string> = new Set(['denied', 'rejected', 'cancelled', 'expired']);

function restsOn({ intent: { outcome, side } }: Order): BookSide {
  return (outcome === 'YES') === (side === 'BUY') ? 'bids' : 'asks';
}

function isOpposite({ side, limit }: Pick<Waiting, 'side' | 'limit'>, { taker, price }: Trade): boolean {
  return side === 'bids' ? taker === 'SELL' && price <= limit : taker === 'BUY' && price >= limit;
}
