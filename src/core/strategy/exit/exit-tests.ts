import { ONE } from '../../money.js';
import type { RuleLog } from '../conditions/rule-log.js';
import { microFloor, type Ratio } from '../price/ratio.js';
import type { Fraction } from '../rules/rules.js';
import type { ExitInputs, Offered } from './exit-inputs.js';

/** Tests every condition of `exit`: `passed` says that it is true. `offered` is null without bids that can be believed. */
export function testExit(
  log: RuleLog,
  inputs: ExitInputs,
  offered: Offered | null,
  probability: Fraction | null,
): void {
  const { exit } = inputs.rules;
  if (exit === null) return;
  testPrices(log, inputs, offered);
  testMoments(log, inputs);
  if (exit.edgeBelow === undefined) return;
  const rule = 'exit/edge_below';
  if (probability === null) log.missing(rule, exit.edgeBelow, 'probability');
  else if (offered === null || offered.proceeds === 0n) log.missing(rule, exit.edgeBelow, 'bids');
  else {
    const { shares, proceeds } = offered;
    const edge: Ratio = { n: probability * shares - proceeds * ONE, d: proceeds * ONE };
    log.test(rule, microFloor(edge), exit.edgeBelow, edge.n * ONE < exit.edgeBelow * edge.d, HOLD);
  }
}

/** Nothing is refused by a condition that is not true: it holds on. */
const HOLD = 'hold';

function testPrices(log: RuleLog, { rules, position }: ExitInputs, offered: Offered | null): void {
  const { takeProfit, stop } = rules.exit ?? {};
  const gain = offered === null || offered.shares === 0n ? null : gainOf(offered, position);
  if (takeProfit !== undefined) {
    const rule = 'exit/take_profit';
    if ('price' in takeProfit) testPrice(log, rule, offered, takeProfit.price, (best, at) => best >= at);
    else if (gain === null) log.missing(rule, takeProfit.gain, 'bids');
    else log.test(rule, microFloor(gain), takeProfit.gain, gain.n * ONE >= takeProfit.gain * gain.d, HOLD);
  }
  if (stop === undefined) return;
  const rule = 'exit/stop';
  if ('price' in stop) testPrice(log, rule, offered, stop.price, (best, at) => best <= at);
  else if (gain === null) log.missing(rule, -stop.loss, 'bids');
  else log.test(rule, microFloor(gain), -stop.loss, gain.n * ONE <= -stop.loss * gain.d, HOLD);
}

function testPrice(
  log: RuleLog,
  rule: string,
  offered: Offered | null,
  at: bigint,
  isReached: (best: bigint, at: bigint) => boolean,
): void {
  if (offered === null) log.missing(rule, at, 'bids');
  else log.test(rule, offered.best, at, isReached(offered.best, at), HOLD);
}

/** What selling would bring beyond the cost of what is sold, as a part of that cost. */
const gainOf = ({ shares, proceeds }: Offered, position: ExitInputs['position']): Ratio | null =>
  position.cost === 0n ? null : { n: proceeds * position.shares - position.cost * shares, d: position.cost * shares };

function testMoments(log: RuleLog, { rules, market, position, now }: ExitInputs): void {
  const { beforeStartMs, afterMs } = rules.exit ?? {};
  if (beforeStartMs !== undefined) {
    const rule = 'exit/before_start';
    if (market.startsAt === null) log.missing(rule, null, 'starts_at');
    else testMoment(log, rule, now, new Date(market.startsAt.getTime() - beforeStartMs));
  }
  if (afterMs !== undefined) testMoment(log, 'exit/after', now, new Date(position.since.getTime() + afterMs));
}

const testMoment = (log: RuleLog, rule: string, now: Date, from: Date): void =>
  log.test(rule, now, from, now >= from, HOLD);
