import { seenFrom } from '../../market/book.js';
import type { OutcomeSide } from '../../market/market.js';
import type { Price } from '../../money.js';
import type { BetInputs } from '../../strategy/conditions/bet-inputs.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { MarketScene } from '../../strategy/watch/market-scene.js';
import type { PossibleBet, Standing } from './bet-scope.js';
import type { Estimates } from './read-estimates.js';

/** An outcome that a strategy judges, and all that is seen of it from outside of the record. */
export interface Judgement {
  readonly strategy: Strategy;
  readonly scene: MarketScene;
  /** The outcome to judge. */
  readonly outcome: OutcomeSide;
  readonly estimates: Estimates;
  /** The best offer when the strategy first saw it; null where it is not known. */
  readonly firstPrice: BetInputs['firstPrice'];
  /** Whether a condition was false since the last bet on the outcome, */
  readonly rearmed: boolean;
  /** which was the one of this number: if there was a later one, it is not known. Absent: whichever was the last. */
  readonly knownBets?: number;
  readonly benched: boolean;
  /** When the price last moved so far that what was refused may be asked again; null or absent where it is not known. */
  readonly movedAt?: Date | null;
  /** The codes by which orders of this bet were denied before: one that is denied so again is not put on record again. */
  readonly denied?: ReadonlySet<string>;
}

/** What decides: the judgement, and what is on record. */
export function betInputs(judgement: Judgement, standing: Standing, now: Date): BetInputs {
  const { strategy, scene, estimates, rearmed, knownBets } = judgement;
  const { bets } = standing;
  const isRearmed = rearmed && (knownBets ?? bets.onOutcome) === bets.onOutcome;
  return {
    strategy,
    rules: tradingRules(strategy),
    market: scene.market,
    outcome: judgement.outcome,
    book: scene.book,
    others: estimates.others,
    estimate: estimates.estimate,
    held: standing.held,
    committed: standing.committed,
    freeCash: standing.freeCash,
    limitsLeft: standing.limitsLeft,
    // No venue that is known tells one. It stays in the decision for one that does, whose market would bring it.
    venueMaximum: null,
    bets: { ...bets, rearmed: isRearmed },
    benched: judgement.benched,
    firstPrice: judgement.firstPrice,
    now,
  };
}

/** The best offer of what would be bought; null without one. */
export function bestOffer({ book }: Pick<MarketScene, 'book'>, buys: OutcomeSide): Price | null {
  return book === null ? null : (seenFrom(buys, book).asks[0]?.price ?? null);
}

/** What the judgement would buy: BACK the outcome, LAY its complement. */
export function possibleBet({
  strategy,
  scene,
  outcome,
}: Pick<Judgement, 'strategy' | 'scene' | 'outcome'>): PossibleBet {
  const complement = outcome === 'YES' ? 'NO' : 'YES';
  const buys = strategy.rules.filter.side === 'BACK' ? outcome : complement;
  return { strategy, market: scene.market, buys, paper: strategy.automationPaper };
}
