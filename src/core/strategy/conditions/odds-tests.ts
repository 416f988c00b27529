import { NO_USDC, notional, ONE, plus } from '../../money.js';
import { costAt, type Ladder, within } from '../price/ladder.js';
import { isAtLeast, isAtMost, oddsAt, shownOdds, yieldAt } from '../price/odds.js';
import { microFloor, type Ratio } from '../price/ratio.js';
import type { BetInputs } from './bet-inputs.js';
import { type Candidate, isSignalNeeded } from './candidate.js';
import type { RuleLog } from './rule-log.js';

const SIGNAL = 'signal';
const MISSING = 'input_missing:';

/**
 * Whether there is a probability where one is needed. One that is missing or has expired is no reason where none is needed; one that
 * cannot be right always is.
 */
export function testSignal(log: RuleLog, { rules }: BetInputs, { estimate }: Candidate): void {
  const { signal } = rules;
  const isNeeded = isSignalNeeded(rules);
  const name = signal?.name ?? null;
  if (estimate !== null && 'probability' in estimate) log.test(SIGNAL, estimate.probability, name, true, SIGNAL);
  else if (estimate?.code === 'implausible_signal') log.test(SIGNAL, estimate.detail, name, false, estimate.code);
  else if (!isNeeded) return;
  else if (estimate === null) log.missing(SIGNAL, name, 'probability');
  else if (estimate.code.startsWith(MISSING)) log.missing(SIGNAL, name, estimate.code.slice(MISSING.length));
  else log.test(SIGNAL, estimate.detail, name, false, estimate.code);
}

/** Whether the best level holds the odds and the edge, and how much may be bought; returns the levels that may. */
export function testPrice(
  log: RuleLog,
  { rules }: BetInputs,
  { seen, ladder, bounds, probability }: Candidate,
): Ladder | null {
  if (ladder === null || seen === null || seen.asks.length === 0) return null;
  const [best] = ladder.rungs;
  const { filter } = rules;
  if (best === undefined) {
    log.test('odds', null, ONE, false, 'odds_out_of_range');
    return null;
  }
  testCost(log, costAt(ladder, best), bounds, probability, 'test');
  const permitted = within(ladder, bounds);
  if (filter.minLiquidity !== null) {
    const money = permitted.rungs.reduce(
      (sum, { price, shares }) => plus(sum, notional(shares, price, 'floor')),
      NO_USDC,
    );
    const { minLiquidity } = filter;
    log.test('filter/min_liquidity_usdc', money, minLiquidity, money >= minLiquidity, 'liquidity_too_low');
  }
  return permitted;
}

/** The odds and the edge at what a share costs: of the best level, and then of the whole stake. */
export function testCost(
  log: RuleLog,
  cost: Ratio,
  bounds: Candidate['bounds'],
  probability: Candidate['probability'],
  how: 'test' | 'again',
): void {
  const { side, minOdds, maxOdds, minEdge, needsGain: isGainNeeded } = bounds;
  const odds = oddsAt(cost, side);
  const shown = shownOdds(odds, side);
  const test = (rule: string, value: bigint, bound: bigint, passed: boolean, code: string) =>
    how === 'test' ? log.test(rule, value, bound, passed, code) : log.again(rule, value, passed, code);
  if (minOdds !== null) test('filter/min_odds', shown, minOdds, isAtLeast(odds, minOdds), OUT_OF_RANGE);
  if (maxOdds !== null) test('filter/max_odds', shown, maxOdds, isAtMost(odds, maxOdds), OUT_OF_RANGE);
  if (probability === null) {
    if (minEdge !== null && how === 'test') log.missing('filter/min_edge', minEdge, 'probability');
    return;
  }
  const edge = yieldAt(cost, probability);
  const exact = microFloor(edge);
  if (minEdge !== null) test('filter/min_edge', exact, minEdge, edge.n * ONE >= minEdge * edge.d, NO_EDGE);
  if (isGainNeeded) test('sizing/edge', exact, 0n, edge.n > 0n, NO_EDGE);
}

const OUT_OF_RANGE = 'odds_out_of_range';
/** There is nothing to gain, or less than the rules want. */
export const NO_EDGE = 'no_edge';
