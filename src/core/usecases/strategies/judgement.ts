import type { SignalSource } from '../../../ports/signals.js';
import { seenFrom } from '../../market/book.js';
import type { Market, OutcomeSide } from '../../market/market.js';
import type { Price } from '../../money.js';
import type { SignalName } from '../../signal/signal.js';
import type { BetInputs, Estimate, SetMember } from '../../strategy/conditions/candidate.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { MarketScene } from '../../strategy/watch/watched-market.js';
import type { PossibleBet, Standing } from './bet-scope.js';

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

/** What the model of a strategy says of a market, and of the other results of its game. */
export interface Estimates {
  readonly estimate: Estimate | null;
  readonly others: readonly SetMember[];
}

/** Without a model there is no estimate. */
export const unestimated = ({ others }: Pick<MarketScene, 'others'>): Estimates => ({
  estimate: null,
  others: others.map((other) => ({ ...other, estimate: null })),
});

/** Asks the model that the rules name; without one there is no estimate. @throws StorageUnavailable, or what the model throws */
export async function readEstimates(
  signals: SignalSource,
  { account, rules }: Pick<Strategy, 'account' | 'rules'>,
  { market, others }: MarketScene,
): Promise<Estimates> {
  const { signal } = rules;
  if (signal === undefined) return unestimated({ others });
  const ask = async (asked: Market): Promise<Estimate | null> => {
    const { venue, id: marketId } = asked;
    return (await signals.find({ account, name: signal.name as SignalName, venue, marketId, market: asked })) ?? null;
  };
  const [estimate = null, ...rest] = await Promise.all([market, ...others.map((other) => other.market)].map(ask));
  return { estimate, others: others.map((other, index) => ({ ...other, estimate: rest[index] ?? null })) };
}
