import { expect } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { AuthScope } from '../../../../src/core/access/principal.js';
import type { MarketId, StrategyId } from '../../../../src/core/ids.js';
import { NO_WON, YES_WON } from '../../../../src/core/market/lifecycle.js';
import { type Market, NO_VENUE, OUTCOME_SIDES } from '../../../../src/core/market/market.js';
import { notional, type Price, type Shares } from '../../../../src/core/money.js';
import type { Fill } from '../../../../src/core/order/order.js';
import { type Order, remaining } from '../../../../src/core/order/order.js';
import type { Strategy } from '../../../../src/core/strategy/strategy.js';
import { ALICE, anOrderContext, clockAt, NOON, usdc } from '../../../support/builders.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';
import { figuresOf, type KnownOfAccount, purchaseDenied, stakeOf, upToLimit } from './limits-figures.js';
import {
  type Accepted,
  type Command,
  executionOf,
  FEE,
  FEE_STEPS,
  freeOf,
  groupOf,
  HIGH,
  isOwn,
  isPurchase,
  type KnownResults,
  LOT,
  LOW,
  marketsAs,
  OF_ANY_SALE,
  OF_LOSSES,
  OF_RAISING_SALES,
  OWN,
  sharesLeft,
  type Trade,
  type Wanted,
  workingOf,
} from './limits-markets.js';
import {
  apart,
  DayCounts,
  exact,
  type Figures,
  Holder,
  isAbove,
  isRaised,
  type TakenOut,
  type Worst,
} from './limits-oracle.js';
import { AccountLosses } from './losses-oracle.js';

const [SECOND, DAY] = [1000, 24 * 60 * 60 * 1000];
const MAY: ReadonlySet<AuthScope> = new Set(['risk:write']);
/** One account and a strategy of it under limits, whose orders rest until a command fills them. */
export class Story {
  readonly #clock = clockAt(NOON);
  readonly #data = new NoMarketData();
  readonly #trader: Trading;
  #results: KnownResults = 'whole';
  #limits: typeof HIGH = HIGH;
  #strategy: Strategy | null = null;
  /** Since the last reset: */
  #account = new Holder(FEE);
  #own = new Holder(FEE);
  #accepted: Accepted[] = [];
  #counts = new DayCounts();
  /** Two gains are compared, each of which sales have rounded. */
  readonly #losses = new AccountLosses(() => ({
    day: this.#day,
    gain: this.#account.gain,
    limits: this.#limits,
    rounding: 4n * this.#sales + 4n,
  }));
  /** Every fill, and what it took out. */
  readonly #fills = new Map<string, { readonly account: TakenOut; readonly own: TakenOut | null }>();
  readonly #settled = new Set<string>();
  #sales = 0n;
  /** What there was before the order of this command, by the metadata that it brought with it; null where those were known. */
  #regrouped: Figures | null = null;

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
    this.#strategy = await this.#trader.strategy({ rules, bankrollCap, stakeCap: bankrollCap });
    return this;
  }

  async play(command: Command): Promise<void> {
    this.#clock.tick(2 * SECOND);
    this.#regrouped = null;
    switch (command.type) {
      case 'BUY':
        return this.#buy(command);
      case 'SELL':
        return this.#sell(command);
      case 'clock':
        this.#clock.tick((command.day - this.#day) * DAY);
        return;
      case 'midnight':
        this.#clock.tick(Date.parse(NOON) + (command.day + 0.5) * DAY + command.seconds * SECOND - this.#now);
        return;
      case 'leave':
        return this.#sellWhatIsLeft(command);
      case 'settle':
        return this.#settle(command);
      case 'reset':
        return this.#reset();
      case 'limits':
        return this.#limit(command.low ? LOW : HIGH);
      case 'watch':
        await this.#trader.use.limits.watch.execute();
        return this.#measured();
      case 'resume':
        return this.#resume(command.anew);
      case 'metadata':
        this.#results = command.results;
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
    await this.#countsAgree(working);
    return figuresOf(this.#known, working);
  }

  /** What there was before the last command, which were these figures, by what is known of markets now. */
  before(figures: Figures): Figures {
    return this.#regrouped ?? figures;
  }

  async working(): Promise<readonly Order[]> {
    return (await this.orders()).filter(({ state }) => state === 'open');
  }

  orders(): Promise<readonly Order[]> {
    return this.ledger.listOrders(ALICE, {}, { limit: 200 });
  }

  #market(id: MarketId): Market | undefined {
    return marketsAs(this.#results).find((one) => one.id === id);
  }

  async #limit(change: typeof HIGH): Promise<void> {
    this.#limits = change;
    await this.#trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
    await this.#measured();
  }

  async #measured(): Promise<void> {
    const { states } = await this.#trader.use.trading.read.now(ALICE);
    this.#losses.measured(states.length > 0);
  }

  /** A person ends the halt, and has losses counted from now. */
  async #resume(anew: boolean): Promise<void> {
    if (anew) {
      const change = { dailyLossUsdc: null, drawdownUsdc: null };
      await this.#trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
      this.#losses.beginAnew();
      await this.#limit(this.#limits);
    }
    const change = { scope: 'account', state: 'active', stops: 'all', reason: '', by: 'me', until: null } as const;
    const command = { account: ALICE, change, cancel: false, may: MAY, idempotencyKey: null };
    await this.#trader.use.trading.set.execute(command);
    this.#losses.isHalted = false;
  }

  get #known(): KnownOfAccount {
    const [account, own, limits] = [this.#account, this.#own, this.#limits];
    return { account, own, limits, accepted: this.#accepted, counts: this.#counts, sales: this.#sales };
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }

  /** Whole days since the first. */
  get #day(): number {
    return Math.floor((this.#now - Date.parse(NOON)) / DAY + 0.5);
  }

  /** What is shown as used of the day is what its purchases spent, and may still spend. */
  async #countsAgree(working: readonly Order[]): Promise<void> {
    if (this.#counts.isForgotten(this.#day)) return;
    const { used } = await this.#trader.use.limits.read.execute(ALICE, true);
    const stake = stakeOf(this.#known, working, this.#day);
    const off = apart(exact(used.dailyStakeUsdc ?? 0n), stake);
    if (isAbove(off, exact(FEE_STEPS * BigInt(working.length)))) expect(used.dailyStakeUsdc).toBe(stake[0] / stake[1]);
    this.#losses.agree(used);
  }

  async #sell({ cents, lots, byStrategy }: Trade): Promise<void> {
    const working = await this.working();
    const found = this.#forSale(byStrategy ? this.#own : this.#account, working, lots);
    if (found === undefined) return;
    const [wanted, price] = [BigInt(lots) * LOT, (BigInt(cents) * LOT) as Price];
    const shares = wanted < found.shares ? wanted : found.shares;
    await this.#order({ ...found, side: 'SELL', price, byStrategy, shares }, working);
  }

  async #buy({ market, outcome, cents, lots, byStrategy, aimed }: Trade): Promise<void> {
    const working = await this.working();
    const to = { side: 'BUY', price: (BigInt(cents) * LOT) as Price, byStrategy } as const;
    // A sale of one side of a hedge raises a worst case.
    const held = aimed && byStrategy ? this.#forSale(this.#own, working, lots) : undefined;
    const other = held?.outcome === 'YES' ? 'NO' : 'YES';
    const { id: marketId } = marketsAs(this.#results)[market] as Market;
    if (held !== undefined) await this.#order({ ...to, ...held, outcome: other }, working);
    if (held !== undefined || this.#settled.has(marketId)) return;
    const shares = aimed ? upToLimit(this.#known, working, marketId, to.price, lots) : BigInt(lots) * LOT;
    if (shares > 0n) await this.#order({ ...to, marketId, outcome, shares }, working);
  }

  /** Returns the code by which it is refused; null where it is accepted. */
  async #order(wanted: Wanted, working: readonly Order[]): Promise<string | null> {
    const { marketId, byStrategy, shares, ...terms } = wanted;
    const size = notional(shares as Shares, terms.price, 'ceil');
    const before = this.#worst(working);
    const strategyId = byStrategy ? this.#id : null;
    const order = await this.#trader.place({ marketId, ...terms, size, strategyId });
    const isStopped = order.refusal?.code === 'trading_halted';
    expect(isStopped).toBe(this.#losses.isHalted);
    if (isStopped) return 'trading_halted';
    this.#losses.measure();
    if (order.state === 'denied') {
      const isLost = this.#losses.denied(order);
      if (isPurchase(order) && !isLost) purchaseDenied(this.#known, order, working, this.#day);
      if (!isPurchase(order)) this.#saleDenied(order, working, before);
      return order.refusal?.code ?? null;
    }
    // A sale that raises no worst case passes, whatever was lost.
    if (isPurchase(order) || isRaised(before, this.#worst([...working, order]))) this.#losses.areLess();
    this.#take(order, working);
    return null;
  }

  #take(order: Order, working: readonly Order[]): void {
    const [at, day] = [this.#now, this.#day];
    const recent = this.#accepted.filter((one) => one.at > at - 60 * SECOND && one.at <= at + 60 * SECOND);
    expect([...recent, order].length).toBeLessThanOrEqual(this.#limits.ordersPerMinute);
    if (isOwn(order) && isPurchase(order)) {
      expect(
        isAbove(exact(OWN.dailyLoss + 2n * this.#sales + 2n), this.#counts.lostOn(this.#day, this.#own.gain)),
      ).toBe(true);
      this.#counts.bet(day, this.#own.gain);
    }
    if (isPurchase(order)) this.#counts.purchase(day);
    this.#accepted.push({ order, day, at });
    const { marketId, outcome } = order.intent;
    const holders = isOwn(order) ? [this.#account, this.#own] : [this.#account];
    const group = groupOf(this.#market(marketId) as Market);
    const isOther = holders.map((one) => one.accepted(marketId, outcome, group)).includes(true);
    if (isOther) this.#regrouped = figuresOf(this.#known, working);
  }

  /** Sells exactly what the limits leave of what the strategy holds, and tries to sell a lot more before. */
  async #sellWhatIsLeft({ pick, cents }: Extract<Command, { type: 'leave' }>): Promise<void> {
    const working = await this.working();
    const found = this.#forSale(this.#own, working, pick);
    if (found === undefined) return;
    const { marketId, outcome, shares: free } = found;
    const [strategy, market] = [this.#strategy as Strategy, this.#market(marketId) as Market];
    const left = await sharesLeft(this.ledger, strategy, market, outcome, free);
    const sale = { side: 'SELL', marketId, outcome, price: (BigInt(cents) * LOT) as Price, byStrategy: true } as const;
    if (left < free) expect(await this.#order({ ...sale, shares: left + LOT }, working)).not.toBe(null);
    if (left > 0n)
      expect([null, 'trading_halted', ...OF_LOSSES, ...OF_ANY_SALE]).toContain(
        await this.#order({ ...sale, shares: left }, working),
      );
  }

  get #id(): StrategyId {
    return (this.#strategy as Strategy).id;
  }

  /** One of the outcomes of which something is free, with all of that. */
  #forSale(holder: Holder, working: readonly Order[], at: number) {
    const all = marketsAs(this.#results).flatMap(({ id: marketId }) =>
      OUTCOME_SIDES.map((outcome) => ({
        marketId,
        outcome,
        shares: freeOf([holder, this.#account], working, marketId, outcome),
      })),
    );
    const free = all.filter(({ shares, marketId }) => shares >= LOT && !this.#settled.has(marketId));
    return free[at % Math.max(free.length, 1)];
  }

  /** A sale that is refused for a worst case would have raised one, and none is refused for anything that it does not bring. */
  #saleDenied(order: Order, working: readonly Order[], before: readonly Worst[]): void {
    const code = order.refusal?.code ?? '';
    if (OF_ANY_SALE.includes(code)) return;
    expect(OF_RAISING_SALES).toContain(code);
    expect(isRaised(before, this.#worst([...working, order]))).not.toBe(false);
  }

  #worst(working: readonly Order[]): readonly Worst[] {
    const own = working.filter(isOwn);
    return [this.#account.worst(working.map(workingOf)), this.#own.worst(own.map(workingOf))];
  }

  async #fill(order: Order, { part, better, confirmed }: Extract<Command, { type: 'fill' }>): Promise<void> {
    const { side, marketId, outcome } = order.intent;
    const shares = (remaining(order) / BigInt(part)) as Shares;
    if (shares === 0n) return;
    const execution = executionOf(order, shares, better, confirmed);
    const { tradeId, fee } = execution;
    const after = await this.#trader.book(order, (posting) => posting.fill(execution));
    const { notional: money } = after.fills.at(-1) as Fill;
    const own = isOwn(order) ? this.#own : null;
    if (side === 'BUY') {
      this.#counts.spend(order.id, money + fee);
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
    const free = freeOf([own ?? this.#account, this.#account], await this.working(), marketId, outcome);
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
    const { id: marketId } = marketsAs(this.#results)[market] as Market;
    const orders = await this.orders();
    // No order is settled before it was placed.
    if (this.#settled.has(marketId) || orders.some(({ placedAt }) => placedAt > this.#clock.now())) return;
    const own = orders.filter(({ intent }) => intent.marketId === marketId);
    const isProvisional = ({ settlement }: Fill) => settlement === 'provisional';
    if (own.some(({ state, fills }) => state === 'open' || fills.some(isProvisional))) return;
    await this.#trader.use.markets.settle.execute({ venue: NO_VENUE, marketId }, won ? YES_WON : NO_WON);
    this.#settled.add(marketId);
    for (const one of [this.#account, this.#own])
      for (const outcome of OUTCOME_SIDES) one.paid(marketId, outcome, won === (outcome === 'YES') ? 1_000_000n : 0n);
  }

  async #reset(): Promise<void> {
    if ((await this.orders()).every(({ state }) => state === 'denied')) return;
    for (const order of await this.working()) await this.#cancel(order);
    await this.#trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    [this.#account, this.#own] = [new Holder(FEE), new Holder(FEE)];
    [this.#accepted, this.#counts] = [[], new DayCounts()];
    this.#losses.beginAnew();
    this.#settled.clear();
  }

  async #cancel({ id: orderId }: Order): Promise<void> {
    await this.#trader.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
  }
}
