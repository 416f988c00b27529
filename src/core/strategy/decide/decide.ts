import { notional } from '../../money.js';
import type { BetInputs } from '../conditions/bet-inputs.js';
import { testBook } from '../conditions/book-tests.js';
import { type Candidate, candidateOf } from '../conditions/candidate.js';
import { testMatch } from '../conditions/match-tests.js';
import { testCost, testPrice, testSignal } from '../conditions/odds-tests.js';
import { OFTEN_CODES, testHowOften } from '../conditions/often-tests.js';
import { RuleLog, textOf } from '../conditions/rule-log.js';
import { testMarket, testWhen } from '../conditions/when-tests.js';
import { costAt, type Ladder } from '../price/ladder.js';
import { oddsAt, shownOdds, yieldAt } from '../price/odds.js';
import type { Stake } from '../price/price-of-stake.js';
import { microFloor, type Ratio } from '../price/ratio.js';
import { bankrollLeft } from '../size/size.js';
import { type SizedBet, sizeBet } from '../size/size-bet.js';
import type { BetDecision, DecisionSubject, InputsSeen, Skip } from './bet-decision.js';
import { testExitAtOnce } from './exit-at-once.js';

/**
 * Whether a strategy bets on an outcome, at what limit and with how much money: the one function that decides, for the runner, dry
 * runs, approvals and backtests alike. Pure: the same inputs give the same decision.
 *
 * Every rule that restricts is tested and listed, in this order: what the rules name, the market, the time, the book, the signal, odds and
 * edge, how often, the size, the exit. The first that is not true gives the code; a rule whose input is missing is not true. Odds and edge are tested at the best
 * level, on every level up to the limit, and on the whole stake. The size is only known where every rule before it is true.
 */
export function decideBet(inputs: BetInputs): BetDecision {
  const log = new RuleLog();
  const candidate = candidateOf(inputs);
  testMatch(log, inputs);
  testMarket(log, inputs);
  testWhen(log, inputs);
  testBook(log, inputs, candidate);
  testSignal(log, inputs, candidate);
  const ladder = testPrice(log, inputs, candidate);
  testHowOften(log, inputs);
  const bet = log.code === null && ladder !== null ? sizeBet(log, inputs, candidate, ladder) : null;
  if (bet !== null) {
    testStake(log, inputs, candidate, bet);
    testExitAtOnce(log, inputs, candidate, bet.stake);
  }
  return decision(log, inputs, candidate, ladder, bet);
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

/** Of a share of the whole stake. */
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
  const stake = bet === null || bet.stake.shares === 0n ? null : bet.stake;
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

/** Written member by member, as `inputsSeen`. */
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
    inputs: inputsSeen(inputs, candidate, bet),
    rules: log.results,
  };
}

/** Written member by member: a look has one of these, most looks are skips, and many of them are remembered. */
function inputsSeen(inputs: BetInputs, { seen }: Candidate, bet: SizedBet | null): InputsSeen {
  const { market, strategy, limitsLeft } = inputs;
  const named: InputsSeen = {
    judged: inputs.outcome,
    status: market.status,
    starts_at: textOf(market.startsAt),
    best_bid: textOf(seen?.bids[0]?.price ?? null),
    best_ask: textOf(seen?.asks[0]?.price ?? null),
    book_at: textOf(seen?.at ?? null),
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
