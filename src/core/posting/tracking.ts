import { type Position, tracked } from '../account/position.js';
import {
  movedRisk,
  NO_GROUP,
  NOTHING_WORKING,
  type PriceCounts,
  type RiskGroup,
  type WorkingRisk,
} from '../limits/risk.js';
import { NO_SHARES, NO_USDC, type Usdc } from '../money.js';
import type { Exposure } from '../strategy/strategy.js';
import { afterResult, entriesWithin, MOST_ENTRIES, NOTHING_BET } from '../strategy/strategy-counted.js';

/** The position, with what its market belongs to. */
export const grouped = (position: Position, group: RiskGroup): Position => ({
  ...position,
  risk: { group, working: position.risk?.working ?? NOTHING_WORKING },
});

/** The position after what one of its working orders may lose went from `before` to `after`. */
export function withMoved(position: Position, before: WorkingRisk, after: WorkingRisk): Position {
  const { group, working } = position.risk ?? { group: NO_GROUP, working: NOTHING_WORKING };
  return tracked(position, { group, working: movedRisk(working, before, after) });
}

/**
 * The same of the part of a strategy. Orders that were working when this began to be kept are not among its sums, which never
 * fall below nothing: what is missing then is found in what the strategy has at work.
 */
export function partWithMoved(position: Position, before: WorkingRisk, after: WorkingRisk): Position {
  const moved = withMoved(position, before, after);
  if (moved.risk === undefined) return moved;
  const { orders, selling, lost, split, won } = moved.risk.working;
  if (orders >= 0 && selling >= 0n && lost >= 0n && split >= 0n && won >= 0n) return moved;
  return tracked(position, { ...moved.risk, working: atLeastNothing(moved.risk.working) });
}

function atLeastNothing({ orders, selling, lost, split, won, bids, asks }: WorkingRisk): WorkingRisk {
  return {
    orders: Math.max(orders, 0),
    selling: selling > 0n ? selling : NO_SHARES,
    lost: positive(lost),
    split: positive(split),
    won: positive(won),
    bids: bids.filter(isSome),
    asks: asks.filter(isSome),
  };
}

const isSome = ([, orders]: PriceCounts[number]): boolean => orders > 0;
const positive = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);

/** The part of a strategy after one of its purchases began to fill. */
export const entered = (part: Position, at: Date): Position => ({
  ...part,
  entries: [...entriesWithin(part.entries ?? [], at), at.getTime()].slice(-MOST_ENTRIES),
});

/** What a strategy has at work, with what trading brought it, or, negative, cost it. */
export function withResult(exposure: Exposure, brought: Usdc): Exposure {
  const { counted = NOTHING_BET } = exposure;
  return brought === 0n ? exposure : { ...exposure, counted: afterResult(counted, brought) };
}
