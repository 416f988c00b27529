import type { MarketId, StrategyId, VenueName } from '../../ids.js';
import { FeeMeter, wholeLots } from '../../market/fee.js';
import type { OutcomeSide } from '../../market/market.js';
import {
  least,
  microFloor,
  minus,
  NO_SHARES,
  NO_USDC,
  notional,
  ONE,
  type Price,
  parseMicro,
  plus,
  type Ratio,
  type Shares,
  type Usdc,
} from '../../money.js';
import {
  type BetInputs,
  type Candidate,
  candidateOf,
  type Proposer,
  RuleLog,
  type RuleResult,
  textOf,
} from '../conditions/candidate.js';
import {
  OFTEN_CODES,
  phaseOf,
  testBook,
  testCost,
  testHowOften,
  testMarket,
  testMatch,
  testPrice,
  testSignal,
  testWhen,
} from '../conditions/rule-tests.js';
import type { Stake } from '../price/price-of-stake.js';
import { costAt, type Ladder, oddsAt, shownOdds, yieldAt } from '../price/price-of-stake.js';
import type { Fraction, Odds } from '../rules/rule-member.js';
import { bankrollLeft, type SizedBet, sizeBet } from '../size/size-bet.js';

/**
 * Whether a strategy bets on an outcome, at what limit and with how much money: the one function that decides, for the runner, dry
 * runs, approvals and backtests alike. Pure: the same inputs give the same decision.
 *
 * Every rule that restricts is tested and listed, in this order: what the rules name, the market, the time, the book, the signal, odds and
 * edge, how often, the size, the exit. The first that is not true gives the code; a rule whose input is missing is not true. Odds and edge are tested at the best
 * level, on every level up to the limit, and on the whole stake. The size is only known where every rule before it is true. A function
 * that decides is asked once the rules before the odds are true; what it proposes is sized, bounded and counted as a bet by rules is.
 */
export function decideBet(given: BetInputs): BetDecision {
  const log = new RuleLog();
  const seen = candidateOf(given);
  const { inputs, candidate, ladder, bet } = tested(log, given, () => seen);
  return decision(log, inputs, candidate ?? seen, ladder, bet);
}

/**
 * Why there is no bet, as `decideBet` says; null for a bet. It lists nothing, and ends at the first rule that is not true: most looks at a
 * market are skips, of which the newest are asked for.
 */
export function skipCodeOf(inputs: BetInputs): string | null {
  const log = new RuleLog(true);
  const { bet } = tested(log, inputs, () => candidateOf(inputs));
  return log.code ?? (stakeOf(bet) === null ? BELOW : null);
}

/** What is decided by; null where the log was done before. */
interface Tested {
  readonly inputs: BetInputs;
  readonly candidate: Candidate | null;
  readonly ladder: Ladder | null;
  readonly bet: SizedBet | null;
}

/** Tests the rules in their order. */
function tested(log: RuleLog, given: BetInputs, candidateNow: () => Candidate): Tested {
  const nothing = { inputs: given, candidate: null, ladder: null, bet: null };
  testMatch(log, given);
  testMarket(log, given);
  testWhen(log, given);
  if (log.isDone) return nothing;
  const seen = candidateNow();
  testBook(log, given, seen);
  testSignal(log, given, seen);
  if (log.isDone) return nothing;
  const { inputs, candidate } =
    given.proposer === undefined ? { inputs: given, candidate: seen } : proposed(log, given, seen, given.proposer);
  const ladder = testPrice(log, inputs, candidate);
  testHowOften(log, inputs);
  const bet = log.code === null && ladder !== null ? sizeBet(log, inputs, candidate, ladder) : null;
  if (bet !== null) {
    testStake(log, inputs, candidate, bet);
    testExitAtOnce(log, inputs, candidate, bet.stake);
  }
  return { inputs, candidate, ladder, bet };
}

/** What a bet is decided by where a function proposes it. */
function proposed(log: RuleLog, inputs: BetInputs, candidate: Candidate, propose: Proposer) {
  const { view, ladder, buys } = candidate;
  if (log.code !== null || view === null || ladder === null) return { inputs, candidate };
  const { market, now, bets, rules } = inputs;
  const seen = { at: now, market, outcome: buys, phase: phaseOf(inputs), book: view };
  const proposal = propose({ ...seen, probability: candidate.probability, bets: bets.onOutcome });
  log.test('decide', proposal?.stake ?? null, null, proposal !== null, 'declined');
  if (proposal === null) return { inputs, candidate };
  const probability = proposal.probability ?? candidate.probability;
  const limit = proposal.limit ?? view.asks[0]?.price ?? 0n;
  const rungs = ladder.rungs.filter(({ price }) => price <= limit);
  return {
    inputs: {
      ...inputs,
      rules: { ...rules, sizing: { ...rules.sizing, method: 'flat' as const, value: proposal.stake } },
    },
    candidate: { ...candidate, probability, judged: probability, ladder: { ...ladder, rungs } },
  };
}

/** True where nothing but the number of bets, a cooldown or a refusal before keeps the strategy from betting: its conditions are true. */
export const conditionsHold = ({ verdict, code }: Pick<BetDecision, 'verdict' | 'code'>): boolean =>
  verdict === 'bet' || (code !== null && OFTEN_CODES.includes(code));

const BELOW = 'below_minimum';

function testStake(log: RuleLog, { market }: BetInputs, { bounds, probability }: Candidate, bet: SizedBet): void {
  const { stake, others, otherMarkets, limit } = bet;
  if (stake.shares > 0n) testCost(log, costOf(stake), bounds, probability, 'again');
  const minShares = market.terms?.minShares ?? 0n;
  const minNotional = market.terms?.minNotional ?? 0n;
  const money = notional(stake.ordered, limit, 'floor');
  log.test('market/min_shares', stake.ordered, minShares, stake.ordered > 0n && stake.ordered >= minShares, BELOW);
  log.test('market/min_notional', money, minNotional, money >= minNotional, BELOW);
  for (const [index, other] of others.entries()) {
    const least = otherMarkets[index]?.terms?.minShares ?? 0n;
    const isEnough = other.ordered > 0n && other.ordered >= least;
    if (!isEnough) log.test('sizing/dutch/min_shares', other.ordered, least, false, BELOW);
  }
}

/** What is bet; null where it buys nothing. */
const stakeOf = (bet: SizedBet | null): Stake | null => (bet === null || bet.stake.shares === 0n ? null : bet.stake);

/** What a share of the whole stake costs. */
const costOf = ({ cost, shares }: Stake): Ratio => ({ n: cost, d: shares });

function decision(
  log: RuleLog,
  inputs: BetInputs,
  candidate: Candidate,
  ladder: Ladder | null,
  bet: SizedBet | null,
): BetDecision {
  const subject = subjectOf(log, inputs, candidate, bet);
  const { probability } = candidate;
  const { side } = inputs.rules.filter;
  const [best] = candidate.ladder?.rungs ?? [];
  const stake = stakeOf(bet);
  const atBest = best === undefined || candidate.ladder === null ? null : costAt(candidate.ladder, best);
  const cost = stake === null ? atBest : costOf(stake);
  const odds = cost === null ? null : shownOdds(oddsAt(cost, side), side);
  const edge = cost === null || probability === null ? null : microFloor(yieldAt(cost, probability));
  const boundBy = bet?.boundBy ?? null;
  if (log.code !== null || bet === null || stake === null || odds === null || ladder === null)
    return skipped(subject, log.code ?? BELOW, odds, edge, boundBy);
  return {
    ...subject,
    verdict: 'bet',
    code: null,
    price: bet.limit,
    size: stake.size,
    shares: stake.shares,
    cost: stake.cost,
    odds,
    edge,
    boundBy: bet.boundBy,
    slot: (inputs.bets.lastSlot ?? inputs.bets.onOutcome) + 1,
  };
}

/** Written member by member, as `inputTexts`. */
function skipped(
  subject: DecisionSubject,
  code: string,
  odds: Skip['odds'],
  edge: Skip['edge'],
  boundBy: Skip['boundBy'],
): DecisionSubject & Skip {
  return {
    at: subject.at,
    strategyId: subject.strategyId,
    strategyVersion: subject.strategyVersion,
    marketId: subject.marketId,
    venue: subject.venue,
    token: subject.token,
    outcomeLabel: subject.outcomeLabel,
    question: subject.question,
    event: subject.event,
    probability: subject.probability,
    inputs: subject.inputs,
    rules: subject.rules,
    verdict: 'skip',
    code,
    price: null,
    size: null,
    shares: null,
    cost: null,
    slot: null,
    odds,
    edge,
    boundBy,
  };
}

function subjectOf(log: RuleLog, inputs: BetInputs, candidate: Candidate, bet: SizedBet | null): DecisionSubject {
  const { strategy, market, now } = inputs;
  return {
    at: now,
    strategyId: strategy.id,
    strategyVersion: strategy.version,
    marketId: market.id,
    venue: market.venue,
    token: candidate.buys,
    outcomeLabel: candidate.label,
    probability: candidate.judged,
    question: market.question,
    event: market.event?.title ?? null,
    inputs: inputTexts(inputs, candidate, bet),
    rules: log.results,
  };
}

/** Written member by member: a look has one of these, most looks are skips, and many of them are remembered. */
function inputTexts(inputs: BetInputs, { view }: Candidate, bet: SizedBet | null): DecisionInputs {
  const { market, strategy, limitsLeft } = inputs;
  const named: DecisionInputs = {
    judged: inputs.outcome,
    status: market.status,
    starts_at: textOf(market.startsAt),
    best_bid: textOf(view?.bids[0]?.price ?? null),
    best_ask: textOf(view?.asks[0]?.price ?? null),
    book_at: textOf(view?.at ?? null),
    first_price: textOf(inputs.firstPrice),
    signal_expires_at: textOf(inputs.estimate?.expiresAt ?? null),
    held_shares: textOf(inputs.held),
    stake_cap: textOf(strategy.stakeCap),
    bankroll_left: textOf(bankrollLeft(inputs)),
    committed: textOf(inputs.committed),
    free_cash: textOf(inputs.freeCash),
    venue_maximum: textOf(inputs.venueMaximum),
    most_cost: textOf(bet?.stake.most ?? null),
  };
  if (limitsLeft.length === 0) return named;
  return { ...named, ...Object.fromEntries(limitsLeft.map(({ name, left }) => [`${name}_left`, textOf(left)])) };
}

/** Every input that was seen, by its name, as text. */
export type DecisionInputs = Readonly<Record<string, string | null>>;

/** An input that is an amount; null where it was not seen. */
export function inputAmount({ inputs }: Pick<DecisionSubject, 'inputs'>, name: string): bigint | null {
  const text = inputs[name] ?? null;
  return text === null ? null : parseMicro(text);
}

/** What a decision is about: the version that decided, and what would be bought. */
export interface DecisionSubject {
  readonly at: Date;
  readonly strategyId: StrategyId;
  readonly strategyVersion: number;
  readonly marketId: MarketId;
  readonly venue: VenueName;
  /** What is bought: for LAY the complement of the outcome that was judged. */
  readonly token: OutcomeSide;
  readonly outcomeLabel: string | null;
  /** What the market asks; null where that is not known. */
  readonly question: string | null;
  /** The title of the event that the market belongs to; null where it has none. */
  readonly event: string | null;
  /** The probability of the outcome that was judged. */
  readonly probability: Fraction | null;
  readonly inputs: DecisionInputs;
  /** Every rule that restricts, in the order in which they were tested. */
  readonly rules: readonly RuleResult[];
}

/**
 * Whether a strategy bets on an outcome now, and why not. A bet is what an order of `size` at `price` gets from the book that
 * was seen: so many shares, for this cost.
 */
export type BetDecision = DecisionSubject & (Bet | Skip);

/** An order to place. */
export interface Bet {
  readonly verdict: 'bet';
  readonly code: null;
  /** The limit of the order: the worst level that the odds, the edge and the slippage permit. */
  readonly price: Price;
  /** Money at the limit, as orders have it. */
  readonly size: Usdc;
  /** What it gets from the book as it was seen. */
  readonly shares: Shares;
  /** Money out for those, with fees. */
  readonly cost: Usdc;
  /** Odds of the outcome that was judged, of the whole stake, net of fees. */
  readonly odds: Odds;
  /** Expected yield of the whole stake, net of fees; null without a probability. */
  readonly edge: Fraction | null;
  /** What kept the bet from being larger: `method`, `stake_cap`, `bankroll`, the name of a limit, `depth`, `free_cash` or `venue_maximum`. */
  readonly boundBy: string;
  /** The number of the bet on this outcome. */
  readonly slot: number;
}

/** No order. */
export interface Skip {
  readonly verdict: 'skip';
  /** Why: the first rule that was not true. */
  readonly code: string;
  readonly price: null;
  readonly size: null;
  readonly shares: null;
  readonly cost: null;
  /** At the best level, or of the whole stake where there was one; null where they are not known. */
  readonly odds: Odds | null;
  readonly edge: Fraction | null;
  readonly boundBy: string | null;
  readonly slot: null;
}

/** The rules would bet, and the tape that is played holds no book that an order could meet. */
export const NO_FILLS = 'no_fills';

/** A decision as a skip for another reason than its rules; `refusal` is the sentence of an order that was refused. */
export function skipOf(decision: BetDecision, code: string, refusal: string | null = null): BetDecision {
  const nothing = { price: null, size: null, shares: null, cost: null, slot: null };
  const inputs = refusal === null ? decision.inputs : { ...decision.inputs, refusal };
  return { ...decision, verdict: 'skip', code, ...nothing, inputs };
}

/** What is bought would be sold at once, at a loss: its exit is met by the book that it is bought from. */
const AT_ONCE = 'exit_met';

/** Whether the bids of the book that a bet buys from meet its own `stop`, or a price to take profit at. Without bids neither is known to. */
function testExitAtOnce(
  log: RuleLog,
  { rules, market }: Pick<BetInputs, 'rules' | 'market'>,
  { view }: Pick<Candidate, 'view'>,
  stake: Pick<Stake, 'shares' | 'cost'>,
): void {
  const { stop, takeProfit } = rules.exit ?? {};
  const best = view?.bids[0]?.price;
  if (best === undefined || stake.shares === 0n) return;
  if (takeProfit !== undefined && 'price' in takeProfit)
    log.test('exit/take_profit', best, takeProfit.price, best < takeProfit.price, AT_ONCE);
  if (stop === undefined) return;
  if ('price' in stop) log.test('exit/stop', best, stop.price, best > stop.price, AT_ONCE);
  else {
    const gain = gainOf(rules.order.maxSlippage, market, view?.bids ?? [], stake);
    if (gain === null) return;
    log.test('exit/stop', microFloor(gain), -stop.loss, gain.n * ONE > -stop.loss * gain.d, AT_ONCE);
  }
}

/** What selling all of it now would bring beyond its cost, as a part of that, rounded as an exit is; null where nothing could be sold. */
function gainOf(
  maxSlippage: bigint | null,
  { terms, lot }: BetInputs['market'],
  bids: NonNullable<Candidate['view']>['bids'],
  { shares: bought, cost }: Pick<Stake, 'shares' | 'cost'>,
): Ratio | null {
  const [best] = bids;
  if (best === undefined || terms === null || terms.fee === null) return null;
  const meter = new FeeMeter(terms.fee, 'SELL');
  let left = wholeLots(bought, lot);
  let [shares, proceeds] = [NO_SHARES, NO_USDC];
  for (const level of bids.filter(({ price }) => maxSlippage === null || best.price - price <= maxSlippage)) {
    const taken = least(left, wholeLots(level.shares, lot));
    if (taken === 0n) continue;
    const money = notional(taken, level.price, 'floor');
    proceeds = plus(proceeds, minus(money, least(meter.charge(taken, level.price), money)));
    [left, shares] = [minus(left, taken), plus(shares, taken)];
  }
  return shares === 0n ? null : { n: proceeds * bought - cost * shares, d: cost * shares };
}
