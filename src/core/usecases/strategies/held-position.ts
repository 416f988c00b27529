import type { PositionKey } from '../../account/position.js';
import type { MarketRef } from '../../market/venue.js';
import type { Shares, Usdc } from '../../money.js';
import type { Strategy } from '../../strategy/strategy.js';

/** What a strategy holds of an outcome, and how it came to it. */
export interface HeldPosition extends MarketRef {
  /** The version in force. */
  readonly strategy: Strategy;
  readonly paper: boolean;
  readonly outcome: PositionKey['outcome'];
  readonly shares: Shares;
  /** What those cost, without fees. */
  readonly cost: Usdc;
  /** Paid in fees for them; absent for none. */
  readonly heldFees?: Usdc | undefined;
  /** When the first of them was bought. */
  readonly since: Date;
  /** FOK and FAK sales in a row, up to now, that sold nothing. */
  readonly tries: number;
  readonly lastTryAt: Date | null;
  /** Whether a FOK or FAK sale is at work. */
  readonly isSelling: boolean;
}

/** The part of an outcome that the strategy holds. */
export type HeldPart = Pick<HeldPosition, 'strategy' | 'paper' | 'venue' | 'marketId' | 'outcome'>;

/** Its key on record. */
export function partKey({ strategy, paper, venue, marketId, outcome }: HeldPart): PositionKey {
  return { account: strategy.account, paper, venue, marketId, outcome, strategyId: strategy.id };
}
