import type { Balance } from '../core/account/account.js';
import type { Position } from '../core/account/position.js';
import type { AccountId, OrderId, StrategyId } from '../core/ids.js';
import type { Decision } from '../core/ledger/decision.js';
import { marketName } from '../core/market/market.js';
import { NO_USDC, plus, type Usdc } from '../core/money.js';
import { applyEvent } from '../core/order/apply.js';
import type { Order } from '../core/order/order.js';
import type { BetRow } from '../core/performance/bet.js';
import { BetLedger, markedBet } from '../core/performance/bet-ledger.js';
import type { DecisionRecord, SkipCount } from '../core/strategy/record/decision-record.js';
import type { ClosePrices } from '../ports/close-prices.js';
import type { Ledger } from '../ports/ledger.js';
import type { Timeline } from '../ports/system.js';
import type { Changes } from '../stakeport/create-stakeport.js';
import type { CashReading } from './backtest-run.js';
import type { MarketRecord } from './market-record.js';

/** What went on record for one account, as a backtest reports it. */
export interface AccountRecord {
  /** In the order in which they were placed, each as it was last. */
  readonly orders: readonly Order[];
  /** In the order in which they went on record. */
  readonly decisions: readonly DecisionRecord[];
  /** How often each strategy skipped for each reason. */
  readonly skips: ReadonlyMap<StrategyId, ReadonlyMap<string, number>>;
  /** Oldest first, one of a moment. */
  readonly marks: readonly CashReading[];
  /** In the order in which they were opened; open ones at what they would bring. */
  readonly bets: readonly BetRow[];
}

class Account {
  readonly orders = new Map<OrderId, Order>();
  readonly decisions: DecisionRecord[] = [];
  readonly skips = new Map<StrategyId, Map<string, number>>();
  readonly marks: CashReading[] = [];
  readonly #held = new Map<string, Position>();
  readonly #bets = new BetLedger();
  #reserved: Usdc = NO_USDC;

  constructor(private cash: Usdc) {
    this.#bets.deposit('paper', cash);
  }

  /** True where bets are open. */
  get isInvested(): boolean {
    return this.#held.size > 0;
  }

  /** Takes in what was stored; returns whether its money moved. */
  take(
    { orders = [], events = [], decisions = [], balances = [], positions = [] }: Decision<unknown>,
    owner: AccountId,
  ): boolean {
    for (const event of events) {
      const order = applyEvent(this.orders.get(event.orderId), event);
      this.orders.set(order.id, order);
      this.#bets.apply({ order, event });
    }
    for (const order of orders) this.orders.set(order.id, order);
    this.decisions.push(...decisions);
    const moved = balances.find(({ account, paper }) => account === owner && paper);
    if (moved !== undefined) this.#hold(moved);
    for (const position of positions) if (position.strategyId === null) this.#put(position);
    return moved !== undefined || positions.length > 0;
  }

  count({ strategyId, code, count }: SkipCount): void {
    const own = this.skips.get(strategyId) ?? new Map<string, number>();
    own.set(code, (own.get(code) ?? 0) + count);
    this.skips.set(strategyId, own);
  }

  /** What it is worth now; the last mark of a moment counts. */
  mark(at: Date, markets: MarketRecord): void {
    let [equity, atRisk] = [this.cash, this.#reserved];
    for (const position of this.#held.values()) {
      equity = plus(equity, markets.valueOf(position) ?? position.cost);
      atRisk = plus(atRisk, position.cost);
    }
    if (this.marks.at(-1)?.at.getTime() === at.getTime()) this.marks.pop();
    this.marks.push({ at, equity, cash: this.cash, atRisk, deposited: NO_USDC });
  }

  /** Marks it for the last time: at this moment, or at its last mark where that is later. */
  end(at: Date, markets: MarketRecord): void {
    const last = this.marks.at(-1)?.at ?? at;
    this.mark(last > at ? last : at, markets);
  }

  /** The bets so far; their closes are known once their events began. */
  bets(markets: MarketRecord, closes: ClosePrices): readonly BetRow[] {
    const all = this.#bets.bets.map((bet) => {
      const value = markets.valueOf({ ...bet, shares: bet.held });
      const close = bet.close === 'not_started' ? closes.closeOf(bet) : bet.close;
      return { ...markedBet(bet, value ?? NO_USDC), close };
    });
    return all.sort(byOpening);
  }

  #hold({ cash, reserved }: Balance): void {
    this.cash = cash;
    this.#reserved = reserved;
  }

  #put(position: Position): void {
    const name = `${marketName(position)} ${position.outcome}`;
    if (position.shares === 0n) this.#held.delete(name);
    else this.#held.set(name, position);
  }
}

/** By their first fill; of one moment as they were decided, then by market and outcome. */
function byOpening(a: BetRow, b: BetRow): number {
  const later = a.firstFillAt.getTime() - b.firstFillAt.getTime();
  if (later !== 0) return later;
  const [first, second] = [a, b].map(({ orderIds, marketId, outcome }) => `${orderIds[0]} ${marketId} ${outcome}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;

/** Answers whether the count has grown since it was asked; at first it has. */
function reader(count: () => number): () => boolean {
  let known = Number.NaN;
  return () => {
    const now = count();
    const isNew = now !== known;
    known = now;
    return isNew;
  };
}

/** Answers true once more after each time: what was read right before a change may be used for a moment after it. */
function lingering(isNew: () => boolean): () => boolean {
  let wasNew = false;
  return () => {
    const [before, now] = [wasNew, isNew()];
    wasNew = now;
    return before || now;
  };
}

/**
 * What a run puts on record, read off the writes of a ledger of any kind. Accounts are marked at each moment at which their money moves,
 * and while they hold anything at the end of each day in UTC.
 */
export class RunRecord {
  readonly #accounts = new Map<AccountId, Account>();
  readonly #unmarked = new Set<Account>();
  #writes = 0;

  constructor(
    private readonly timeline: Timeline & ClosePrices,
    private readonly markets: MarketRecord,
    private readonly cash: Usdc,
    /** The last moment that is played. */
    private readonly until: Date,
  ) {}

  /** The ledger, whose writes go on this record once they are stored. */
  of(ledger: Ledger): Ledger {
    const write: Ledger['write'] = async (scope, decide) => {
      let made: Decision<unknown> | undefined;
      const result = await ledger.write(scope, (now) => {
        const decision = decide(now);
        made = decision;
        return decision;
      });
      if (made !== undefined) this.#take(scope.account, made);
      return result;
    };
    const count: Ledger['decisions']['count'] = async (skips) => {
      await ledger.decisions.count(skips);
      for (const skip of skips) this.#of(skip.account).count(skip);
    };
    // Whoever opened it closes it.
    const close = async () => {};
    return put<Ledger & { close?: typeof close }>(ledger, {
      write,
      close,
      decisions: put(ledger.decisions, { count }),
    });
  }

  /** What work that comes again and again asks, so that it rests while nothing can have changed for it. */
  readonly changes: Changes = {
    record: () => reader(() => this.#writes),
    results: () => reader(() => this.#writes + this.markets.descriptions),
    all: () => lingering(reader(() => this.#writes + this.markets.changes + this.#quarters)),
  };

  /** Quarters of an hour so far: in every time zone days end at one of them. */
  get #quarters(): number {
    return Math.floor(this.timeline.now().getTime() / QUARTER_MS);
  }

  /** Begins to mark accounts: these are worth their cash. */
  begin(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.#of(account).mark(this.timeline.now(), this.markets);
    this.#planDay();
  }

  /** The accounts at the end, each marked then. */
  end(at: Date): (account: AccountId) => AccountRecord {
    for (const account of this.#accounts.values()) account.end(at, this.markets);
    return (id) => {
      const account = this.#of(id);
      const { orders, decisions, skips, marks } = account;
      return { orders: [...orders.values()], decisions, skips, marks, bets: account.bets(this.markets, this.timeline) };
    };
  }

  #of(id: AccountId): Account {
    const account = this.#accounts.get(id) ?? new Account(this.cash);
    this.#accounts.set(id, account);
    return account;
  }

  #take(id: AccountId, decision: Decision<unknown>): void {
    this.#writes += 1;
    const account = this.#of(id);
    if (!account.take(decision, id)) return;
    // All that happens at a moment is one mark.
    if (this.#unmarked.size === 0) this.timeline.at(this.timeline.now(), () => this.#markMoved());
    this.#unmarked.add(account);
  }

  #markMoved(): void {
    const at = this.timeline.now();
    for (const account of this.#unmarked) account.mark(at, this.markets);
    this.#unmarked.clear();
  }

  #planDay(): void {
    const now = this.timeline.now().getTime();
    const today = now - (now % DAY_MS) + DAY_MS - 1;
    const end = today > now ? today : today + DAY_MS;
    // What waits at the end of a tape is run, however late it is.
    if (end > this.until.getTime()) return;
    this.timeline.at(new Date(end), () => {
      const at = this.timeline.now();
      for (const account of this.#accounts.values()) if (account.isInvested) account.mark(at, this.markets);
      this.#planDay();
    });
  }
}

/** The object with some members replaced; its own methods are called on itself. */
function put<T extends object>(whole: T, replaced: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
