import { confirmedPayout, type ResolutionClaim } from './resolution.js';

/** Every state of a market, in the order of a life. */
export const MARKET_STATUSES = [
  'upcoming',
  'open',
  'in_play',
  'suspended',
  'closed',
  'resolving',
  'disputed',
  'resolved',
  'amended',
] as const;

/** Where a market stands. */
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** What a venue reports of a market, from which its status follows. */
export interface MarketFacts {
  readonly acceptingOrders: boolean;
  /** From when on orders are accepted; null when the venue does not report it. */
  readonly acceptsFrom: Date | null;
  readonly closed: boolean;
  readonly startsAt: Date | null;
  /** The venue says that the game is on, which may be before `startsAt`. */
  readonly live: boolean;
  readonly claims: readonly ResolutionClaim[];
  /** How many of them have to agree on a result; two where it is absent. */
  readonly sources?: number;
  /** The result was confirmed before with another payout. */
  readonly amended: boolean;
}

/** The status that follows from the facts: one pure function, so that it is the same everywhere. */
export function marketStatus(facts: MarketFacts, now: Date): MarketStatus {
  const { acceptingOrders, acceptsFrom, closed, startsAt, live, claims, sources, amended } = facts;
  if (confirmedPayout(claims, sources) !== null) return amended ? 'amended' : 'resolved';
  if (claims.some(({ status }) => status === 'disputed')) return 'disputed';
  if (claims.length > 0) return 'resolving';
  if (closed) return 'closed';
  if (!acceptingOrders) return acceptsFrom !== null && acceptsFrom > now ? 'upcoming' : 'suspended';
  return live || (startsAt !== null && startsAt <= now) ? 'in_play' : 'open';
}
