import type { Market, OutcomeRole, OutcomeSide } from '../market/market.js';
import type { MarketRef } from '../market/venue.js';
import { least, minus, NO_SHARES, NO_USDC, type Price, plus, proportion, type Shares, type Usdc } from '../money.js';

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

/** A position as far as losses go: those of a whole account, or the part of one strategy. */
export interface RiskyPosition extends MarketRef {
  readonly outcome: OutcomeSide;
  readonly shares: Shares;
  readonly cost: Usdc;
  /** Paid for the shares that are held; absent for none. */
  readonly heldFees?: Usdc | undefined;
  readonly risk?: Risk | undefined;
}

/** The least that comes out of something, less what was paid: if YES wins, if NO wins, and if each share pays one half. */
export interface Results {
  readonly yes: Usdc;
  readonly no: Usdc;
  readonly split: Usdc;
}

/** What comes out of one market. */
export interface MarketResults extends Results {
  readonly group: RiskGroup;
}

/**
 * What these positions of one market come to, with their working orders where they hurt; the first that knows its group names
 * it. A sale takes out shares with their part of what was paid: what it brings is at risk no more, before it is filled and
 * after. So a fill within its limit makes nothing worse than it counted before.
 */
export function resultsOf(positions: readonly RiskyPosition[]): MarketResults {
  let [yes, no, split] = [NO_USDC, NO_USDC, NO_USDC];
  for (const { shares, cost, heldFees = NO_USDC, outcome, risk } of positions) {
    const { working } = risk ?? { working: NOTHING_WORKING };
    const paid = plus(cost, heldFees);
    const rest = minus(shares, least(working.selling, shares));
    const restPaid = rest === shares ? paid : proportion(paid, rest, shares, 'ceil');
    const ifWon = minus(smaller(minus(dollars(shares), paid), minus(dollars(rest), restPaid)), working.won);
    const ifSplit = minus(smaller(minus(halves(shares), paid), minus(halves(rest), restPaid)), working.split);
    const ifLost = (-paid - working.lost) as Usdc;
    yes = plus(yes, outcome === 'YES' ? ifWon : ifLost);
    no = plus(no, outcome === 'YES' ? ifLost : ifWon);
    split = plus(split, ifSplit);
  }
  const groups = positions.flatMap(({ risk }) => (risk === undefined ? [] : [risk.group]));
  return { group: groups.find(isKnown) ?? groups[0] ?? NO_GROUP, yes, no, split };
}

const isKnown = ({ event, exclusiveSet, league, sport }: RiskGroup): boolean =>
  event !== null || exclusiveSet !== null || league !== null || sport !== null;

/**
 * What comes out of all markets of an exclusive set, by the result of one of them: `own`, which is among `all`. Exactly one
 * market resolves YES, maybe one that is not among them, or every share pays one half.
 */
export function resultsOfSet(all: readonly MarketResults[], own: MarketResults): Results {
  const none = sum(all.map(({ no }) => no));
  const ifWon = ({ yes, no }: Results) => plus(none, minus(yes, no));
  const others = all.filter((one) => one !== own).map(ifWon);
  const split = sum(all.map((one) => one.split));
  return {
    yes: ifWon(own),
    no: [...(isExhaustive(all.map(({ group }) => group)) ? [] : [none]), ...others].reduce(smaller),
    split,
  };
}

/** A game is won at home, away, or by nobody. A set of other markets may have one that is not among them. */
export function isExhaustive(markets: readonly Pick<RiskGroup, 'role'>[]): boolean {
  const roles = new Set(markets.map(({ role }) => role));
  return roles.has('home') && roles.has('away') && roles.has('draw');
}

/** What may be lost in the worst of these results. */
export function lossOf({ yes, no, split }: Results): Usdc {
  const worst = [no, split].reduce(smaller, yes);
  return worst < 0n ? (-worst as Usdc) : NO_USDC;
}

const dollars = (shares: Shares): Usdc => shares as bigint as Usdc;
const halves = (shares: Shares): Usdc => (shares / 2n) as Usdc;
const sum = (amounts: readonly Usdc[]): Usdc => amounts.reduce((total, amount) => plus(total, amount), NO_USDC);
const smaller = (a: Usdc, b: Usdc): Usdc => (a < b ? a : b);
