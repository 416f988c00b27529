import type { MarketId } from '../../../../src/core/ids.js';
import type { LimitsChange } from '../../../../src/core/limits/limits.js';
import type { Market } from '../../../../src/core/market/market.js';
import { aMarket, NOON, usdc } from '../../../support/builders.js';
import { aMarket as aTermedMarket } from '../../../support/scripted-market.js';

/** Limits as they are set first. */
export const HIGH = {
  marketLossUsdc: usdc('6'),
  eventLossUsdc: usdc('8'),
  exposureUsdc: usdc('10'),
  dailyStakeUsdc: usdc('40'),
  openOrders: 4,
  ordersPerMinute: 12,
} satisfies LimitsChange;
/** Limits after they were lowered. */
export const LOW = {
  marketLossUsdc: usdc('3'),
  eventLossUsdc: usdc('4'),
  exposureUsdc: usdc('5'),
  dailyStakeUsdc: usdc('10'),
  openOrders: 2,
  ordersPerMinute: 4,
} satisfies LimitsChange;
/** Limits of one strategy. */
export const OWN = { eventLoss: usdc('4'), dailyLoss: usdc('2'), maxBetsPerDay: 5, bankrollCap: usdc('7') };

/** In millionths, what a taker pays of shares × price × (1 − price). */
export const FEE = 50_000n;

/** What the venue says of the three markets of a game: exactly one of them wins, one of them or another does, or that is not known. */
export const TELLS = ['whole', 'open', 'unknown'] as const;
/** One of these. */
export type Tells = (typeof TELLS)[number];
const ROLES = ['home', 'draw', 'away'] as const;

/** The three markets of a game, and one by itself. */
export function marketsAs(tells: Tells): readonly Market[] {
  const { terms } = aTermedMarket({ fee: { rate: FEE, exponent: 1, takerOnly: false, asOf: new Date(NOON) } });
  const game = ROLES.map((role) =>
    aMarket({
      id: role as string as MarketId,
      terms,
      exclusiveSet: tells === 'unknown' ? null : 'game',
      role: tells === 'whole' ? role : null,
      event: { id: 'game', slug: null, title: null },
    }),
  );
  return [...game, aMarket({ id: 'other' as MarketId, terms, event: { id: 'other', slug: null, title: null } })];
}
