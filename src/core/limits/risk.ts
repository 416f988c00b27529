import type { Market, OutcomeRole } from '../market/market.js';
import { minus, NO_SHARES, NO_USDC, type Price, plus, type Shares, type Usdc } from '../money.js';

/** What a market belongs to, as far as losses go together; null where that is not known. */
export interface RiskGroup {
  readonly event: string | null;
  /** Of its markets exactly one resolves YES. */
  readonly exclusiveSet: string | null;
  readonly role: OutcomeRole | null;
  readonly league: string | null;
  readonly sport: string | null;
}

/** Limit prices of working orders, and how many orders have each. */
export type PriceCounts = readonly (readonly [price: Price, orders: number])[];

/**
 * What working purchases of one outcome may take from its result, each filled only where that hurts: if a share pays nothing,
 * one half, or a dollar; and the shares that working sales may take out. The sums move with the orders, step by step.
 */
export interface WorkingRisk {
  readonly orders: number;
  readonly selling: Shares;
  readonly lost: Usdc;
  readonly split: Usdc;
  readonly won: Usdc;
  readonly bids: PriceCounts;
  readonly asks: PriceCounts;
}

/** Why a position may still lose money: kept while it has shares or working orders, for an account that has limits. */
export interface Risk {
  readonly group: RiskGroup;
  readonly working: WorkingRisk;
}

/** Of a market that is not known: an event of its own. */
export const NO_GROUP: RiskGroup = { event: null, exclusiveSet: null, role: null, league: null, sport: null };

/** What a market belongs to. */
export const riskGroupOf = ({ event, exclusiveSet, role, league, sport }: Market): RiskGroup => ({
  event: event?.id ?? null,
  exclusiveSet,
  role,
  league,
  sport,
});

/** No working order. */
export const NOTHING_WORKING: WorkingRisk = {
  orders: 0,
  selling: NO_SHARES,
  lost: NO_USDC,
  split: NO_USDC,
  won: NO_USDC,
  bids: [],
  asks: [],
};

/** The sums after one order went from `before` to `after`. */
export function movedRisk(sums: WorkingRisk, before: WorkingRisk, after: WorkingRisk): WorkingRisk {
  const moved = (of: (risk: WorkingRisk) => Usdc) => plus(of(sums), minus(of(after), of(before)));
  return {
    orders: sums.orders + after.orders - before.orders,
    selling: plus(sums.selling, minus(after.selling, before.selling)),
    lost: moved(({ lost }) => lost),
    split: moved(({ split }) => split),
    won: moved(({ won }) => won),
    bids: counted(sums.bids, before.bids, after.bids),
    asks: counted(sums.asks, before.asks, after.asks),
  };
}

/** The sums of several orders. */
export const sumOfRisks = (risks: readonly WorkingRisk[]): WorkingRisk =>
  risks.reduce((sums, one) => movedRisk(sums, NOTHING_WORKING, one), NOTHING_WORKING);

/** In ascending order of prices, so that equal sums are equal records. */
function counted(sums: PriceCounts, before: PriceCounts, after: PriceCounts): PriceCounts {
  if (before.length === 0 && after.length === 0) return sums;
  const counts = new Map(sums);
  for (const [price, orders] of after) counts.set(price, (counts.get(price) ?? 0) + orders);
  for (const [price, orders] of before) counts.set(price, (counts.get(price) ?? 0) - orders);
  return [...counts].filter(([, orders]) => orders !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}
