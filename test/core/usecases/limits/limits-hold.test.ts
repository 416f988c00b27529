import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { MarketId, StrategyId } from '../../../../src/core/ids.js';
import { NO_WON, YES_WON } from '../../../../src/core/market/lifecycle.js';
import { type Market, OUTCOME_SIDES, type OutcomeSide } from '../../../../src/core/market/market.js';
import { NO_VENUE } from '../../../../src/core/market/venue.js';
import { notional, type Price, type Shares, type Usdc } from '../../../../src/core/money.js';
import type { Fill } from '../../../../src/core/order/fill.js';
import { type Order, remaining } from '../../../../src/core/order/order.js';
import { found } from '../../../support/audited.js';
import { ALICE, anExecution, anOrderContext, clockAt, NOON, usdc } from '../../../support/builders.js';
import { runs } from '../../../support/runs.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';
import {
  above,
  type Exact,
  exact,
  type Figures,
  Holder,
  isAbove,
  more,
  NO_CAP,
  type TakenOut,
  type Working,
  type Worst,
} from './limits-oracle.js';
import { FEE, HIGH, LOW, marketsAs, OWN, TELLS, type Tells } from './told-markets.js';

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** The day, the next one, and one that a wrong clock tells: no more are kept. */
const DAYS = [0, 1, 31] as const;

const where = {
  market: fc.nat({ max: 3 }),
  outcome: fc.constantFrom(...OUTCOME_SIDES),
  cents: fc.integer({ min: 2, max: 98 }),
};
const pick = fc.nat({ max: 20 });
const trade = <T extends 'BUY' | 'SELL'>(type: T) =>
  fc.record({
    type: fc.constant(type),
    ...where,
    lots: fc.integer({ min: 1, max: 1500 }),
    byStrategy: fc.boolean(),
    aimed: fc.boolean(),
  });
const aCommand = fc.oneof(
  { weight: 7, arbitrary: trade('BUY') },
  { weight: 7, arbitrary: trade('SELL') },
  {
    weight: 9,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      pick,
      part: fc.integer({ min: 1, max: 3 }),
      better: fc.nat({ max: 5 }),
      confirmed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('undo' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('settle' as const), market: fc.nat({ max: 3 }), won: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('limits' as const), low: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('metadata' as const), tells: fc.constantFrom(...TELLS) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('clock' as const), day: fc.constantFrom(...DAYS) }) },
);
type Command = typeof aCommand extends fc.Arbitrary<infer T> ? T : never;
type Trade = Extract<Command, { type: 'BUY' | 'SELL' }>;

/** What may raise what is at risk, or lower what may be. */
const EXCUSES: ReadonlySet<Command['type']> = new Set(['settle', 'undo', 'limits', 'metadata']);

/** A purchase that was accepted, for what is counted. */
interface Accepted {
  readonly order: Order;
  readonly day: number;
  readonly at: number;
}

/** One account and a strategy of it under limits, whose orders rest until they are told to fill. */
class Story {
  readonly #clock = clockAt(NOON);
  readonly #data = new NoMarketData();
  readonly #trader: Trading;
  #tells: Tells = 'whole';
  #limits: typeof HIGH = HIGH;
  #strategy = '' as StrategyId;
  #day: (typeof DAYS)[number] = 0;
  /** Since the last reset: */
  #account = new Holder(FEE);
  #own = new Holder(FEE);
  #accepted: Accepted[] = [];
  #gains = new Map<number, Exact>();
  /** Every fill that was told, and what it took out. */
  readonly #fills = new Map<string, { readonly account: TakenOut; readonly own: TakenOut | null }>();
  readonly #settled = new Set<string>();
  #sales = 0n;

  constructor() {
    Object.assign(this.#data, { find: async (id: MarketId) => this.#market(id) });
    const context = anOrderContext({ clock: this.#clock });
    this.#trader = new Trading(new MemoryLedger(), { context, markets: this.#data, paper: new ScriptedSimulator() });
  }

  get ledger() {
    return this.#trader.ledger;
  }

  async begin(): Promise<this> {
    await this.#limit(HIGH);
    const { bankrollCap, ...limits } = OWN;
    const rules = { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('4') }, limits } as const;
    this.#strategy = (await this.#trader.strategy({ rules, bankrollCap, stakeCap: bankrollCap })).id;
    return this;
  }

  async play(command: Command): Promise<void> {
    this.#clock.tick(2 * SECOND);
    switch (command.type) {
      case 'BUY':
      case 'SELL':
        return this.#place(command);
      case 'clock':
        this.#clock.tick((command.day - this.#day) * DAY);
        this.#day = command.day;
        return;
      case 'settle':
        return this.#settle(command);
      case 'reset':
        return this.#reset();
      case 'limits':
        return this.#limit(command.low ? LOW : HIGH);
      case 'metadata':
        this.#tells = command.tells;
        return;
      case 'undo':
        return this.#undo(command);
      default: {
        const working = await this.working();
        const order = working[command.pick % Math.max(working.length, 1)];
        if (order === undefined) return;
        return command.type === 'cancel' ? this.#cancel(order) : this.#fill(order, command);
      }
    }
  }

  /** What there is of each thing that a limit bounds. */
  async figures(): Promise<Figures> {
    const working = await this.working();
    const figures = new Map<string, { is: Exact; cap: Exact }>();
    const put = (name: string, is: Exact | number, cap: bigint | number) =>
      figures.set(name, { is: typeof is === 'number' ? exact(BigInt(is)) : is, cap: exact(BigInt(cap)) });
    const caps = {
      market: this.#limits.marketLossUsdc,
      event: this.#limits.eventLossUsdc,
      exposure: this.#limits.exposureUsdc,
    };
    // A sale rounds what it leaves, a millionth of cost and one of fees.
    const rounding = 2n * this.#sales + 2n;
    const { by, isMixed } = this.#account.worst(working.map(workingOf));
    for (const [name, is] of by) {
      const kind = name.split(' ')[0] as keyof typeof caps;
      put(name, is, kind !== 'market' && isMixed ? NO_CAP : caps[kind] + rounding);
    }
    const ownWorking = working.filter(({ intent }) => intent.strategy !== null).map(workingOf);
    const own = this.#own.worst(ownWorking);
    for (const [name, is] of own.by)
      if (name.startsWith('event')) put(`strategy ${name}`, is, own.isMixed ? NO_CAP : OWN.eventLoss + rounding);
    put('strategy at work', this.#own.atWork(ownWorking), OWN.bankrollCap + rounding);
    put('open orders', working.length, this.#limits.openOrders);
    for (const day of DAYS) {
      put(`stake of day ${day}`, await this.#stakeOf(day), this.#limits.dailyStakeUsdc);
      const bets = this.#accepted.filter((one) => one.day === day && isPurchase(one.order) && isOwn(one.order));
      put(`bets of day ${day}`, bets.length, OWN.maxBetsPerDay);
    }
    return figures;
  }

  async working(): Promise<readonly Order[]> {
    return (await this.orders()).filter(({ state }) => state === 'open');
  }

  orders(): Promise<readonly Order[]> {
    return this.ledger.listOrders(ALICE, {}, { limit: 200 });
  }

  #market(id: MarketId): Market | undefined {
    return marketsAs(this.#tells).find((one) => one.id === id);
  }

  async #limit(change: typeof HIGH): Promise<void> {
    this.#limits = change;
    await this.#trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  }

  /** What purchases of the day spent, and may still spend; what was undone is not among it. */
  async #stakeOf(day: number): Promise<Exact> {
    const ids = new Set(this.#accepted.flatMap((one) => (one.day === day ? [one.order.id] : [])));
    const purchases = (await this.orders()).filter((order) => ids.has(order.id) && isPurchase(order));
    const spent = purchases.reduce((sum, { filled }) => sum + filled.notional + filled.fees, 0n);
    const open = purchases.filter(({ state }) => state === 'open').map(workingOf);
    return more(new Holder(FEE).atWork(open), spent);
  }

  async #place({ type: side, market, outcome, cents, lots, byStrategy, aimed }: Trade): Promise<void> {
    const { id: marketId } = marketsAs(this.#tells)[market] as Market;
    if (this.#settled.has(marketId)) return;
    const price = (BigInt(cents) * 10_000n) as Price;
    const working = await this.working();
    const holder = byStrategy ? this.#own : this.#account;
    const toBuy = aimed ? this.#upToLimit(working, marketId, price, lots) : BigInt(lots) * 10_000n;
    const shares = side === 'BUY' ? toBuy : this.#forSale(holder, working, marketId, outcome, lots);
    if (shares <= 0n) return;
    const size = notional(shares as Shares, price, 'ceil');
    const before = this.#worst(working);
    const lost = this.#lostToday();
    const strategyId = byStrategy ? this.#strategy : null;
    const order = await this.#trader.place({ marketId, outcome, side, price, size, strategyId });
    if (order.state === 'denied') return this.#denied(order, working, before);
    const at = this.#clock.now().getTime();
    const recent = this.#accepted.filter((one) => one.at > at - 60 * SECOND && one.at <= at + 60 * SECOND);
    expect([...recent, order].length).toBeLessThanOrEqual(this.#limits.ordersPerMinute);
    if (byStrategy && side === 'BUY') {
      expect(isAbove(exact(OWN.dailyLoss + 2n * this.#sales + 2n), lost)).toBe(true);
      if (!this.#gains.has(this.#day)) this.#gains.set(this.#day, this.#own.gain);
    }
    this.#accepted.push({ order, day: this.#day, at });
    for (const one of byStrategy ? [this.#account, this.#own] : [this.#account])
      one.accepted(marketId, outcome, groupOf(this.#market(marketId) as Market));
  }

  /** About as many as the limit of the market leaves: up to four lots fewer, or more. */
  #upToLimit(working: readonly Order[], market: MarketId, price: Price, lots: number): bigint {
    const { by } = this.#account.worst(working.map(workingOf));
    const [n, d] = by.get(`market ${market}`) ?? exact(0n);
    const left = this.#limits.marketLossUsdc - n / d;
    const each = price + (FEE * price * (1_000_000n - price)) / 1_000_000n ** 2n;
    return ((left * 100n) / each + BigInt(lots % 9) - 4n) * 10_000n;
  }

  /** No more than is free. */
  #forSale(holder: Holder, working: readonly Order[], market: MarketId, outcome: OutcomeSide, lots: number): bigint {
    const onSale = working.map(workingOf).filter((one) => one.side === 'SELL' && one.market === market);
    const sold = onSale.filter((one) => one.outcome === outcome).reduce((sum, one) => sum + one.shares, 0n);
    const held = [holder, this.#account].map((one) => one.shares(market, outcome) - sold);
    const free = held.reduce((a, b) => (a < b ? a : b));
    const wanted = BigInt(lots) * 10_000n;
    return wanted < free ? wanted : free - (free % 10_000n);
  }

  /** A sale that is refused for a worst case would have raised one. */
  #denied(order: Order, working: readonly Order[], before: readonly Worst[]): void {
    if (isPurchase(order) || !/^(market|event)_loss_exceeded$|exposure/.test(order.refusal?.code ?? '')) return;
    const after = this.#worst([...working, order]);
    if (after.some(({ isMixed }) => isMixed)) return;
    const isRaised = after.some(({ by }, at) =>
      [...by].some(([name, loss]) => isAbove(loss, before[at]?.by.get(name) ?? exact(0n))),
    );
    expect(isRaised).toBe(true);
  }

  #worst(working: readonly Order[]): readonly Worst[] {
    const own = working.filter(isOwn);
    return [this.#account.worst(working.map(workingOf)), this.#own.worst(own.map(workingOf))];
  }

  /** What the strategy lost since its first purchase of the day. */
  #lostToday(): Exact {
    const start = this.#gains.get(this.#day);
    const gain = this.#own.gain;
    return start === undefined ? exact(0n) : [start[0] * gain[1] - gain[0] * start[1], start[1] * gain[1]];
  }

  async #fill(order: Order, { part, better, confirmed }: Extract<Command, { type: 'fill' }>): Promise<void> {
    const { side, marketId, outcome } = order.intent;
    const shares = (remaining(order) / BigInt(part)) as Shares;
    if (shares === 0n) return;
    const moved = order.intent.price + (side === 'BUY' ? -1n : 1n) * BigInt(better) * 10_000n;
    const price = (moved < 10_000n || moved > 990_000n ? order.intent.price : moved) as Price;
    const fee = ((shares * FEE * price * (1_000_000n - price)) / 1_000_000n ** 3n) as Usdc;
    const tradeId = `${order.id} ${order.seq}`;
    const execution = { ...anExecution({ shares, price, fee, confirmed }), tradeId };
    const after = await this.#trader.book(order, (posting) => posting.fill(execution));
    const { notional: money } = after.fills.at(-1) as Fill;
    const own = isOwn(order) ? this.#own : null;
    if (side === 'BUY') {
      for (const one of own === null ? [this.#account] : [this.#account, own])
        one.bought(marketId, outcome, shares, money, fee);
      return;
    }
    this.#sales += 1n;
    const taken = (one: Holder) => one.sold(marketId, outcome, shares, money, fee);
    this.#fills.set(tradeId, { account: taken(this.#account), own: own && taken(own) });
  }

  /** A venue undoes a fill; never one of a purchase whose shares are sold or on sale. */
  async #undo({ pick: at }: Extract<Command, { type: 'undo' }>): Promise<void> {
    const since = new Set(this.#accepted.map(({ order }) => order.id));
    const undoable = (await this.orders()).flatMap((order) =>
      order.fills
        .filter((fill) => fill.settlement === 'provisional' && since.has(order.id))
        .map((fill) => ({ order, fill })),
    );
    const found = undoable[at % Math.max(undoable.length, 1)];
    if (found === undefined || this.#settled.has(found.order.intent.marketId)) return;
    const { order, fill } = found;
    const { side, marketId, outcome } = order.intent;
    const { tradeId, shares, notional: money, fee } = fill;
    const own = isOwn(order) ? this.#own : null;
    const free = this.#forSale(own ?? this.#account, await this.working(), marketId, outcome, 10_000_000);
    if (side === 'BUY' && free < shares) return;
    const resting = order.state === 'open';
    await this.#trader.book(order, (posting) =>
      posting.record({ type: 'fill_voided', tradeId, resting, reason: 'A test.' }),
    );
    const taken = this.#fills.get(tradeId);
    for (const one of own === null ? [this.#account] : [this.#account, own])
      if (side === 'BUY') one.unbought(marketId, outcome, shares, money, fee);
      else one.unsold(marketId, outcome, (one === own ? taken?.own : taken?.account) as TakenOut, shares, money, fee);
  }

  /** A result is booked where nothing is to come any more. */
  async #settle({ market, won }: Extract<Command, { type: 'settle' }>): Promise<void> {
    const { id: marketId } = marketsAs(this.#tells)[market] as Market;
    const orders = await this.orders();
    // No order is settled before it was placed.
    if (this.#settled.has(marketId) || orders.some(({ placedAt }) => placedAt > this.#clock.now())) return;
    const own = orders.filter(({ intent }) => intent.marketId === marketId);
    if (own.some(({ state, fills }) => state === 'open' || fills.some((fill) => fill.settlement === 'provisional')))
      return;
    await this.#trader.use.markets.settle.execute({ venue: NO_VENUE, marketId }, won ? YES_WON : NO_WON);
    this.#settled.add(marketId);
    for (const one of [this.#account, this.#own])
      for (const outcome of OUTCOME_SIDES) one.paid(marketId, outcome, won === (outcome === 'YES') ? 1_000_000n : 0n);
  }

  async #reset(): Promise<void> {
    // An account of which no order was taken has nothing to reset.
    if ((await this.orders()).every(({ state }) => state === 'denied')) return;
    for (const order of await this.working()) await this.#cancel(order);
    await this.#trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    [this.#account, this.#own] = [new Holder(FEE), new Holder(FEE)];
    [this.#accepted, this.#gains] = [[], new Map()];
    this.#settled.clear();
  }

  async #cancel({ id: orderId }: Order): Promise<void> {
    await this.#trader.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
  }
}

const isPurchase = ({ intent }: Order): boolean => intent.side === 'BUY';
const isOwn = ({ intent }: Order): boolean => intent.strategy !== null;
const groupOf = ({ event, exclusiveSet: set, role }: Market) => ({ event: event?.id ?? '', set, role });

function workingOf(order: Order): Working {
  const { marketId: market, outcome, side, price } = order.intent;
  return { market, outcome, side, price, shares: order.intent.shares - order.filled.shares };
}

describe('The limits of an account and of a strategy', () => {
  it('hold at every moment, unless a result, an undone fill, changed metadata or a lowered limit made it otherwise; and then nothing raises what is above', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aCommand, { minLength: 20, maxLength: 60, size: 'max' }), async (commands) => {
        const story = await new Story().begin();
        let before: Figures = new Map();
        for (const command of commands) {
          await story.play(command);
          const now = await story.figures();
          if (!EXCUSES.has(command.type)) expect(above(now, before)).toEqual([]);
          before = now;
        }
        expect(await found(story.ledger)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});
