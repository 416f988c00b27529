import { type BookView, seenFrom } from '../../market/book.js';
import { type Market, type OutcomeSide, outcomeOf } from '../../market/market.js';
import { ONE, type Price } from '../../money.js';
import { usableProbability } from '../../signal/signal-check.js';
import { type Ladder, type LevelBounds, ladderOf } from '../price/ladder.js';
import type { Fraction } from '../rules/rules.js';
import type { TradingRules } from '../rules/trading-rules.js';
import type { BetInputs } from './bet-inputs.js';
import { midFor } from './choose-outcome.js';

/** What would be bought: BACK buys the outcome that is judged, LAY its complement. */
export interface Candidate {
  readonly buys: OutcomeSide;
  readonly label: string | null;
  /** The book as holders of what is bought see it. */
  readonly seen: BookView | null;
  /** What the signal says of the outcome that is judged, or why that cannot be used; null where the rules name none. */
  readonly estimate: ReturnType<typeof probabilityOf>;
  /** Of the outcome that is judged; null without one that can be used. */
  readonly judged: Fraction | null;
  /** Of what is bought. */
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
  const seen = book === null ? null : seenFrom(buys, book);
  const estimate = probabilityOf(inputs, outcome, book);
  const judged = estimate !== null && 'probability' in estimate ? estimate.probability : null;
  const probability = judged === null || side === 'BACK' ? judged : ONE - judged;
  const fee = market.terms?.fee ?? null;
  const ladder = seen === null || fee === null ? null : ladderOf(seen.asks, fee, market.lot);
  return {
    estimate,
    buys,
    label: outcomeOf(market, buys)?.label ?? null,
    seen,
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
