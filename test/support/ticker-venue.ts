import type { MarketId, VenueName } from '../../src/core/ids.js';
import type { Level } from '../../src/core/market/event.js';
import type { FeeSchedule } from '../../src/core/market/fee.js';
import { type Market, unlistedMarket } from '../../src/core/market/market.js';
import { NO_SHARES, ONE, type Price, price, type Shares, shares, type Usdc, usdc } from '../../src/core/money.js';
import type { Execution, Order } from '../../src/core/order/order.js';
import type {
  Accepted,
  CancelResult,
  Exchange,
  OrderStatusReport,
  PlaceResult,
  Signing,
} from '../../src/ports/exchange.js';
import type { MarketData, MarketListener } from '../../src/ports/market-data.js';
import type { AccountListener } from '../../src/ports/venue-adapter.js';

/** The name that this venue has here. */
export const TICKERS = 'tickers' as VenueName;
export const GAME = 'KXGAME-26MAR01OTTHER-OTT' as MarketId;

const [WANTED, OFFERED] = [price('0.40'), price('0.60')];
const QUOTES = {
  bids: [{ price: WANTED, shares: shares('10') }] as readonly Level[],
  asks: [{ price: OFFERED, shares: shares('10') }] as readonly Level[],
};

const NOTHING = 0n as Price;

/**
 * A market of tickers: outcomes that only this venue understands, whole contracts, prices in cents in the middle and in
 * tenths of a cent at the ends, and a fee for makers too.
 */
function game(nets: boolean, changes: Partial<Market> = {}): Market {
  return {
    ...unlistedMarket(GAME, TICKERS),
    slug: 'otters-herons',
    question: 'Will the Otters win?',
    outcomes: [
      { label: 'Otters', tokenId: `${GAME}:YES` },
      { label: 'Not Otters', tokenId: `${GAME}:NO` },
    ],
    status: 'open',
    lot: ONE as Shares,
    terms: {
      tick: price('0.01'),
      bands: BANDS,
      minShares: shares('1'),
      minNotional: usdc('0.01'),
      fee: FEE,
      negRisk: false,
      acceptingOrders: true,
      delaySeconds: 0,
      clearsBookAtStart: false,
      ...(nets && { netsOutcomes: true }),
    },
    ...changes,
  };
}

/** Tenths of a cent below 0.10 and from 0.90 on, cents between. */
const BANDS = [
  { from: NOTHING, step: price('0.001') },
  { from: price('0.1'), step: price('0.01') },
  { from: price('0.9'), step: price('0.001') },
];
/** Seven percent for takers, a quarter of that for makers, each fill rounded up to the cent. */
const FEE: FeeSchedule = {
  rate: 70_000n,
  exponent: 1,
  takerOnly: false,
  makerRate: 17_500n,
  asOf: new Date('2026-03-01T00:00:00.000Z'),
  rounding: { step: 10_000n, to: 'up', each: 'fill' },
};

/** Its markets: one game, whose result may be anything from 0 to 1, by one authority. */
export class TickerMarkets implements MarketData {
  readonly venue = TICKERS;
  #game: Market;
  readonly #listeners = new Set<MarketListener>();

  /** `nets` where an account holds one outcome at a time. */
  constructor(private readonly nets = false) {
    this.#game = game(nets);
  }

  async find(id: MarketId): Promise<Market | undefined> {
    return id === GAME ? this.#game : undefined;
  }

  async search() {
    return { items: [this.#game], next: null };
  }

  async book() {
    return { ...QUOTES, at: new Date(), fresh: true };
  }

  async follow(_: Market, listener: MarketListener) {
    this.#listeners.add(listener);
    await listener({ type: 'book', ...QUOTES, at: new Date() });
    return { stop: () => void this.#listeners.delete(listener) };
  }

  /** The authority decides: the payout of a share of the first outcome. */
  async settle(first: string): Promise<void> {
    const yes = usdc(first);
    this.#game = game(this.nets, { status: 'resolved', payout: [yes, (ONE - yes) as Usdc] });
    for (const listener of this.#listeners) await listener({ type: 'market', market: this.#game, at: new Date() });
  }
}

/** The resting orders, by the venue's own id. */
interface Resting {
  readonly order: Order;
  readonly reference: string;
  readonly executions: Execution[];
  cancelled: boolean;
}

/**
 * Its exchange: a client's id is known before an order is sent and names it for ever; the venue's own id comes with the
 * answer and is needed to cancel. Nothing is signed.
 */
export class TickerExchange implements Exchange {
  readonly venue = TICKERS;
  readonly local = null;
  readonly signing: Signing = {
    envelope: (intent) => {
      const body = { ticker: intent.marketId, side: intent.outcome, count: `${intent.shares / ONE}` };
      return {
        content: JSON.stringify(body),
        sendBy: new Date('2099-01-01T00:00:00.000Z'),
        spends: null,
        dust: NO_SHARES,
      };
    },
    identify: async (order) => `client-${order.id}`,
  };
  /** The venue's ids for which a cancellation was requested. */
  readonly cancelled: string[] = [];
  readonly #orders = new Map<string, Resting>();
  #listener: AccountListener | null = null;

  /** Reports what happens to resting orders from now on. */
  listen(listener: AccountListener): void {
    this.#listener = listener;
  }

  closedForMs(): null {
    return null;
  }

  async place(order: Order): Promise<PlaceResult> {
    const clientId = `${order.venueOrderId}`;
    const known = this.#orders.get(clientId);
    if (known !== undefined) return this.#accepted(known);
    const { side, price: limit, shares: wanted } = order.intent;
    const crosses = side === 'BUY' ? limit >= OFFERED : limit <= WANTED;
    const resting: Resting = { order, reference: `ORD-${this.#orders.size + 1}`, executions: [], cancelled: false };
    this.#orders.set(clientId, resting);
    if (crosses)
      this.#fill(resting, wanted < shares('10') ? wanted : shares('10'), side === 'BUY' ? OFFERED : WANTED, 'TAKER');
    return this.#accepted(resting);
  }

  async cancel(order: Order): Promise<CancelResult> {
    const reference = order.venueReference;
    if (reference === null) return { kind: 'unknown', reason: 'only the id that the venue gave cancels' };
    this.cancelled.push(reference);
    const found = [...this.#orders.values()].find((one) => one.reference === reference);
    if (found === undefined || found.cancelled) return { kind: 'refused', reason: 'not_found' };
    found.cancelled = true;
    return { kind: 'cancelled' };
  }

  async find(order: Order): Promise<OrderStatusReport> {
    const known = this.#orders.get(`${order.venueOrderId}`);
    return known === undefined ? { kind: 'absent' } : this.#accepted(known);
  }

  /** A taker fills the resting order: a maker pays a fee too. */
  meet(reference: string, count: string): void {
    const found = this.#named(reference);
    this.#fill(found, shares(count), found.order.intent.price, 'MAKER');
    this.#report(found);
  }

  /** The game is over: what still rests is cancelled, and no client hears of it unasked. */
  end(): void {
    for (const resting of this.#orders.values()) resting.cancelled = true;
  }

  #named(reference: string): Resting {
    const found = [...this.#orders.values()].find((one) => one.reference === reference);
    if (found === undefined) throw new Error(`no order ${reference}`);
    return found;
  }

  #report(resting: Resting): void {
    const { marketId, side, price, shares } = resting.order.intent;
    const venueOrderId = `${resting.order.venueOrderId}`;
    const named = [{ venueOrderId, marketId, tokenId: null, side, price, shares, resting: false }];
    const reportOf = (order: Order) => this.find(order);
    this.#listener?.received({ kind: 'mass_status', named, unread: null, reportOf });
  }

  #fill(resting: Resting, count: Shares, at: Price, liquidity: Execution['liquidity']): void {
    const tradeId = `${resting.reference}-${resting.executions.length + 1}`;
    const fee = feeOf(count, at, liquidity);
    resting.executions.push({
      tradeId,
      shares: count,
      price: at,
      fee,
      liquidity,
      confirmed: true,
      model: null,
    });
  }

  #accepted({ order, reference, executions, cancelled }: Resting): Accepted {
    const filled = executions.reduce((sum, one) => sum + one.shares, 0n);
    const rest = cancelled ? 'cancelled' : filled >= order.intent.shares ? 'none' : 'open';
    const names = { venueOrderId: `${order.venueOrderId}`, venueReference: reference };
    return { kind: 'accepted', ...names, executions: [...executions], failed: [], rest };
  }
}

/** By whole cents, for whole contracts: what the venue itself charges, computed apart from the code under test. */
function feeOf(count: Shares, at: Price, liquidity: Execution['liquidity']): Usdc {
  const tenThousandths = liquidity === 'MAKER' ? 175n : 700n;
  const exact = tenThousandths * (count / ONE) * at * (ONE - at);
  const cent = 10_000n * ONE * 10_000n;
  return (((exact + cent - 1n) / cent) * 10_000n) as Usdc;
}
