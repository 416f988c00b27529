import { randomUUID } from 'node:crypto';
import {
  type Answer,
  DOLLAR,
  fillRow,
  fixedIn,
  flat,
  type KeptFill,
  type KeptOrder,
  orderRow,
  refused,
  text,
  userOrder,
} from './rows.js';

type Json = Readonly<Record<string, unknown>>;

/** What others bid and offer on a market, in prices of its first outcome, as many contracts as there are. */
export interface Liquidity {
  readonly bids: readonly (readonly [price: string, count: string])[];
  readonly asks: readonly (readonly [price: string, count: string])[];
}

/** The balance is kept in ten thousandths of a dollar. */
const BALANCE_STEP = 100n;
const CENT = 10_000n;

/** The money, the orders and the positions of the one account of a fake Kalshi, by the venue's rules, reckoned apart from ours. */
export class KalshiAccount {
  readonly orders: KeptOrder[] = [];
  readonly fills: KeptFill[] = [];
  /** Net positions in hundredths of a contract: above 0 of the first outcome. */
  readonly positions = new Map<string, bigint>();
  /** Rows of results that were paid; only the members that are read. */
  readonly settlements: Json[] = [];
  readonly liquidity = new Map<string, Liquidity>();
  /** Every identity that was ever used, of orders that ended too; not of refused ones, unless a test says so. */
  readonly used = new Set<string>();
  usesUpRefused = false;
  /** Whether orders that were killed are in the lists: nobody knows. */
  listsKilled = false;
  /** The step of the grid of prices, in ten thousandths of a dollar. */
  priceStep = 100n;
  /** What `fee_cost` of a fill is: nobody knows whether the rounding of balances is in it (`kalshi.md` 3). */
  feeCost: 'net' | 'trade' = 'net';
  /** In millionths of a dollar. */
  cash = 100_000_000n;
  /** What of the cash is where; all of it on the first shard unless a test says so. */
  shards: Readonly<Record<number, bigint>> | null = null;
  isPaused = false;
  isOpen = true;
  /** How long reads lag behind writes, in milliseconds. */
  lagMs = 0;
  /** How long those of fills do, where it is longer. */
  fillsLagMs = 0;
  /** Until when orders and fills have left the live lists. */
  archivedUntil = 0;

  /** Told of every change of an order and of every fill, as the channels of the account are. */
  heard: (type: 'user_order' | 'fill', msg: Json) => void = () => {};

  constructor(readonly now: () => number) {}

  /** `POST /portfolio/events/orders` (`kalshi.md` 5.1). */
  create(body: Json): Answer {
    const shape = [
      'ticker',
      'side',
      'count',
      'price',
      'time_in_force',
      'self_trade_prevention_type',
      'client_order_id',
    ];
    if (shape.some((member) => typeof body[member] !== 'string')) return flat('bad_request', 'a member is not a text');
    const clientId = String(body['client_order_id']);
    if (this.used.has(clientId)) return refused(409, 'order_already_exists');
    const answer = this.#created(clientId, body);
    if (answer.status === 201 || this.usesUpRefused) this.used.add(clientId);
    return answer;
  }

  #created(clientId: string, body: Json): Answer {
    const [price, count] = [fixedIn(body['price'], 4) ?? 0n, fixedIn(body['count'], 2) ?? 0n];
    const order = this.#new(clientId, body, price, count);
    const { meets, meetsOwn } = this.#meeting(order.ticker, order.side, price);
    const refusal = this.#refusal(
      order,
      body,
      meets.reduce((sum, [, there]) => sum + there, 0n),
    );
    if (refusal !== null) return refusal;
    const held = this.positions.get(order.ticker) ?? 0n;
    const most = body['reduce_only'] === true ? max(order.side === 'ask' ? held : -held) : count;
    this.orders.push(order);
    for (const [at, there] of meets) {
      const count = least(there, least(order.remaining, most - order.filled));
      this.#fill(order, at, count, true);
      this.#changeLiquidity(order.ticker, order.side === 'bid' ? 'asks' : 'bids', at, -count);
    }
    if (order.remaining === 0n) order.status = 'executed';
    // What would meet an order of the same account is dropped (`taker_at_cross`).
    else if (body['time_in_force'] !== 'good_till_canceled' || meetsOwn) this.#end(order);
    this.heard('user_order', userOrder(order));
    return {
      status: 201,
      body: {
        order_id: order.orderId,
        client_order_id: clientId,
        fill_count: text(order.filled, 2),
        remaining_count: text(order.status === 'resting' ? order.remaining : 0n, 2),
        ts_ms: this.now(),
      },
    };
  }

  #new(clientId: string, body: Json, price: bigint, count: bigint): KeptOrder {
    return {
      orderId: randomUUID(),
      clientId,
      ticker: String(body['ticker']),
      side: body['side'] === 'bid' ? 'bid' : 'ask',
      price,
      initial: count,
      remaining: count,
      filled: 0n,
      status: 'resting',
      createdAt: this.now(),
      overpaid: 0n,
      fees: { taker: 0n, maker: 0n },
    };
  }

  #refusal(order: KeptOrder, body: Json, met: bigint): Answer | null {
    const { price, initial } = order;
    if (this.isPaused) return refused(409, 'trading_is_paused');
    if (!this.isOpen) return refused(409, 'market_closed');
    if (initial <= 0n) return refused(400, 'invalid_order_size');
    if (price <= 0n || price >= DOLLAR || price % this.priceStep !== 0n) return refused(400, 'invalid_price');
    if (body['post_only'] === true && met > 0n) return refused(400, 'invalid_order', 'post only cross');
    if (body['time_in_force'] === 'fill_or_kill' && met < initial) {
      this.used.add(order.clientId);
      if (this.listsKilled) this.orders.push({ ...order, remaining: 0n, status: 'canceled' });
      return refused(409, 'fill_or_kill_insufficient_resting_volume');
    }
    return this.#cost(order, price, initial) > this.cash ? refused(400, 'insufficient_balance') : null;
  }

  /** The answer to a cancellation is the same for an order that ended as for one that never was. */
  cancel(orderId: string, ticker: string | null): Answer {
    const order = this.orders.find((one) => one.orderId === orderId && one.ticker === ticker);
    if (order === undefined || order.status !== 'resting') return refused(404, 'not_found');
    const reduced = order.remaining;
    this.#end(order);
    this.heard('user_order', userOrder(order));
    return { status: 200, body: { order_id: orderId, reduced_by: text(reduced, 2), ts_ms: this.now() } };
  }

  /** Others bid or offer so many contracts: they meet the resting orders of the account first, at their prices, and the rest waits. */
  offer(ticker: string, side: 'bid' | 'ask', price: string, count: string): void {
    const limit = fixedIn(price, 4) ?? 0n;
    let left = fixedIn(count, 2) ?? 0n;
    const isMet = (order: KeptOrder) =>
      order.status === 'resting' &&
      order.ticker === ticker &&
      order.side !== side &&
      (side === 'ask' ? order.price >= limit : order.price <= limit);
    const best = (one: KeptOrder, other: KeptOrder) => Number(one.price - other.price) * (side === 'ask' ? -1 : 1);
    for (const order of this.orders.filter(isMet).sort(best)) {
      const taken = least(left, order.remaining);
      if (taken > 0n) this.take(order.clientId, text(taken, 2));
      left -= taken;
    }
    this.#changeLiquidity(ticker, side === 'ask' ? 'asks' : 'bids', limit, left);
  }

  #changeLiquidity(ticker: string, side: keyof Liquidity, price: bigint, change: bigint): void {
    const { bids = [], asks = [] } = this.liquidity.get(ticker) ?? {};
    const rows = side === 'bids' ? bids : asks;
    const there = rows.reduce(
      (sum, [at, count]) => sum + (fixedIn(at, 4) === price ? (fixedIn(count, 2) ?? 0n) : 0n),
      change,
    );
    const others = rows.filter(([at]) => fixedIn(at, 4) !== price);
    const changed = there > 0n ? [...others, [text(price, 4), text(there, 2)] as const] : others;
    this.liquidity.set(ticker, { bids, asks, [side]: changed });
  }

  /** Others meet a resting order of the account with so many contracts. */
  take(clientId: string, count: string): void {
    const order = this.orders.find((one) => one.clientId === clientId);
    const wanted = fixedIn(count, 2);
    if (order === undefined || wanted === null) throw new Error('there is no such order');
    this.#fill(order, order.price, least(wanted, order.remaining), false);
    if (order.remaining === 0n) order.status = 'executed';
    this.heard('user_order', userOrder(order));
  }

  /** `GET /portfolio/orders`, the newest first. */
  listOrders(asked: URLSearchParams, isPast = false): unknown {
    const rows = this.orders.filter(
      (order) =>
        this.#isSeen(order.createdAt) &&
        order.createdAt <= this.archivedUntil === isPast &&
        (asked.get('ticker') ?? order.ticker) === order.ticker &&
        (asked.get('status') ?? order.status) === order.status &&
        order.createdAt >= 1000 * Number(asked.get('min_ts') ?? 0),
    );
    return { orders: rows.reverse().map(orderRow), cursor: '' };
  }

  /** `GET /portfolio/orders/{id}`; undefined where it is not shown. */
  readOrder(orderId: string): unknown {
    const order = this.orders.find((one) => one.orderId === orderId && this.#isSeen(one.createdAt));
    return order === undefined ? undefined : { order: orderRow(order) };
  }

  /** `GET /portfolio/fills`: without the identities of their orders. */
  listFills(asked: URLSearchParams, isPast = false): unknown {
    const rows = this.fills.filter(
      ({ orderId, ticker, at }) =>
        this.#isSeen(at) &&
        at <= this.now() - this.fillsLagMs &&
        at <= this.archivedUntil === isPast &&
        (asked.get('order_id') ?? orderId) === orderId &&
        (asked.get('ticker') ?? ticker) === ticker &&
        at >= 1000 * Number(asked.get('min_ts') ?? 0),
    );
    return { fills: rows.map(fillRow), cursor: '' };
  }

  /** `GET /portfolio/positions`: without the fills that reads do not show yet. */
  listPositions(): unknown {
    const unseen = (ticker: string) =>
      this.fills
        .filter((fill) => fill.ticker === ticker && !this.#isSeen(fill.at))
        .reduce((sum, { side, count }) => sum + (side === 'bid' ? count : -count), 0n);
    const shown = [...this.positions].map(([ticker, position]) => [ticker, position - unseen(ticker)] as const);
    const rows = shown.filter(([, position]) => position !== 0n);
    return {
      market_positions: rows.map(([ticker, position]) => ({ ticker, position_fp: text(position, 2) })),
      cursor: '',
    };
  }

  /** `GET /portfolio/settlements`. */
  listSettlements(asked: URLSearchParams): unknown {
    const rows = this.settlements.filter(({ ticker }) => (asked.get('ticker') ?? ticker) === ticker);
    return { settlements: rows, cursor: '' };
  }

  balance(): unknown {
    const balance_dollars = text(this.cash / 100n, 4);
    return {
      balance: Number(this.cash / 10_000n),
      balance_dollars,
      balance_breakdown: Object.entries(this.shards ?? { 0: this.cash }).map(([shard, cash]) => ({
        exchange_index: Number(shard),
        balance: text(cash / 100n, 4),
      })),
    };
  }

  /** How current reads are. */
  get asOf(): string {
    return new Date(this.now() - this.lagMs).toISOString();
  }

  /** Cash is paid for what is left of a position, in whole cents, and the position goes (`kalshi.md` 8.3). */
  settle(ticker: string, yesPays: string): void {
    const value = fixedIn(yesPays, 4) ?? 0n;
    const position = this.positions.get(ticker) ?? 0n;
    const revenue = position > 0n ? position * value : -position * (DOLLAR - value);
    this.cash += revenue - (revenue % CENT);
    if (this.fills.some((fill) => fill.ticker === ticker))
      this.settlements.push({ ticker, settled_time: new Date(this.now()).toISOString() });
    this.positions.delete(ticker);
    for (const order of this.orders) if (order.ticker === ticker && order.status === 'resting') this.#end(order);
  }

  #isSeen(at: number): boolean {
    return at <= this.now() - this.lagMs;
  }

  /** What an order would meet, the best price first, up to an order of the same account; and whether it would meet that one too. */
  #meeting(ticker: string, side: 'bid' | 'ask', limit: bigint) {
    const { bids = [], asks = [] } = this.liquidity.get(ticker) ?? {};
    const rows = (side === 'bid' ? asks : bids).map(([price, count]): [bigint, bigint] => [
      fixedIn(price, 4) ?? 0n,
      fixedIn(count, 2) ?? 0n,
    ]);
    const isWithin = (price: bigint, worst: bigint) => (side === 'bid' ? price <= worst : price >= worst);
    const own = this.orders.filter((one) => one.status === 'resting' && one.ticker === ticker && one.side !== side);
    const crossed = own.map(({ price }) => price).filter((price) => isWithin(price, limit));
    const worst = crossed.reduce((nearest, price) => (isWithin(price, nearest) ? price : nearest), limit);
    const meets = rows.filter(([price]) => isWithin(price, worst));
    return {
      meets: meets.sort(([a], [b]) => (side === 'bid' ? Number(a - b) : Number(b - a))),
      meetsOwn: crossed.length > 0,
    };
  }

  /** What the order needs at most: an order that opens pays for its contracts, one that closes gets money. */
  #cost({ ticker, side }: KeptOrder, price: bigint, count: bigint): bigint {
    const held = this.positions.get(ticker) ?? 0n;
    const closing = side === 'bid' ? least(max(-held), count) : least(max(held), count);
    const each = side === 'bid' ? price : DOLLAR - price;
    return (count - closing) * each + tradeFee(TAKER, price, count);
  }

  #fill(order: KeptOrder, price: bigint, count: bigint, isTaker: boolean): void {
    if (count <= 0n) return;
    const change = this.#netted(order, price, count);
    const charged = tradeFee(isTaker ? TAKER : MAKER, price, count);
    const fee = this.#fee(order, change, charged);
    this.cash += change - fee;
    order.filled += count;
    order.remaining -= count;
    order.fees[isTaker ? 'taker' : 'maker'] += fee;
    const { orderId, ticker, side } = order;
    const told = this.feeCost === 'net' ? fee : charged;
    const at = this.now();
    const fill: KeptFill = { tradeId: randomUUID(), orderId, ticker, side, price, count, fee: told, isTaker, at };
    this.fills.push(fill);
    this.heard('fill', { ...fillRow(fill), client_order_id: order.clientId, ts_ms: fill.at });
  }

  /** The change of cash before the fee: what closes the other side is paid a dollar a pair at once. */
  #netted({ ticker, side }: KeptOrder, price: bigint, count: bigint): bigint {
    const held = this.positions.get(ticker) ?? 0n;
    this.positions.set(ticker, side === 'bid' ? held + count : held - count);
    const closing = side === 'bid' ? least(max(-held), count) : least(max(held), count);
    const opening = count - closing;
    if (side === 'bid') return closing * (DOLLAR - price) - opening * price;
    return closing * price - opening * (DOLLAR - price);
  }

  /** Up to what brings the balance to a whole step; what was overpaid comes back in whole steps (`kalshi.md` 3). */
  #fee(order: KeptOrder, change: bigint, fee: bigint): bigint {
    const beyond = (((change - fee) % BALANCE_STEP) + BALANCE_STEP) % BALANCE_STEP;
    order.overpaid += beyond;
    const back = (least(order.overpaid, fee + beyond) / BALANCE_STEP) * BALANCE_STEP;
    order.overpaid -= back;
    return fee + beyond - back;
  }

  #end(order: KeptOrder): void {
    order.status = 'canceled';
    order.remaining = 0n;
  }
}

/** In ten thousandths: of a taker, and of a maker where the series has fees of makers. */
const [TAKER, MAKER] = [700n, 175n];

/** The rate × contracts × price × (1 − price), up to the next millionth. */
const tradeFee = (rate: bigint, price: bigint, count: bigint): bigint =>
  (rate * count * price * (DOLLAR - price) + 99_999_999n) / 100_000_000n;

const max = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
