import { NO_USDC, ONE, type Shares, type Usdc } from '../../money.js';
import type { BetInputs, LimitLeft } from '../conditions/bet-inputs.js';
import { mostSteps, type Stake, type Stakes } from '../price/price-of-stake.js';
import type { Fraction } from '../rules/rules.js';
import type { TradingRules } from '../rules/trading-rules.js';

/** What may not be exceeded by the orders of one bet: the one judged first, then, of a dutch bet, those on the other outcomes. */
export interface Cap {
  readonly name: string;
  readonly allows: (orders: readonly Stake[]) => boolean;
}

/** An order, and the cap that one step more would have broken. */
export interface Sized {
  readonly stake: Stake;
  /** Of a dutch bet, those on the other outcomes. */
  readonly others: readonly Stake[];
  readonly boundBy: string;
}

/** The money that is still free of the bankroll: the basis of what is sized by a fraction. */
export const bankrollLeft = ({ strategy, committed }: Pick<BetInputs, 'strategy' | 'committed'>): Usdc =>
  committed >= strategy.bankrollCap ? NO_USDC : ((strategy.bankrollCap - committed) as Usdc);

const sum = (orders: readonly Stake[], part: 'cost' | 'most'): bigint =>
  orders.reduce((all, one) => all + one[part], 0n);

/** What a method has to know: the free bankroll, the probability of what is bought, and 1 USDC in the parts of exact costs. */
interface Sums {
  readonly basis: Usdc;
  readonly probability: Fraction | null;
  readonly whole: bigint;
}

/**
 * The stake of a method that needs no Kelly, always as money out with fees. flat, fixed_liability and dutch: the value. fixed_fraction:
 * that part of the free bankroll. to_win: what wins the value, W·c/(1 − c), before the fee is rounded. edge_proportional: that part of the
 * free bankroll, times the expected yield of the whole stake over `referenceEdge`, at most 1.
 */
export function methodCap({ method, value, referenceEdge }: TradingRules['sizing'], sums: Sums): Cap {
  const { basis, whole } = sums;
  const name = 'method';
  const part = value * basis;
  const spends = (orders: readonly Stake[]) => sum(orders, 'cost');
  if (method === 'to_win')
    return { name, allows: (orders) => orders.every(({ shares, exact }) => shares * whole - exact <= value * whole) };
  if (method === 'fixed_fraction') return { name, allows: (orders) => spends(orders) * ONE <= part };
  if (method !== 'edge_proportional') return { name, allows: (orders) => spends(orders) <= value };
  const gain = ({ shares, exact }: Stake) => (sums.probability ?? 0n) * shares * whole - exact * ONE;
  const isWorth = (stake: Stake) => stake.exact ** 2n * referenceEdge * ONE <= part * whole * gain(stake);
  return { name, allows: (orders) => orders.every((stake) => stake.cost * ONE <= part && isWorth(stake)) };
}

/** At most these shares, as Kelly has them. */
export const kellyCap = (most: Shares): Cap => ({
  name: 'method',
  allows: (orders) => orders.every(({ shares }) => shares <= most),
});

/**
 * What bounds every bet, in the order in which it is named: the stake cap as orders are held to it; the bankroll left, each limit and the free
 * cash by the most that the orders could take out; the depth of the levels that may be bought; the venue's maximum.
 */
export function capsOf(inputs: BetInputs, depth: Cap): readonly Cap[] {
  const { strategy, limitsLeft, freeCash, venueMaximum } = inputs;
  const noMore = (name: string, left: Usdc): Cap => ({ name, allows: (orders) => sum(orders, 'most') <= left });
  const noLarger = (name: string, most: Usdc): Cap => ({
    name,
    allows: (orders) => orders.every(({ size }) => size <= most),
  });
  return [
    noLarger('stake_cap', strategy.stakeCap),
    noMore('bankroll', bankrollLeft(inputs)),
    ...limitsLeft.map((limit) => (limit.isSize ? noLarger(limit.name, limit.left ?? NO_USDC) : limitCap(limit))),
    depth,
    noMore('free_cash', freeCash),
    ...(venueMaximum === null ? [] : [noLarger('venue_maximum', venueMaximum)]),
  ];
}

/** What one limit leaves, as `workingRisk` counts an order: whatever the result, filled where that hurts. */
function limitCap({ name, left, ifSplit, ifWon }: LimitLeft): Cap {
  const lost = (orders: readonly Stake[], pays: bigint) =>
    orders.reduce((all, { most, ordered }) => all + atLeastNothing(most - (ordered * pays) / ONE), 0n);
  const allows = (orders: readonly Stake[]) =>
    lost(orders, 0n) <= (left ?? NO_USDC) &&
    (ifSplit === undefined || lost(orders, ONE / 2n) <= ifSplit) &&
    (ifWon === undefined || lost(orders, ONE) <= ifWon);
  return { name, allows };
}

const atLeastNothing = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

/** No more than the levels have of what each order buys. */
export const depthCap = (most: readonly Shares[]): Cap => ({
  name: 'depth',
  allows: (orders) => orders.every(({ shares }, index) => shares <= (most[index] ?? 0n)),
});

/** The largest order within all caps, rounded down; the first of them that a step more would break bounds it. */
export function sized(stakes: Stakes, caps: readonly Cap[]): Sized {
  return largest(stakes.tooMany, (steps) => [stakes.at(steps)], caps);
}

/** The largest orders with as many shares of each outcome, within all caps. */
export function sizedAlike(
  legs: readonly [Stakes, ...Stakes[]],
  lot: Shares,
  most: Shares,
  caps: readonly Cap[],
): Sized {
  const [own, ...others] = legs;
  const alike = (lots: bigint): Orders => {
    const shares = (lots * lot) as Shares;
    return [own.ofShares(shares), ...others.map((leg) => leg.ofShares(shares))];
  };
  const { stake, boundBy } = largest(most / lot + 2n, alike, caps);
  const order = (leg: Stakes) => leg.at(mostSteps(leg.tooMany, (count) => leg.at(count).shares <= stake.shares));
  return { stake: order(own), others: others.map(order), boundBy };
}

type Orders = readonly [Stake, ...Stake[]];

function largest(tooMany: bigint, ordersOf: (steps: bigint) => Orders, caps: readonly Cap[]): Sized {
  const steps = mostSteps(tooMany, (count) => {
    const orders = ordersOf(count);
    return caps.every(({ allows }) => allows(orders));
  });
  const oneMore = ordersOf(steps + 1n);
  const bound = caps.find(({ allows }) => !allows(oneMore));
  const [stake, ...others] = ordersOf(steps);
  return { stake, others, boundBy: bound?.name ?? 'depth' };
}
