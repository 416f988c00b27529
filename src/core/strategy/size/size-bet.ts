import type { Market, OutcomeSide } from '../../market/market.js';
import {
  compareRatios,
  least,
  microFloor,
  NO_SHARES,
  NO_USDC,
  ONE,
  plus,
  type Ratio,
  ratioOf,
  type Shares,
  type Usdc,
} from '../../money.js';
import { isWhole } from '../../signal/signal-check.js';
import {
  type BetInputs,
  type Candidate,
  candidateOf,
  isJointKelly,
  type LimitLeft,
  otherOutcome,
  type RuleLog,
} from '../conditions/candidate.js';
import { NO_EDGE } from '../conditions/rule-tests.js';
import { costAt, type Ladder, mostSteps, type Stake, Stakes, within } from '../price/price-of-stake.js';
import type { Fraction } from '../rules/rule-member.js';
import type { TradingRules } from '../rules/trading-rules.js';
import {
  type ExclusiveOutcome,
  kellyShares,
  reservedKellyShares,
  reserveRate,
  shrunk,
  shrunkReserve,
} from './kelly.js';

/** One result of a game and the levels of it that may be bought. */
interface Leg {
  readonly market: Market;
  readonly candidate: Candidate;
  /** Null where the book or the fee is not known. */
  readonly ladder: Ladder | null;
}

/** The orders of a bet, and the markets of those on other outcomes. */
export type SizedBet = Sized & { readonly limit: Stakes['limit']; readonly otherMarkets: readonly Market[] };

/** The stake that the rules size on these levels, within every cap; null where the log says why there is none. */
export function sizeBet(log: RuleLog, inputs: BetInputs, candidate: Candidate, ladder: Ladder): SizedBet | null {
  for (const { name, left } of inputs.limitsLeft) if (left === null) log.missing(`limits/${name}`, null, name);
  if (log.code !== null) return null;
  const { method } = inputs.rules.sizing;
  if (method === 'dutch') return dutched(log, inputs, candidate, ladder);
  if (method !== 'kelly') {
    const sums = { basis: bankrollLeft(inputs), probability: candidate.probability, whole: ladder.whole };
    return alone(inputs, ladder, methodCap(inputs.rules.sizing, sums));
  }
  const kelly = isJointKelly(inputs.rules, inputs.market)
    ? joint(log, inputs, candidate, ladder)
    : single(inputs, candidate, ladder);
  return kelly === null ? null : alone(inputs, kelly.ladder, kellyCap(kelly.shares));
}

function alone(inputs: BetInputs, ladder: Ladder, method: Cap): SizedBet | null {
  const stakes = stakesOf(inputs, inputs.market, ladder);
  if (stakes === null) return null;
  const caps = [method, ...capsOf(inputs, depthCap([stakes.depth]))];
  return { ...sized(stakes, caps), limit: stakes.limit, otherMarkets: [] };
}

function stakesOf({ rules }: BetInputs, { terms, lot }: Market, ladder: Ladder): Stakes | null {
  const fee = terms?.fee ?? null;
  if (terms === null || fee === null || ladder.rungs.length === 0) return null;
  return new Stakes(ladder, { lot, fee, timeInForce: rules.order.timeInForce, quoteStep: terms.quoteStep });
}

interface KellyStake {
  readonly ladder: Ladder;
  readonly shares: Shares;
}

function single(inputs: BetInputs, { probability }: Candidate, ladder: Ladder): KellyStake | null {
  const [best] = ladder.rungs;
  if (probability === null || best === undefined) return null;
  const bankroll = { basis: bankrollLeft(inputs), held: inputs.held };
  const estimate = shrunk(ratioOf(probability), inputs.rules.sizing.value, costAt(ladder, best));
  return { ladder, shares: kellyShares(ladder, bankroll, estimate) };
}

const RESERVE = 'sizing/reserve_rate';

/**
 * Kelly over all results of the game: those that may be bought are weighed by their best levels. Probabilities that sum to more than 1
 * are divided by their sum; what they leave of 1 is lost whatever is bet.
 */
function joint(log: RuleLog, inputs: BetInputs, candidate: Candidate, ladder: Ladder): KellyStake | null {
  const { rules, market, held } = inputs;
  const [best] = ladder.rungs;
  const { probability } = candidate;
  const legs = otherLegs(inputs);
  const others = legs.map((leg) => leg.candidate.probability);
  const estimates = others.filter((one) => one !== null);
  if (legs.length === 0 || legs.some((leg) => leg.ladder === null)) log.missing(RESERVE, null, 'books');
  else if (estimates.length < others.length) log.missing(RESERVE, null, 'probabilities');
  if (log.code !== null || probability === null || best === undefined) return null;
  const sum = estimates.reduce((all, one) => all + one, probability);
  log.test('signal/sum', sum, ONE, isWhole(sum), 'implausible_signal');
  const total = sum > ONE ? sum : ONE;
  const outcomes = [{ market, candidate, ladder }, ...legs].flatMap((leg) => exclusiveOutcome(leg, total));
  const reserve = reserveRate(outcomes);
  const worth = (rung: { readonly cost: bigint }) => ({ n: probability * ladder.whole, d: rung.cost * total });
  const isWorthIt = compareRatios(worth(best), reserve) > 0n;
  log.test(RESERVE, microFloor(worth(best)), microFloor(reserve), isWorthIt, NO_EDGE);
  const permitted = { ...ladder, rungs: ladder.rungs.filter((rung) => compareRatios(worth(rung), reserve) > 0n) };
  const { value } = rules.sizing;
  const estimate = shrunk({ n: probability, d: total }, value, costAt(ladder, best));
  const bankroll = { basis: bankrollLeft(inputs), held };
  if (log.code !== null) return null;
  return {
    ladder: permitted,
    shares: reservedKellyShares(permitted, bankroll, estimate, shrunkReserve(reserve, value)),
  };
}

function exclusiveOutcome({ candidate: { probability }, ladder }: Leg, total: bigint): readonly ExclusiveOutcome[] {
  const [best] = ladder?.rungs ?? [];
  if (probability === null || ladder === null || best === undefined) return [];
  return [{ probability: { n: probability, d: total }, cost: costAt(ladder, best) }];
}

const DUTCH = 'sizing/dutch';

/** As many shares of every result of the game, or none of any. */
function dutched(log: RuleLog, inputs: BetInputs, candidate: Candidate, ladder: Ladder): SizedBet | null {
  const own: Leg = { market: inputs.market, candidate, ladder };
  const others = otherLegs(inputs);
  const legs = [own, ...others];
  const ladders = legs.map((leg) => leg.ladder).filter((one) => one !== null);
  if (others.length === 0 || ladders.length < legs.length) {
    log.missing(DUTCH, null, 'books');
    return null;
  }
  const stakes = legs.map((leg) => (leg.ladder === null ? null : stakesOf(inputs, leg.market, leg.ladder)));
  const [first, ...rest] = stakes.filter((one) => one !== null);
  if (first === undefined || rest.length < others.length) {
    log.test(DUTCH, rest.length + 1, legs.length, false, 'set_incomplete');
    return null;
  }
  const cost = costOfSet(ladders);
  log.test(DUTCH, microFloor(cost), ONE, cost.n < cost.d, NO_EDGE);
  if (log.code !== null) return null;
  const depth = dutchDepth(ladders);
  const caps = [
    methodCap(inputs.rules.sizing, { basis: bankrollLeft(inputs), probability: null, whole: ladder.whole }),
    ...capsOf(inputs, depthCap(legs.map(() => depth))),
  ];
  const lot = legs.reduce((most, { market }) => (market.lot > most ? market.lot : most), NO_SHARES);
  const depths = [first, ...rest].map((one) => one.depth);
  const bound = depths.reduce(least, depth);
  return {
    ...sizedAlike([first, ...rest], lot, bound, caps),
    limit: first.limit,
    otherMarkets: others.map(({ market }) => market),
  };
}

/** The other results of the game, each with the levels that the rules permit: none of a market that takes no orders. */
function otherLegs(inputs: BetInputs): readonly Leg[] {
  const { market, outcome, book, others, rules, now } = inputs;
  const leg = (one: Pick<BetInputs, 'market' | 'outcome' | 'book' | 'estimate'>): Leg => {
    const fresh = one.book?.fresh === true ? one.book : null;
    const candidate = candidateOf({ ...one, book: fresh, rules, now });
    const { ladder, bounds } = candidate;
    const isOpen = one.market.terms?.acceptingOrders === true;
    const permitted = ladder === null ? null : isOpen ? within(ladder, bounds) : { ...ladder, rungs: [] };
    return { market: one.market, candidate, ladder: permitted };
  };
  if (market.exclusiveSet === null) return [leg({ market, outcome: otherOutcome(outcome), book, estimate: null })];
  const FIRST: OutcomeSide = 'YES';
  return others.map((other) => leg({ ...other, outcome: FIRST }));
}

/** What one share of each outcome costs together, at the best levels; below 1, that is less than they pay. */
function costOfSet(ladders: readonly Ladder[]): Ratio {
  return sumOf(
    ladders.map((ladder) => (ladder.rungs[0] === undefined ? { n: 1n, d: 1n } : costAt(ladder, ladder.rungs[0]))),
  );
}

/**
 * How many shares of each outcome can be bought while one more share of each still costs less than 1 together. A dutch bet has as many
 * shares of each, so that it pays the same whichever wins: stakes are as the costs, s = S·c/Σc.
 */
function dutchDepth(ladders: readonly Ladder[]): Shares {
  for (let bought = NO_SHARES; ; ) {
    const next = ladders.map((ladder) => stepAfter(ladder, bought)).filter((step) => step !== null);
    const { n, d } = sumOf(next.map(({ cost }) => cost));
    if (next.length < ladders.length || n >= d) return bought;
    bought = next.map(({ until }) => until).reduce(least);
  }
}

/** The cost of the next share after `bought`, and the shares of all levels up to its own; null past the last level. */
function stepAfter(ladder: Ladder, bought: Shares): { readonly cost: Ratio; readonly until: Shares } | null {
  let until = NO_SHARES;
  for (const rung of ladder.rungs) {
    until = plus(until, rung.shares);
    if (until > bought) return { cost: costAt(ladder, rung), until };
  }
  return null;
}

const sumOf = (parts: readonly Ratio[]): Ratio =>
  parts.reduce((sum, part) => ({ n: sum.n * part.d + part.n * sum.d, d: sum.d * part.d }), { n: 0n, d: 1n });

/** What may not be exceeded by the orders of one bet: the one judged first, then, of a dutch bet, those on the other outcomes. */
export interface Cap {
  readonly name: string;
  readonly allows: (orders: readonly Stake[]) => boolean;
}

/** An order, and the cap that one step more would have broken. */
export interface Sized {
  readonly stake: Stake;
  /** The stakes of a dutch bet on the other outcomes. */
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
function methodCap({ method, value, referenceEdge }: TradingRules['sizing'], sums: Sums): Cap {
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
const kellyCap = (most: Shares): Cap => ({
  name: 'method',
  allows: (orders) => orders.every(({ shares }) => shares <= most),
});

/**
 * What bounds every bet, in the order in which it is named: the stake cap as orders are held to it; the bankroll left, each limit and the free
 * cash by the most that the orders could take out; the depth of the levels that may be bought; the venue's maximum.
 */
function capsOf(inputs: BetInputs, depth: Cap): readonly Cap[] {
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
const depthCap = (most: readonly Shares[]): Cap => ({
  name: 'depth',
  allows: (orders) => orders.every(({ shares }, index) => shares <= (most[index] ?? 0n)),
});

/** The largest order within all caps, rounded down; the first of them that a step more would break bounds it. */
function sized(stakes: Stakes, caps: readonly Cap[]): Sized {
  return largest(stakes.tooMany, (steps) => [stakes.at(steps)], caps);
}

/** The largest orders with as many shares of each outcome, within all caps. */
function sizedAlike(legs: readonly [Stakes, ...Stakes[]], lot: Shares, most: Shares, caps: readonly Cap[]): Sized {
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
