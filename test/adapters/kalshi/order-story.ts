import fc from 'fast-check';
import { listedMarket } from '../../../src/adapters/kalshi/market-data/listed-market.js';
import {
  readEventRecord,
  readMarketRecord,
  readSeriesRecord,
} from '../../../src/adapters/kalshi/market-data/market-records.js';
import { KALSHI_DEMO } from '../../../src/adapters/kalshi/venue-name.js';
import { NoMarketData } from '../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { DomainError, InvariantBroken, StorageUnavailable } from '../../../src/core/errors.js';
import type { AccountId, MarketId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import type { Price, Usdc } from '../../../src/core/money.js';
import { isWorking } from '../../../src/core/order/lifecycle.js';
import type { Order } from '../../../src/core/order/order.js';
import { AuditHoldings } from '../../../src/core/usecases/accounts/audit-holdings.js';
import { liveUseCases } from '../../../src/core/usecases/compose.js';
import { audited } from '../../support/audited.js';
import { ALICE, anOrderContext, BOB } from '../../support/builders.js';
import { EVENT, MARKET, SERIES } from '../../support/fake-kalshi/records.js';
import { Trading } from '../../support/trading.js';
import { atKalshi, TICKER } from './exchange-fixture.js';

const TRADERS = [ALICE, BOB] as const;
const DEPOSIT = 50_000_000n as Usdc;
/** Of an order that expires. */
const LIFE_MS = 600_000;
/** Together longer than any time that an absence needs to be believed. */
const [ROUNDS, ROUND_MS] = [10, 61_000];
/** In millionths of a dollar. */
const CENT = 10_000n;
/** Nothing waits for an allowance: a story plays in its own time. */
const ANY = [{ prefix: '', points: 1_000_000, seconds: 1 }];

/** What becomes of the requests that write, one after the other: taken and not answered, or neither. */
type Lost = readonly ('answer' | 'request')[];

const lost: fc.Arbitrary<Lost> = fc.oneof(
  { weight: 12, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom('answer' as const, 'request' as const), { minLength: 1, maxLength: 2 }),
  },
  // Longer than the order is sent for.
  { weight: 1, arbitrary: fc.constantFrom(Array(9).fill('answer') as Lost, Array(9).fill('request') as Lost) },
);
const side = fc.constantFrom('bid' as const, 'ask' as const);
/** In ten thousandths of a dollar. */
const ticks = fc.oneof(fc.integer({ min: 4000, max: 6000 }), fc.integer({ min: 1, max: 9999 }));
/** In hundredths of a contract. */
const count = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 1200 }));

const place = fc.record({
  type: fc.constant('place' as const),
  who: fc.constantFrom(0, 1),
  side: fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const),
  /** Of a purchase by one who holds nothing: he who holds something buys more of the same, or sells it. */
  outcome: fc.constantFrom('YES' as const, 'NO' as const),
  ticks,
  count,
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'GTD' as const, 'FOK' as const, 'FAK' as const),
  postOnly: fc.nat({ max: 7 }).map((n) => n === 0),
  lost,
  /** Whether trading is paused all the while. */
  paused: fc.nat({ max: 19 }).map((n) => n === 0),
});
const cancel = fc.record({ type: fc.constant('cancel' as const), who: fc.constantFrom(0, 1), pick: fc.nat(9), lost });
/** How long reads lag behind, and those of fills. */
const lag = fc.record({
  type: fc.constant('lag' as const),
  lagMs: fc.constantFrom(0, 0, 400, 30_000),
  fillsLagMs: fc.constantFrom(0, 400, 30_000),
});
const step = fc.oneof(
  { weight: 20, arbitrary: place },
  { weight: 3, arbitrary: cancel },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('offer' as const), side, ticks, count }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 130, 400) }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ type: 'look' as const }, { type: 'sweep' as const }) },
  { weight: 1, arbitrary: lag },
  { weight: 1, arbitrary: fc.constant({ type: 'restart' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Placed = Extract<Step, { type: 'place' }>;

/** What the first outcome pays, in cents. */
const value = fc.oneof(fc.constantFrom(0, 100, 50), fc.integer({ min: 1, max: 99 }));

/** What happens in a market and to its orders, and how it ends. */
export const aStory = fc.record({
  steps: fc.array(step, { minLength: 60, maxLength: 60 }),
  /** In ten thousandths of a dollar. */
  priceStep: fc.constantFrom(100, 10, 1),
  feeCost: fc.constantFrom('net' as const, 'net' as const, 'trade' as const),
  listsKilled: fc.boolean(),
  /** Each is found, disputed and put in the place of the one before; the last one is final. */
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
});
type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never;

/** What came of a story: what differs from the stand-in's own books, and how much of what it had. */
export interface Outcome {
  readonly wrong: readonly unknown[];
  readonly orders: readonly Order[];
  /** Contracts of both outcomes that two accounts held in the end, in millionths. */
  readonly pairs: bigint;
  /** Whether the result was neither of the outcomes, and something was paid for. */
  readonly isScalar: boolean;
}

/** Two accounts behind one key trade both outcomes of a market, until its result: the venue keeps one net position of it. */
export class KalshiStory {
  readonly #ledger: MemoryLedger;
  readonly #began: Date;
  readonly #wrong: unknown[] = [];
  #record: Readonly<Record<string, unknown>>;
  #server: ReturnType<KalshiStory['begin']>;

  private constructor(
    readonly at: Awaited<ReturnType<typeof atKalshi>>,
    readonly story: Story,
  ) {
    const { account } = at;
    this.#ledger = new MemoryLedger(at.clock);
    this.#began = at.clock.now();
    const step = `0.${`${story.priceStep}`.padStart(4, '0')}`;
    this.#record = { ...MARKET, price_ranges: [{ start: '0.0000', end: '1.0000', step }] };
    account.priceStep = BigInt(story.priceStep);
    account.feeCost = story.feeCost;
    account.listsKilled = story.listsKilled;
    account.cash = DEPOSIT * BigInt(TRADERS.length);
    account.liquidity.clear();
    this.#server = this.begin();
  }

  static async of(story: Story): Promise<Outcome> {
    const at = await atKalshi({ allowances: { order: ANY, cancel: ANY, read: ANY } });
    try {
      // Once: a measurement in the background would see the time of the story jump.
      await at.client.venueClock.measure();
      const told = new KalshiStory(at, story);
      const { manage } = told.#server.trading.use.accounts;
      for (const trader of TRADERS) {
        await manage.allowLive(trader, true);
        await manage.deposit(trader, KALSHI_DEMO, DEPOSIT);
      }
      for (const step of story.steps) await told.#live(step);
      await told.#calm();
      const pairs = await told.#compare();
      const isScalar = await told.#end();
      return { wrong: told.#wrong, orders: await told.#orders(), pairs, isScalar };
    } finally {
      await at.close();
    }
  }

  /** Another server on the same ledger, which knows nothing but what is on record. */
  begin() {
    const { clock, time } = this.at;
    const exchange = this.at.opened();
    const context = anOrderContext({ clock, stopwatch: () => time.now });
    const markets = Object.assign(new NoMarketData(KALSHI_DEMO), { find: async () => this.#market() });
    const trading = new Trading(this.#ledger, { live: exchange, markets, context, settlesInCash: true });
    const { lookAfter, reconcile } = liveUseCases(trading.ports, {
      exchange,
      jobs: this.#ledger,
      externals: this.#ledger,
    });
    return { trading, lookAfter, reconcile };
  }

  #market(): Market {
    const now = this.at.clock.now();
    const records = {
      market: readMarketRecord({ market: this.#record }),
      event: readEventRecord({ event: EVENT }),
      series: readSeriesRecord({ series: SERIES }),
      milestone: null,
      trades: true,
      readAt: now,
    };
    return listedMarket(records, KALSHI_DEMO, now);
  }

  async #live(step: Step): Promise<void> {
    const { venue } = this.at;
    if ('lost' in step) venue.vanish.push(...step.lost);
    this.at.account.isPaused = 'paused' in step && step.paused;
    try {
      await this.#do(step);
    } catch (error) {
      const isFault = error instanceof InvariantBroken || error instanceof StorageUnavailable;
      if (isFault || !(error instanceof DomainError)) throw error;
    }
    venue.vanish.length = 0;
    this.at.account.isPaused = false;
  }

  async #do(step: Step): Promise<unknown> {
    const { account, time } = this.at;
    switch (step.type) {
      case 'place':
        return this.#place(step);
      case 'cancel':
        return this.#cancel(TRADERS[step.who] ?? ALICE, step.pick);
      case 'offer':
        return account.offer(TICKER, step.side, this.#priceText(step.ticks), centis(step.count));
      case 'pass':
        time.now += step.seconds * 1000;
        return;
      case 'look':
        return this.#server.lookAfter.execute();
      case 'sweep':
        return this.#sweep();
      case 'lag':
        Object.assign(account, { lagMs: step.lagMs, fillsLagMs: step.fillsLagMs });
        return;
      case 'restart':
        this.#server = this.begin();
        return;
    }
  }

  async #place({ who, side, outcome, ticks, count, timeInForce, postOnly }: Placed): Promise<void> {
    const account = TRADERS[who] ?? ALICE;
    const held = (await this.#positions(account)).find(({ shares, wanted = 0n }) => shares + wanted > 0n);
    const free = Number((held?.shares ?? 0n) - (held?.reserved ?? 0n)) / 10_000;
    const sells = side === 'SELL' && free > 0;
    const at = this.#ticks(ticks);
    const isImmediate = timeInForce === 'FOK' || timeInForce === 'FAK';
    const draft = {
      account,
      paper: false,
      venue: KALSHI_DEMO,
      marketId: TICKER as MarketId,
      outcome: held?.outcome ?? outcome,
      side: sells ? ('SELL' as const) : ('BUY' as const),
      price: (BigInt(at) * 100n) as Price,
      size: BigInt((sells ? Math.min(count, free) : count) * at) as Usdc,
      timeInForce,
      expiresAt: timeInForce === 'GTD' ? new Date(this.at.time.now + LIFE_MS) : null,
      postOnly: postOnly && !isImmediate,
    };
    await this.#server.trading.place(draft, { mayTradeLive: true });
  }

  async #cancel(account: AccountId, pick: number): Promise<void> {
    const working = (await this.#ordersOf(account)).filter(({ state }) => isWorking(state));
    const order = working[pick % (working.length || 1)];
    if (order === undefined) return;
    await this.#server.trading.cancelOrder.execute({ account, orderId: order.id, idempotencyKey: null });
  }

  async #sweep() {
    const found = await this.#server.reconcile.execute(this.#began);
    this.#wrong.push(...found.contradictions, ...found.external);
    return found;
  }

  /** Nothing goes wrong any more, and time passes. */
  async #calm(): Promise<void> {
    const { account, time } = this.at;
    Object.assign(account, { lagMs: 0, fillsLagMs: 0 });
    this.#server = this.begin();
    for (let round = 0; round < ROUNDS; round++) {
      time.now += ROUND_MS;
      await this.#server.lookAfter.execute();
      await this.#sweep();
    }
    const last = await this.#sweep();
    if (!last.complete || last.changed > 0) this.#wrong.push({ last });
  }

  /** Results that are not final change nothing; the last one is paid by both. */
  async #end(): Promise<boolean> {
    const { account } = this.at;
    const { values } = this.story;
    for (const [n, cents] of values.entries()) {
      if (n > 0) await this.#says('disputed', values[n - 1] ?? 0);
      await this.#says(n > 0 ? 'amended' : 'determined', cents);
    }
    const last = values.at(-1) ?? 0;
    const net = account.positions.get(TICKER) ?? 0n;
    const exact = net > 0n ? net * BigInt(last) * 100n : -net * BigInt(100 - last) * 100n;
    account.isOpen = false;
    account.settle(TICKER, dollars(last));
    await this.#calm();
    await this.#says('finalized', last, true);
    // The change of an order that is news would explain a difference.
    this.at.time.now += 2 * ROUND_MS;
    await this.#compare(exact % CENT);
    return exact > 0n && last > 0 && last < 100;
  }

  async #says(status: string, cents: number, isFinal = false): Promise<void> {
    const result = cents === 100 ? 'yes' : cents === 0 ? 'no' : 'scalar';
    this.#record = { ...this.#record, status, result, settlement_value_dollars: dollars(cents) };
    const { orders, failures } = await this.#server.trading.use.markets.settleResults.execute();
    if (failures.length > 0 || (orders > 0 && !isFinal)) this.#wrong.push({ status, orders, failures });
  }

  /**
   * Compares the books with the stand-in's, exactly: cash, net position, and each order's fills and fees. Three differences are known. It has
   * paid a dollar for each pair of both outcomes; it pays scalar results in whole cents; and where a fill does not tell how the balance was
   * rounded, our fees lack that.
   */
  async #compare(rounded = 0n): Promise<bigint> {
    const { account } = this.at;
    const orders = await this.#orders();
    const held = { YES: 0n, NO: 0n };
    let cash = 0n;
    for (const trader of TRADERS) {
      cash += (await this.#ledger.findBalance(trader, { paper: false, venue: KALSHI_DEMO }))?.cash ?? 0n;
      for (const { outcome, shares } of await this.#positions(trader)) held[outcome] += shares;
    }
    const pairs = held.YES < held.NO ? held.YES : held.NO;
    const untold = orders.reduce((sum, order) => sum + this.#compareOrder(order), 0n);
    const audits = await audited(this.#ledger);
    const holdings = await new AuditHoldings(this.#ledger, this.at.opened()).execute();
    this.#wrong.push(
      ...differs('cash', cash + pairs - untold - rounded, account.cash),
      ...differs('position', held.YES - held.NO, 10_000n * (account.positions.get(TICKER) ?? 0n)),
      ...differs(
        'orders there',
        account.orders.length,
        account.orders.filter(({ clientId }) => orders.some((one) => one.venueOrderId === clientId)).length,
      ),
      ...audits.flatMap(({ findings }) => findings),
      ...(holdings.kind === 'unknown' ? [holdings] : holdings.findings.filter(({ verdict }) => verdict === 'differs')),
    );
    return pairs;
  }

  /** What its fills did not tell of the fees that it has cost. */
  #compareOrder(order: Order): bigint {
    const { id, venueOrderId, state, filled } = order;
    const theirs = this.at.account.orders.find(({ clientId }) => clientId === venueOrderId);
    const fills = this.at.account.fills.filter(({ orderId }) => orderId === theirs?.orderId);
    const fees = (theirs?.fees.taker ?? 0n) + (theirs?.fees.maker ?? 0n);
    const told = fills.reduce((sum, { fee }) => sum + fee, 0n);
    const untold = fees - told;
    const most = this.story.feeCost === 'net' ? 0n : 99n * BigInt(fills.length);
    const isWorkingHere = isWorking(state);
    this.#wrong.push(
      ...differs(`${id} filled`, filled.shares, 10_000n * (theirs?.filled ?? 0n)),
      ...differs(`${id} fees`, filled.fees, told),
      ...differs(`${id} rests`, isWorkingHere, theirs?.status === 'resting'),
      ...(untold < 0n || untold > most ? [{ id, untold }] : []),
      ...(state === 'unknown' || state === 'submitting' ? [{ id, state }] : []),
    );
    return untold;
  }

  #positions(account: AccountId) {
    return this.#ledger.listPositions(account, { paper: false, strategyId: null }, { limit: 9 });
  }

  #ordersOf(account: AccountId) {
    return this.#ledger.listOrders(account, {}, { limit: 100 });
  }

  async #orders(): Promise<readonly Order[]> {
    return (await Promise.all(TRADERS.map((trader) => this.#ordersOf(trader)))).flat();
  }

  #ticks(ticks: number): number {
    const { priceStep } = this.story;
    return Math.min(Math.max(priceStep, ticks - (ticks % priceStep)), 10_000 - priceStep);
  }

  #priceText(ticks: number): string {
    return `0.${`${this.#ticks(ticks)}`.padStart(4, '0')}`;
  }
}

const centis = (count: number): string => (count / 100).toFixed(2);
const dollars = (cents: number): string => (cents / 100).toFixed(4);
const differs = (what: string, ours: unknown, theirs: unknown) => (ours === theirs ? [] : [{ what, ours, theirs }]);
