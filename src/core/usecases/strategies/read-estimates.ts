import type { SignalSource } from '../../../ports/signals.js';
import type { Market } from '../../market/market.js';
import type { SignalName } from '../../signal/signal.js';
import type { Estimate, SetMember } from '../../strategy/conditions/bet-inputs.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { MarketScene } from '../../strategy/watch/market-scene.js';

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
