import { createHash, randomUUID } from 'node:crypto';
import type { ApiKey } from './auth.js';
import type { OwnRecord } from './log.js';
import { Market, type MarketTerms } from './markets.js';
import { orderRow, type VenueOrder } from './orders.js';
import type { VenueState } from './state.js';
import type { TradeStatus, VenueTrade } from './trades.js';
import { costOf, type Hex, type Json, micro, type Side, sum } from './wire.js';

/** The owner of what `offer` puts on the book. */
const SCRIPT = { owner: '00000000-0000-4000-8000-000000000000', maker: `0x${'5c'.repeat(20)}` };

/** The actions of a test at the venue, out of its clients' sight. */
export class VenueScript {
  constructor(readonly state: VenueState) {}

  get log() {
    return this.state.log;
  }

  get habits() {
    return this.state.engine.habits;
  }

  get reads() {
    return this.state.reads;
  }

  get hours(): VenueState['hours'] {
    return this.state.hours;
  }

  set hours(hours: VenueState['hours']) {
    this.state.hours = hours;
  }

  /** Opens one more market. */
  list(terms: MarketTerms): Market {
    const market = new Market(terms);
    this.state.markets.set(terms.conditionId, market);
    this.state.engine.audience.book(market);
    return market;
  }

  /** The only market, or the one of this condition. */
  market(conditionId?: string): Market {
    const [first] = this.state.markets.values();
    const found = conditionId === undefined ? first : this.state.markets.get(conditionId);
    if (found === undefined) throw new Error('no such market');
    return found;
  }

  /** An API key of this address, without asking over HTTP. */
  keyFor(address: string, nonce = '0'): ApiKey {
    return this.state.keys.create(address, nonce);
  }

  /** Lets this wallet hold the money of that key's orders with this type of signature. */
  wallet(wallet: string, owner: string, type: 1 | 2 | 3): void {
    this.state.addWallet(wallet, owner, type);
  }

  fund(wallet: string, dollars: string): void {
    this.account(wallet).add('COLLATERAL', micro(dollars));
  }

  grant(wallet: string, token: string, shares: string): void {
    this.account(wallet).add(token, micro(shares));
  }

  account(wallet: string) {
    return this.state.engine.accounts.of(wallet);
  }

  /** Liquidity of the script. What crosses is traded at once, with the resting orders as makers; the remainder rests. */
  offer(token: string, side: Side, price: string, size: string): VenueOrder {
    const order = this.#scripted(token, side, micro(price), micro(size));
    this.state.engine.offer(order);
    return order;
  }

  /** Fills this many shares of this order at its price, although it is cancelled, or more than is left of it. */
  fillLate(hash: string, size: string): VenueTrade {
    const maker = this.#order(hash);
    const taker = this.#scripted(maker.token, maker.side === 'BUY' ? 'SELL' : 'BUY', maker.price, micro(size));
    const [trade] = this.state.engine.fillLate(maker, taker);
    if (trade === undefined) throw new Error('nothing was traded');
    return trade;
  }

  /** Oldest first. */
  get trades(): readonly VenueTrade[] {
    return this.state.engine.trades;
  }

  settle(trade: VenueTrade | string, status: TradeStatus): void {
    const found = this.trades.find((other) => other === trade || other.id === trade);
    if (found === undefined) throw new Error(`no trade ${String(trade)}`);
    this.state.engine.settle(found, status);
  }

  settleAll(status: TradeStatus): void {
    for (const trade of this.trades) this.settle(trade, status);
  }

  /** Ends the delay of an order in a live game. */
  release(hash: string, verdict: 'run' | 'reject' = 'run'): void {
    this.state.engine.release(hash, verdict);
  }

  startGame(market = this.market()): void {
    this.state.startGame(market);
  }

  changeTick(tick: string, market = this.market()): void {
    this.state.changeTick(market, tick);
  }

  resolve(result: string | 'void', market = this.market()): void {
    this.state.resolve(market, result);
  }

  /** Shares of this order in trades that have not failed, in millionths. */
  filled(hash: string): bigint {
    const standing = this.trades.filter(({ status }) => status !== 'FAILED');
    return sum(
      standing.flatMap(({ taker, size, makers }) => [
        ...(taker.hash === hash ? [size] : []),
        ...makers.filter(({ order }) => order.hash === hash).map((maker) => maker.size),
      ]),
    );
  }

  accepted(hash: string): boolean {
    return this.log.accepted.has(hash);
  }

  /** The order as `/data/order/{id}` shows it now; a test may keep it as the later answer of a stale replica. */
  snapshot(hash: string): Json {
    return orderRow(this.#order(hash));
  }

  /** The differences between a client's records and the venue; usually none. */
  breaches(records: readonly OwnRecord[]): string[] {
    return this.log.breaches(records, (hash) => this.filled(hash));
  }

  #order(hash: string): VenueOrder {
    const order = this.state.engine.orders.get(hash);
    if (order === undefined) throw new Error(`no order ${hash}`);
    return order;
  }

  #scripted(token: string, side: Side, price: bigint, size: bigint): VenueOrder {
    const market = this.state.market(token);
    if (market === undefined) throw new Error(`no market has the token ${token}`);
    const hash: Hex = `0x${createHash('sha256').update(randomUUID()).digest('hex')}`;
    return {
      hash,
      market,
      token,
      side,
      ...SCRIPT,
      price,
      size,
      dollars: costOf(size, price),
      type: 'GTC',
      postOnly: false,
      expiration: 0,
      createdAt: this.state.now(),
      matched: 0n,
      status: 'LIVE',
      trades: [],
    };
  }
}
