import type { VenueName } from '../../ids.js';
import { type BookView, seenFrom } from '../../market/book.js';
import { type Market, type OutcomeRole, type OutcomeSide, outcomeOf } from '../../market/market.js';
import { isoText } from '../../moment.js';
import { formatMicro, ONE, type Price, type Shares, type Usdc } from '../../money.js';
import type { Signal } from '../../signal/signal.js';
import { usableProbability } from '../../signal/signal-check.js';
import { type Ladder, type LevelBounds, ladderOf } from '../price/price-of-stake.js';
import type { Fraction } from '../rules/rule-member.js';
import type { OutcomeChoice } from '../rules/rules.js';
import type { SkipCode } from '../rules/skip-reasons.js';
import type { TradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';

/** What would be bought: BACK buys the outcome that is judged, LAY its complement. */
export interface Candidate {
  readonly buys: OutcomeSide;
  readonly label: string | null;
  /** The book as holders of what is bought see it. */
  readonly view: BookView | null;
  /** What the signal says of the outcome that is judged, or why that cannot be used; null where the rules name none. */
  readonly estimate: ReturnType<typeof probabilityOf>;
  /** The probability of the outcome that is judged; null without one that can be used. */
  readonly judged: Fraction | null;
  /** The probability of the outcome that is bought. */
  readonly probability: Fraction | null;
  /** Null without a book or a fee. */
  readonly ladder: Ladder | null;
  readonly bounds: LevelBounds;
}

/** What these inputs would buy. */
export function candidateOf(inputs: CandidateInputs): Candidate {
  const { market, outcome, book, rules } = inputs;
  const { side } = rules.filter;
  const buys = side === 'BACK' ? outcome : otherOutcome(outcome);
  const view = book === null ? null : seenFrom(buys, book);
  const estimate = probabilityOf(inputs, outcome, book);
  const judged = estimate !== null && 'probability' in estimate ? estimate.probability : null;
  const probability = judged === null || side === 'BACK' ? judged : ONE - judged;
  const fee = market.terms?.fee ?? null;
  const ladder = view === null || fee === null ? null : ladderOf(view.asks, fee, market.lot);
  return {
    estimate,
    buys,
    label: outcomeOf(market, buys)?.label ?? null,
    view,
    judged,
    probability,
    ladder,
    bounds: boundsOf(rules, market, probability),
  };
}

type CandidateInputs = Pick<BetInputs, 'market' | 'outcome' | 'book' | 'rules' | 'estimate' | 'now'>;

/** The probability of an outcome by a signal, or why there is none to decide with; null where the rules name no signal. */
export function probabilityOf(
  { rules, market, estimate, now }: Pick<BetInputs, 'rules' | 'market' | 'estimate' | 'now'>,
  outcome: OutcomeSide,
  book: BookView | null,
): ReturnType<typeof usableProbability> | null {
  if (rules.signal === null) return null;
  const label = outcomeOf(market, outcome)?.label ?? '';
  const mid = midFor(outcome, book);
  return usableProbability({
    signal: estimate ?? undefined,
    label,
    mid: mid === null ? null : ((mid / 2n) as Price),
    now,
  });
}

/** True of sizing that follows from a probability. */
export const needsProbability = ({ sizing }: TradingRules): boolean =>
  sizing.method === 'kelly' || sizing.method === 'edge_proportional';

/** True where there is no bet without a probability. */
export const isSignalNeeded = (rules: TradingRules): boolean =>
  rules.signal?.required === true || rules.filter.minEdge !== null || needsProbability(rules);

/**
 * True where Kelly bets on all results of a game at once. One that loses by itself may then be worth its money, as it pays when the
 * others do not.
 */
export const isJointKelly = ({ sizing, outcome, filter }: TradingRules, { exclusiveSet }: Market): boolean =>
  sizing.method === 'kelly' && outcome === 'each' && filter.side === 'BACK' && exclusiveSet !== null;

function boundsOf(rules: TradingRules, market: Market, probability: Fraction | null): LevelBounds {
  const { side, minOdds, maxOdds, minEdge } = rules.filter;
  const { maxSlippage } = rules.order;
  const needsGain = needsProbability(rules) && !isJointKelly(rules, market);
  return { side, minOdds, maxOdds, minEdge, maxSlippage, probability, needsGain };
}

/** The complement of an outcome. */
export const otherOutcome = (outcome: OutcomeSide): OutcomeSide => (outcome === 'YES' ? 'NO' : 'YES');

/** Whether an outcome is the one that rules choose; `missing` names the input without which that is not known. */
export type Chosen =
  | { readonly passed: boolean; readonly value: string | null; readonly reason?: string }
  | { readonly missing: string };

const BOTH: readonly OutcomeSide[] = ['YES', 'NO'];
const FIRST: readonly OutcomeSide[] = ['YES'];
const OPPOSITE: Readonly<Record<OutcomeRole, OutcomeRole | null>> = { home: 'away', away: 'home', draw: null };

/**
 * The outcomes of a market that rules could choose, to be judged one by one. Of a market of an exclusive set that is its first
 * alone: its second stands for all other results of the game, and is bought by LAY.
 */
export const outcomesToJudge = (choice: OutcomeChoice | null, market: Market): readonly OutcomeSide[] =>
  choice === null ? [] : BOTH.filter((outcome) => isPossible(choice, market, outcome));

function isPossible(choice: OutcomeChoice, market: Market, outcome: OutcomeSide): boolean {
  if (choice === 'each' || 'favouriteRank' in choice) return resultsOf(market).includes(outcome);
  const chosen = byMetadata(choice, market, outcome);
  return 'missing' in chosen ? outcome === 'YES' : chosen.passed;
}

/** The outcomes of a market that are results of the game. */
const resultsOf = ({ exclusiveSet }: Market): readonly OutcomeSide[] => (exclusiveSet === null ? BOTH : FIRST);

/**
 * Whether the rules choose the outcome that is judged. A label has to be exactly one of the market's, in any case of letters. A
 * role is what the market's first outcome stands for; the second is the other team in a moneyline of two outcomes without a set, and
 * nothing else. Ranks go by mid price over all results of the game, highest first; equal mids have no rank.
 */
export function chosenOutcome(
  choice: OutcomeChoice,
  { market, outcome, book, others }: Pick<BetInputs, 'market' | 'outcome' | 'book' | 'others'>,
): Chosen {
  if (choice === 'each') return { passed: resultsOf(market).includes(outcome), value: outcome };
  if (!('favouriteRank' in choice)) return byMetadata(choice, market, outcome);
  if (!resultsOf(market).includes(outcome)) return { passed: false, value: null };
  const mids = market.exclusiveSet === null ? midsOfBoth(book) : midsOfSet(book, others);
  if (mids === null) return { missing: 'books' };
  const own = market.exclusiveSet === null && outcome === 'NO' ? mids[1] : mids[0];
  if (own === undefined) return { missing: 'books' };
  const rank = 1 + mids.filter((mid) => mid > own).length;
  const isTied = mids.filter((mid) => mid === own).length > 1;
  const passed = !isTied && rank === choice.favouriteRank;
  return { passed, value: `${rank}`, ...(isTied && { reason: 'another outcome has the same mid price' }) };
}

type ByMetadata = Exclude<OutcomeChoice, 'each' | { readonly favouriteRank: number }>;

function byMetadata(choice: ByMetadata, market: Market, outcome: OutcomeSide): Chosen {
  if ('label' in choice) return byLabel(choice.label, market, outcome);
  if ('index' in choice) return { passed: outcome === BOTH[choice.index], value: outcome === 'YES' ? '0' : '1' };
  if (market.role === null) return { missing: 'role' };
  const role = outcome === 'YES' ? market.role : roleOfSecond(market, market.role);
  return { passed: role === choice.role, value: role };
}

function roleOfSecond({ exclusiveSet, kind }: Market, role: OutcomeRole): OutcomeRole | null {
  return exclusiveSet === null && kind === 'moneyline' ? OPPOSITE[role] : null;
}

function byLabel(label: string, { outcomes }: Market, outcome: OutcomeSide): Chosen {
  if (outcomes === null) return { missing: 'outcomes' };
  const labels = outcomes.map((one) => one.label);
  const isWanted = (text: string) => text.toLowerCase() === label.toLowerCase();
  const value = labels[outcome === 'YES' ? 0 : 1] ?? '';
  const isOne = labels.filter(isWanted).length === 1;
  return { passed: isOne && isWanted(value), value };
}

/** Twice the mid price of the first outcome; null without both sides. */
function midOf(book: BookView | null): bigint | null {
  const [bid, ask] = [book?.bids[0], book?.asks[0]];
  return bid === undefined || ask === undefined ? null : bid.price + ask.price;
}

function midsOfBoth(book: BookView | null): readonly bigint[] | null {
  const mid = midOf(book);
  return mid === null ? null : [mid, 2n * ONE - mid];
}

/** The mid prices of a set of markets, the judged one first; null unless every market of the set has one. */
function midsOfSet(book: BookView | null, others: readonly SetMember[]): readonly bigint[] | null {
  const mids = [midOf(book), ...others.map(({ book: other }) => (other?.fresh === true ? midOf(other) : null))];
  const known = mids.filter((mid) => mid !== null);
  return others.length > 0 && known.length === mids.length ? known : null;
}

/** Twice the mid price of this outcome; null without both sides. */
const midFor = (outcome: OutcomeSide, book: BookView | null): bigint | null =>
  midOf(book === null ? null : seenFrom(outcome, book));

/** One rule of a decision, tested: null where an input that it needs is missing. */
export interface RuleResult {
  /** Where the rule is: `filter/min_odds`. */
  readonly rule: string;
  /** What was found, as text: a decimal, a moment, a name; null where that is not known. */
  readonly value: string | null;
  readonly bound: string | null;
  readonly passed: boolean | null;
}

/** Micro-units, a count, a moment or a text. */
export type InputValue = bigint | number | string | Date | boolean | null;

/** An input as its text on record: micro-units are decimals, moments ISO 8601. */
export function textOf(value: InputValue): string | null {
  if (typeof value === 'bigint') return amountText(value);
  if (value instanceof Date) return isoText(value);
  return value === null ? null : `${value}`;
}

const MOST_KEPT = 4096;
const kept = new Map<bigint, string>();

/** The shared text of an amount: the same prices and bounds recur in every evaluation, and many evaluations are remembered. */
function amountText(amount: bigint): string {
  const known = kept.get(amount);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const text = formatMicro(amount);
  kept.set(amount, text);
  return text;
}

/** A span of time as decimal seconds. */
export const secondsOf = (ms: number): bigint => BigInt(ms) * 1000n;

/** The rules of one decision, in the order in which they were tested. The first that is not true says why there is no bet. */
export class RuleLog {
  readonly results: RuleResult[] = [];
  /** Null while every rule is true. */
  code: string | null = null;

  constructor(
    /** Where only the code is wanted, nothing is listed. */
    readonly isBrief = false,
  ) {}

  /** True where no rule after this one changes what is wanted. */
  get isDone(): boolean {
    return this.isBrief && this.code !== null;
  }

  /** `code` says why there is no bet where the rule is not true. */
  test(rule: string, value: InputValue, bound: InputValue, passed: boolean, code: SkipCode): void {
    if (!passed) this.code ??= code;
    if (!this.isBrief) this.results.push({ rule, value: textOf(value), bound: textOf(bound), passed });
  }

  /** The rule cannot be tested without this input, and so is not true. */
  missing(rule: string, bound: InputValue, input: string): void {
    this.code ??= `input_missing:${input}`;
    if (!this.isBrief) this.results.push({ rule, value: null, bound: textOf(bound), passed: null });
  }

  /** Replaces the result of a rule that was tested by that for the bet as it is sized now. */
  again(rule: string, value: InputValue, passed: boolean, code: SkipCode): void {
    if (!passed) this.code ??= code;
    if (this.isBrief) return;
    const at = this.results.findIndex((one) => one.rule === rule);
    const before = this.results[at];
    if (before !== undefined) this.results[at] = { ...before, value: textOf(value), passed };
  }
}

/** A version of a strategy as far as a decision needs it; its rules come beside it, with every default filled in. */
export type DecidingStrategy = Pick<Strategy, 'id' | 'version' | 'bankrollCap' | 'stakeCap' | 'isPaused'>;

/** What a signal says of both outcomes of a market. */
export type Estimate = Pick<Signal, 'first' | 'second' | 'expiresAt'>;

/** Another market of the exclusive set: its first outcome is another result of the same game. */
export interface SetMember {
  readonly market: Market;
  /** In terms of its first outcome. */
  readonly book: BookView | null;
  readonly estimate: Estimate | null;
}

/** What one limit leaves for one more purchase. */
export interface LimitLeft {
  /** Such as `event_loss_usdc`; a bet that it bounds says so by this name. */
  readonly name: string;
  /** The most that the purchase may take out if its outcome does not win; null where that could not be read, and then nothing is bet. */
  readonly left: Usdc | null;
  /** The most that it may take out, less what its shares pay, if each pays one half, */
  readonly ifSplit?: Usdc;
  /** or if its outcome wins. */
  readonly ifWon?: Usdc;
  /** True where it bounds the worth of each order at its limit price instead. */
  readonly isSize?: true;
}

/** The bets that the strategy has made; null where it is not known, such as those on the event of a market without one. */
export interface BetsMade {
  /** Slots used on this outcome, by any version of the strategy. */
  readonly onOutcome: number;
  /** The highest number of those slots, where a reset of the paper account has freed some; absent, there are as many. */
  readonly lastSlot?: number;
  readonly onMarket: number;
  readonly onEvent: number | null;
  readonly today: number;
  /** Neither given up nor settled. */
  readonly open: number;
  /** The time of the last bet on this outcome; null without one. */
  readonly lastAt: Date | null;
  /** True once a condition was false since the last one: a bet is made when conditions become true, not while they are. */
  readonly rearmed: boolean;
}

/** What is known of an outcome that may be bought: by this a function decides in place of odds, edge and sizing. */
export interface SeenOutcome {
  readonly at: Date;
  /** As its venue describes it at that moment. */
  readonly market: Market;
  /** What would be bought. */
  readonly outcome: OutcomeSide;
  /** `in_play` from the start of the game, or once the venue says so; null where no start is known. */
  readonly phase: 'pre' | 'in_play' | null;
  /** As holders of the outcome see it: to buy is to take from `asks`. */
  readonly book: BookView;
  /** By the signal that the rules name; null where it says nothing, or they name none. */
  readonly probability: Fraction | null;
  /** Bets of the strategy on the outcome. */
  readonly bets: number;
}

/** What a function would bet: this much money with fees, at no worse a price. */
export interface Proposal {
  readonly stake: Usdc;
  /** Null for no worse price than the best one. */
  readonly limit: Price | null;
  /** How probable the function holds the outcome; null where it does not say. */
  readonly probability: Fraction | null;
}

/** A function that decides: null for no bet. It may be asked twice at a moment, and answers the same then. */
export type Proposer = (seen: SeenOutcome) => Proposal | null;

/** Everything that a decision is made of, from one moment: nothing is fetched in it. */
export interface BetInputs {
  readonly strategy: DecidingStrategy;
  readonly rules: TradingRules;
  readonly market: Market;
  /** Where rules that name no venue bet; null or absent where only markets are judged that the rules name. */
  readonly defaultVenue?: VenueName | null | undefined;
  /** The outcome to judge: BACK would buy it, LAY its complement. */
  readonly outcome: OutcomeSide;
  /** In terms of the market's first outcome. */
  readonly book: BookView | null;
  /** All other markets of the market's exclusive set; none where it has no set. */
  readonly others: readonly SetMember[];
  /** By the signal that the rules name; null where it says nothing of the market. */
  readonly estimate: Estimate | null;
  /** What the strategy holds of what would be bought. */
  readonly held: Shares;
  /** What the account holds, or may still buy, of the other outcome, where it may not hold both; absent elsewhere. */
  readonly otherHeld?: Shares | undefined;
  /** The money that the strategy has in shares and in orders that may buy some. */
  readonly committed: Usdc;
  readonly freeCash: Usdc;
  /** What each limit leaves: first that of the server, then those of the strategy, then those of the account. */
  readonly limitsLeft: readonly LimitLeft[];
  /** The most that one order may be at the venue; null without a bound. */
  readonly venueMaximum: Usdc | null;
  readonly bets: BetsMade;
  /** True while a refused bet is not asked again. */
  readonly benched: boolean;
  /** The best offer of what would be bought when the strategy first judged it. */
  readonly firstPrice: Price | null;
  readonly now: Date;
  /** Decides in place of odds, edge and sizing; absent, the rules do. */
  readonly proposer?: Proposer | undefined;
}
