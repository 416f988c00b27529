import { Accounts } from './accounts.js';
import type { BuySpends, Slice } from './book.js';
import type { VenueLog } from './log.js';
import type { Market } from './markets.js';
import { type Cutting, tradesOf } from './matching.js';
import { isImmediate, type OrderStatus, remaining, type VenueOrder } from './orders.js';
import { FAK_KILLED, FOK_KILLED, REFUSALS, Refused } from './refusals.js';
import { checkFunds, checkTerms, hasExpired } from './rules.js';
import { type TradeStatus, transactionOf, type VenueTrade } from './trades.js';
import { sum } from './wire.js';

/** The venue's behaviour where its habits are uncertain; a test may change it at any time. */
export interface Habits extends Cutting {
  /** What a FOK or FAK BUY at a better price than its limit uses up (`polymarket.md` 3.1). */
  buySpends: BuySpends;
  /** When balances move. */
  movesWhen: 'matched' | 'mined';
  /** What follows each match automatically; a test settles the rest. */
  settlesAtOnce: readonly TradeStatus[];
  /** The size in the message of a killed order; the real venue was seen to leave it empty. */
  killedSize: '' | '0';
}

/** The recipients of the engine's events. */
export interface Audience {
  order(order: VenueOrder, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION', status?: string): void;
  kill(order: VenueOrder, status: string): void;
  trade(trade: VenueTrade): void;
  book(market: Market): void;
}

/** Takes orders, matches them and keeps their outcomes. */
export class Engine {
  audience: Audience = { order: () => {}, kill: () => {}, trade: () => {}, book: () => {} };
  readonly accounts = new Accounts();
  readonly orders = new Map<string, VenueOrder>();
  /** Oldest first. */
  readonly trades: VenueTrade[] = [];
  readonly habits: Habits = {
    buySpends: 'shares',
    tradePer: 'price',
    hashesAtMatch: true,
    movesWhen: 'matched',
    settlesAtOnce: [],
    killedSize: '',
  };
  readonly #killed = new Set<string>();
  /** At least the open orders and the trades that have not moved; what has ended is dropped when next looked at. */
  readonly #live = new Set<VenueOrder>();
  readonly #unmoved = new Set<VenueTrade>();

  constructor(
    readonly now: () => number,
    readonly log: VenueLog,
  ) {}

  /** Takes the order and returns its trades; throws when the venue refuses it. */
  place(order: VenueOrder, raw: string): VenueTrade[] {
    const { hash, market } = order;
    this.sweep();
    if (this.log.accepted.has(hash) || this.#killed.has(hash)) {
      this.log.count(hash, 'duplicate');
      throw REFUSALS.duplicated(hash);
    }
    try {
      if (!market.accepting || market.closed) throw REFUSALS.notReady();
      checkTerms(order, this.now());
      this.#checkFunds(order);
      if (market.delaying && market.book.crosses(order)) order.status = 'DELAYED';
      const trades = order.status === 'DELAYED' ? [] : this.#execute(order, () => this.#take(order, raw));
      if (order.status === 'DELAYED') this.#take(order, raw);
      return trades;
    } catch (error) {
      this.log.count(hash, 'refused');
      throw error;
    }
  }

  /** Puts an order of the script on the book, which needs no money; what it crosses is traded at once. */
  offer(order: VenueOrder): VenueTrade[] {
    return this.#execute(order, () => this.#keep(order));
  }

  /** Ends the delay of an order: it is matched, rests, is killed, or is refused when the money is gone or on demand. */
  release(hash: string, verdict: 'run' | 'reject'): void {
    const order = this.orders.get(hash);
    if (order?.status !== 'DELAYED') throw new Error(`${hash} is not delayed`);
    order.status = 'LIVE';
    try {
      if (verdict === 'reject') throw REFUSALS.balance(0n, order.dollars);
      this.#checkFunds(order);
      const trades = this.#execute(order, () => {});
      if (trades.length === 0) this.audience.order(order, 'UPDATE', 'UNMATCHED');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (order.status === 'LIVE') this.#end(order, 'INVALID', `CANCELED_${error.message}`);
    }
  }

  /** Null when it is cancelled, else why not. */
  cancel(hash: string, owner: string): string | null {
    this.sweep();
    const order = this.orders.get(hash);
    const reason = order === undefined || order.owner !== owner ? 'Order not found or already canceled' : whyNot(order);
    if (reason === null && order !== undefined) this.#end(order, 'CANCELED');
    this.log.cancels.push({ at: this.now(), hash, reason });
    return reason;
  }

  /** Ends every open order of these, with this status. */
  wipe(orders: readonly VenueOrder[], status: OrderStatus): void {
    for (const order of orders) this.#end(order, status);
  }

  /** Ends the expired orders; happens before each request too. */
  sweep(): void {
    this.wipe(
      this.open.filter((order) => hasExpired(order, this.now())),
      'CANCELED',
    );
  }

  get open(): VenueOrder[] {
    return still(this.#live, ({ status }) => status === 'LIVE' || status === 'DELAYED');
  }

  /** Fills an order of a client by this many shares at its price, in any state of the order. */
  fillLate(maker: VenueOrder, taker: VenueOrder): VenueTrade[] {
    const slice = { maker, size: taker.size, price: maker.price, cost: taker.dollars };
    const trades = tradesOf(taker, [slice], this.habits, this.now()).map((trade) => this.#record(trade));
    this.#announce(taker, [slice], trades);
    return trades;
  }

  /** Moves a trade to another status; any may follow any other, and the same one is sent again. */
  settle(trade: VenueTrade, status: TradeStatus): void {
    const mined = status === 'MINED' || status === 'CONFIRMED';
    trade.status = status;
    trade.updatedAt = this.now();
    if (mined) trade.transaction = transactionOf(trade.id);
    if (mined && !trade.moved) this.accounts.move(trade, 1n);
    if (status === 'FAILED' && trade.moved) this.accounts.move(trade, -1n);
    this.audience.trade(trade);
  }

  #checkFunds(order: VenueOrder): void {
    const pending = still(this.#unmoved, ({ moved, status }) => !moved && status !== 'FAILED');
    checkFunds(order, this.accounts, this.open, pending);
  }

  #keep(order: VenueOrder): void {
    this.orders.set(order.hash, order);
    this.#live.add(order);
  }

  #take(order: VenueOrder, raw: string): void {
    this.#keep(order);
    this.log.accepted.set(order.hash, { hash: order.hash, at: this.now(), raw, order });
    this.log.count(order.hash, 'accepted');
    this.audience.order(order, 'PLACEMENT');
  }

  #execute(order: VenueOrder, take: () => void): VenueTrade[] {
    const spends = isImmediate(order) ? this.habits.buySpends : 'shares';
    const slices = order.market.book.match(order, spends);
    const byDollars = spends === 'dollars' && order.side === 'BUY';
    const whole = byDollars
      ? sum(slices.map(({ cost }) => cost)) >= order.dollars
      : sum(slices.map(({ size }) => size)) >= order.size;
    if (order.type === 'FOK' && !whole) this.#kill(order, FOK_KILLED, REFUSALS.fokKilled());
    if (order.type === 'FAK' && slices.length === 0) this.#kill(order, FAK_KILLED, REFUSALS.fakKilled());
    take();
    const trades = tradesOf(order, slices, this.habits, this.now()).map((trade) => this.#record(trade));
    if (isImmediate(order) || remaining(order) === 0n) order.status = 'MATCHED';
    else order.market.book.add(order);
    this.#announce(order, slices, trades);
    return trades;
  }

  #kill(order: VenueOrder, text: string, refusal: Refused): never {
    this.#killed.add(order.hash);
    order.status = 'CANCELED';
    this.audience.kill(order, `CANCELED_${text}`);
    throw refusal;
  }

  #record(trade: VenueTrade): VenueTrade {
    const { taker } = trade;
    this.trades.push(trade);
    this.#unmoved.add(trade);
    taker.matched += trade.size;
    taker.trades.push(trade.id);
    for (const { order, size } of trade.makers) fill(order, size, trade.id);
    if (this.habits.movesWhen === 'matched') this.accounts.move(trade, 1n);
    taker.market.lastPrice = trade.price;
    return trade;
  }

  #announce(order: VenueOrder, slices: readonly Slice[], trades: readonly VenueTrade[]): void {
    for (const maker of new Set(slices.map((slice) => slice.maker))) this.audience.order(maker, 'UPDATE');
    if (trades.length > 0) this.audience.order(order, 'UPDATE');
    for (const trade of trades) this.audience.trade(trade);
    for (const status of this.habits.settlesAtOnce) for (const trade of trades) this.settle(trade, status);
    this.audience.book(order.market);
  }

  #end(order: VenueOrder, status: OrderStatus, shown: string = status): void {
    order.status = status;
    order.market.book.remove(order);
    this.audience.order(order, 'CANCELLATION', shown);
    this.audience.book(order.market);
  }
}

function fill(order: VenueOrder, size: bigint, trade: string): void {
  order.matched += size;
  order.trades.push(trade);
  if (remaining(order) > 0n || order.status !== 'LIVE') return;
  order.status = 'MATCHED';
  order.market.book.remove(order);
}

function whyNot({ status }: VenueOrder): string | null {
  if (status === 'LIVE') return null;
  if (status === 'DELAYED') return 'order is delayed and cannot be canceled yet';
  return status === 'MATCHED' ? 'order already matched' : 'already canceled or matched';
}

/** What of these still holds; the rest is dropped from the set. */
function still<T>(items: Set<T>, holds: (item: T) => boolean): T[] {
  for (const item of items) if (!holds(item)) items.delete(item);
  return [...items];
}
