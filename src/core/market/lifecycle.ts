import { NO_USDC, ONE, type Shares, type Usdc } from '../money.js';

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

/** What one share of the first and of the second outcome pays. Both together pay 1. */
export type Payout = readonly [yes: Usdc, no: Usdc];

/** The first outcome won. */
export const YES_WON: Payout = [ONE as Usdc, NO_USDC];
/** The second outcome won. */
export const NO_WON: Payout = [NO_USDC, ONE as Usdc];
/** Neither won: each share pays one half. On this venue a void pays this way; it does not refund stakes. */
export const SPLIT: Payout = [(ONE / 2n) as Usdc, (ONE / 2n) as Usdc];

/** What one source says about the result. */
export interface ResolutionClaim {
  /** Names the source; two claims of one source are one. */
  readonly source: string;
  readonly status: 'proposed' | 'disputed' | 'final';
  readonly payout: Payout | null;
}

/** True where both together pay 1, and none less than nothing. */
export function isPayout([yes, no]: readonly [bigint, bigint]): boolean {
  return yes + no === ONE && yes >= 0n && no >= 0n;
}

/** True when both pay the same. */
export const samePayout = (a: Payout, b: Payout): boolean => a[0] === b[0] && a[1] === b[1];

/**
 * The payout that so many independent sources call final, while no final one pays otherwise and none is disputed; null until then. Where a venue's prices
 * may be taken for a result that was only proposed, one source alone is not enough.
 */
export function confirmedPayout(claims: readonly ResolutionClaim[], sources = 2): Payout | null {
  const final = new Map<string, Payout>();
  for (const { source, status, payout } of claims) {
    if (status === 'final' && payout !== null && isPayout(payout)) final.set(source, payout);
  }
  const [first, ...others] = final.values();
  if (first === undefined || final.size < sources || claims.some(({ status }) => status === 'disputed')) return null;
  return others.every((payout) => samePayout(payout, first)) ? first : null;
}

/** What these shares are paid, rounded down to the micro-unit. */
export function payoutFor(shares: Shares, perShare: Usdc): Usdc {
  return ((shares * perShare) / ONE) as Usdc;
}
