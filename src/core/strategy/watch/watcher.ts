import type { AccountId, MarketId, StrategyId, VenueName } from '../../ids.js';
import type { RefusingState } from '../../limits/limits.js';
import type { Market, OutcomeSide } from '../../market/market.js';
import { ONE, type Price } from '../../money.js';
import type { BetsMade, Estimate } from '../conditions/candidate.js';
import { type BetDecision, conditionsHold } from '../decide/decide.js';
import { type TradingRules, tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';
import { ARMED, type BetState, type BetStep, isArmed, isDone, isPlacing, stepBet } from './bet-state.js';

/** A refused bet is not asked again until the price has moved by this, */
const MOVED = ONE / 100n;
/** or this long has passed, or there is another version of the strategy. */
const BENCHED_MS = 4 * 60 * 60 * 1000;
const KNOWN_HERE: readonly (string | null)[] = ['slot_used', 'cooldown'];
/** An input was missing, or not to be trusted: whether the conditions are true is not known then. */
const UNKNOWN = /^(input_missing:.*|market_data_stale|suspicious_book|signal_expired|implausible_signal)$/;

/** Skips for what the book alone shows: they stay what they are while it does not change. */
const BY_THE_BOOK: readonly (string | null)[] = [
  'odds_out_of_range',
  'spread_too_wide',
  'liquidity_too_low',
  'price_drifted',
];

/** Bets on the outcome, and how often the paper money had begun anew by then. */
export type KnownBets = Pick<BetsMade, 'onOutcome' | 'lastAt'> & { readonly paperResets: number };

const NONE_MADE: KnownBets = { onOutcome: 0, lastAt: null, paperResets: 0 };

/** A bet that was refused, and the state that refuses it at every price; null, or absent, where it may pass at another one. */
export type RefusedBet = Pick<BetDecision, 'code' | 'at' | 'strategyVersion'> & {
  readonly state?: RefusingState | null;
};

/** What a refused bet waits for: a state that ends, or another price. */
interface Bench {
  readonly code: string | null;
  readonly state: RefusingState | null;
  readonly since: Date;
  readonly offer: Price | null;
  readonly estimate: string;
  /** Null where only its state ends it. */
  readonly until: Date | null;
}

/** A market without a book that can be trusted is asked again with its next change. That of another one is a state. */
const STALE = 'market_data_stale';
/** As many orders within a minute as there may be, counted by whole seconds. */
const RATE = 'order_rate_exceeded';
const MINUTE_MS = 61_000;

/** Shared by all watchers that never bet: most of them never do, and there are very many. */
const NONE_DENIED: ReadonlySet<string> = new Set();

/** A strategy's interest in one outcome of one market, and what it remembers between two looks at it. */
export class Watcher {
  #strategy: Strategy;
  #rules: TradingRules;
  #bench: Bench | null = null;
  /** When a price last ended a bench. */
  #movedAt: Date | null = null;
  /** The codes by which orders of its bets were denied since one was taken. */
  #denied: ReadonlySet<string> = NONE_DENIED;
  #bet: BetState = ARMED;
  /** What the market was when it skipped for what the book shows; null for any other decision. */
  #skippedAt: number | null = null;
  #firstPrice: Price | null = null;
  #isFirstPriceKept = false;
  #made: KnownBets = NONE_MADE;

  constructor(
    strategy: Strategy,
    /** The outcome that is judged. */
    readonly outcome: OutcomeSide,
  ) {
    this.#strategy = strategy;
    this.#rules = tradingRules(strategy);
  }

  get strategy(): Strategy {
    return this.#strategy;
  }

  get rules(): TradingRules {
    return this.#rules;
  }

  /** What would be bought: BACK buys the outcome, LAY its complement. */
  get buys(): OutcomeSide {
    const complement = this.outcome === 'YES' ? 'NO' : 'YES';
    return this.#rules.filter.side === 'BACK' ? this.outcome : complement;
  }

  /** The best offer of what would be bought when it was first seen; null where the rules bound the drift from one that is not on record. */
  get firstPrice(): Price | null {
    return this.keepsFirstPrice ? null : this.#firstPrice;
  }

  /** True while its first price has to be put on record before it can bet. */
  get keepsFirstPrice(): boolean {
    return this.#rules.filter.maxDrift !== null && !this.#isFirstPriceKept;
  }

  /** True once the version in force can bet no more on the outcome. */
  get isDone(): boolean {
    return isDone(this.#bet);
  }

  /** False after a bet until a condition was false: the next bet is made when conditions become true again. */
  get isArmed(): boolean {
    return isArmed(this.#bet);
  }

  /** True while a bet is being put on record. */
  get isPlacing(): boolean {
    return isPlacing(this.#bet);
  }

  /** True while it has to see every change, to find out when a condition becomes false. */
  get waitsForChange(): boolean {
    return (this.isPlacing || !this.isArmed) && !this.isDone;
  }

  /** Goes on with a new version: what was refused is asked again, and what was used up may be permitted now. */
  change(strategy: Strategy): void {
    const { buys } = this;
    this.#strategy = strategy;
    this.#rules = tradingRules(strategy);
    // The price of the other outcome says nothing of this one.
    if (this.buys !== buys) [this.#firstPrice, this.#isFirstPriceKept] = [null, false];
    this.#bench = null;
    this.#denied = NONE_DENIED;
    this.#skippedAt = null;
    this.#step({ type: 'rules_changed' });
  }

  /** Takes in the best offer that can be trusted now, and returns the one that was seen first; null before that. */
  see(offer: Price | null): Price | null {
    this.#firstPrice ??= offer;
    return this.#firstPrice;
  }

  /** Takes in the first price that is on record. */
  recall(firstPrice: Price): void {
    [this.#firstPrice, this.#isFirstPriceKept] = [firstPrice, true];
  }

  /** Whether a refused bet is not asked again yet, at this best offer and with this probability. */
  isBenched(offer: Price | null, now: Date, estimate: Estimate | null = null): boolean {
    if (this.#bench === null || this.#bench.state !== null) return this.#bench !== null;
    const { until, estimate: refusedFor } = this.#bench;
    this.moved(offer, now);
    if ((until !== null && now >= until) || refusedFor !== textOf(estimate)) this.#bench = null;
    return this.#bench !== null;
  }

  /** True while a refused bet waits for something. */
  get isHeld(): boolean {
    return this.#bench !== null;
  }

  /** The state that a refused bet waits for the end of, since when, and by which code; null where it waits for none. */
  get heldBy(): { readonly state: RefusingState; readonly since: Date; readonly code: string | null } | null {
    if (this.#bench === null || this.#bench.state === null) return null;
    const { state, since, code } = this.#bench;
    return { state, since, code };
  }

  /** When its price last moved so far that a refused bet may be asked again. */
  get movedAt(): Date | null {
    return this.#movedAt;
  }

  /** The codes by which orders of its bets were denied since one was taken. */
  get denied(): ReadonlySet<string> {
    return this.#denied;
  }

  /** Takes in the best offer of what would be bought, also where its odds are not within the bounds: a refused bet may be asked again. */
  moved(offer: Price | null, at: Date): void {
    if (this.#bench === null || this.#bench.state !== null || distance(this.#bench.offer, offer) < MOVED) return;
    this.#bench = null;
    this.#movedAt = at;
  }

  /** The state ended that its refused bet waits for. */
  release(): void {
    this.#bench = null;
  }

  /** Takes in with which code the order of its bet was denied; null for one that was taken. */
  ordered(code: string | null): void {
    this.#denied = code === null ? NONE_DENIED : new Set([...this.#denied, code]);
  }

  /** True where a look would find what it found before: the market is as it was, and time alone changes nothing. */
  wouldSkipAgain(revision: number): boolean {
    return this.#skippedAt === revision;
  }

  /** Takes in a decision without the record, at this revision of the market: why there is no bet, or null for one. */
  judged(code: BetDecision['code'], revision: number): void {
    const { signal, sizing } = this.#rules;
    const isByBook = signal === null && sizing.method !== 'dutch' && BY_THE_BOOK.includes(code);
    this.#skippedAt = isByBook ? revision : null;
    if (conditionsHold({ verdict: code === null ? 'bet' : 'skip', code }) || UNKNOWN.test(code ?? '')) return;
    this.#step({ type: 'condition_false' });
  }

  /** A bet is being put on record: what changes from now on comes after it. */
  begin(): void {
    this.#step({ type: 'begun' });
  }

  /** The bet is on record, or it is known that there is none. */
  end(): void {
    this.#step({ type: 'ended' });
  }

  /** The bets on the outcome, as far as they are known here. */
  get made(): KnownBets {
    return this.#made;
  }

  /** Takes in the bets that are on record. After a new one, the next waits until a condition was false since `begin`. */
  learn({ onOutcome, lastAt, paperResets }: KnownBets): void {
    const most = this.#rules.limits.maxBetsPerOutcome;
    const isNew = onOutcome > this.#made.onOutcome;
    const isLast = most !== null && onOutcome >= most;
    this.#made = { onOutcome, lastAt, paperResets };
    this.#step({ type: 'recorded', isNew, isLast });
  }

  /** Takes in that its rules would have bet where nothing can be filled: it counts as a bet here, and nowhere else. */
  wouldBet(at: Date): void {
    this.learn({ ...this.#made, onOutcome: this.#made.onOutcome + 1, lastAt: at });
  }

  /** The paper money began anew, so often by now: no bet is known, and what was refused is asked again. */
  beginAnew(paperResets: number): void {
    this.#made = { ...NONE_MADE, paperResets };
    this.#bench = null;
    this.#denied = NONE_DENIED;
    this.#skippedAt = null;
    this.#step({ type: 'paper_reset' });
  }

  /** When time alone may let it bet: its window opens, a cooldown ends, or a refused bet may be asked again; infinite for never. */
  readyAt({ startsAt }: Pick<Market, 'startsAt'>, now: Date): number {
    if (this.isDone) return Number.POSITIVE_INFINITY;
    const { window, limits } = this.#rules;
    const opens = startsAt === null || window.fromMs === null ? 0 : startsAt.getTime() + window.fromMs;
    const { lastAt } = this.#made;
    const cooled = lastAt === null || limits.cooldownMs === null ? 0 : lastAt.getTime() + limits.cooldownMs;
    const asked = this.#bench?.until?.getTime() ?? 0;
    const after = (at: number) => (at > now.getTime() ? at : Number.POSITIVE_INFINITY);
    return Math.min(after(opens), after(cooled), after(asked));
  }

  /**
   * Records that the record, or a limit, refused the bet at this best offer and with this probability, or that the bet waits for
   * approval. Refusals that the watcher can detect by itself are ignored, and so is the refusal of an older version.
   */
  refused(refused: RefusedBet, offer: Price | null, estimate: Estimate | null = null): void {
    const { code, at: since, strategyVersion, state = null } = refused;
    if (KNOWN_HERE.includes(code) || strategyVersion < this.#strategy.version) return;
    if (code === STALE && state === null) return;
    const lastsMs = code === RATE ? MINUTE_MS : BENCHED_MS;
    const until = state === null ? new Date(since.getTime() + lastsMs) : null;
    this.#bench = { code, state, since, offer, estimate: textOf(estimate), until };
  }

  #step(step: BetStep): void {
    this.#bet = stepBet(this.#bet, step);
  }
}

/** The distance between two prices; the greatest one where an offer came or went. */
function distance(a: Price | null, b: Price | null): bigint {
  if (a === null || b === null) return a === b ? 0n : ONE;
  return a > b ? a - b : b - a;
}

const textOf = (estimate: Estimate | null): string =>
  estimate === null ? '' : `${estimate.first.probability} ${estimate.second.probability}`;

/** Names what a strategy would buy in a market. */
export interface FirstPriceKey {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly venue: VenueName;
  readonly marketId: MarketId;
  /** What would be bought: BACK buys the outcome that is judged, LAY its complement. */
  readonly outcome: OutcomeSide;
}

/** The best offer of what a strategy would buy, when the strategy first saw it: `filter.max_drift` is measured from there. */
export interface FirstPrice extends FirstPriceKey {
  readonly price: Price;
  /** When it was seen, by the time of the markets. */
  readonly at: Date;
}

/** What a strategy would buy in a market. */
export function firstPriceKey(
  { account, id: strategyId }: Pick<Strategy, 'account' | 'id'>,
  { venue, id: marketId }: Pick<Market, 'venue' | 'id'>,
  outcome: OutcomeSide,
): FirstPriceKey {
  return { account, strategyId, venue, marketId, outcome };
}

/** One text for each key. */
export const firstPriceName = ({ account, strategyId, venue, marketId, outcome }: FirstPriceKey): string =>
  JSON.stringify([account, strategyId, venue, marketId, outcome]);
