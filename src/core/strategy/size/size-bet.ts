import type { Market, OutcomeSide } from '../../market/market.js';
import { least, NO_SHARES, ONE, plus, type Shares } from '../../money.js';
import { isWhole } from '../../signal/signal-check.js';
import type { BetInputs } from '../conditions/bet-inputs.js';
import { type Candidate, candidateOf, isJointKelly, otherOutcome } from '../conditions/candidate.js';
import { NO_EDGE } from '../conditions/odds-tests.js';
import type { RuleLog } from '../conditions/rule-log.js';
import { costAt, type Ladder, within } from '../price/ladder.js';
import { Stakes } from '../price/price-of-stake.js';
import { compareRatios, microFloor, type Ratio, ratioOf } from '../price/ratio.js';
import {
  type ExclusiveOutcome,
  kellyShares,
  reservedKellyShares,
  reserveRate,
  shrunk,
  shrunkReserve,
} from './kelly.js';
import {
  bankrollLeft,
  type Cap,
  capsOf,
  depthCap,
  kellyCap,
  methodCap,
  type Sized,
  sized,
  sizedAlike,
} from './size.js';

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

/** What the share after so many costs, and how many shares the levels up to its own have; null where they have no more. */
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
