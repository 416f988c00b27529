import type { BetInputs } from './bet-inputs.js';
import type { RuleLog } from './rule-log.js';

/** Whether the market takes orders of this strategy now. */
export function testMarket(log: RuleLog, { strategy, market }: BetInputs): void {
  const { status, terms } = market;
  log.test('strategy/is_paused', strategy.isPaused, false, !strategy.isPaused, 'strategy_paused');
  if (status === null) log.missing('market/status', OPEN, 'status');
  else log.test('market/status', status, OPEN, status === 'open' || status === 'in_play', 'not_matched:status');
  if (terms === null) {
    log.missing('market/accepting_orders', true, 'terms');
    return;
  }
  const { acceptingOrders, fee } = terms;
  log.test('market/accepting_orders', acceptingOrders, true, acceptingOrders, 'market_not_accepting_orders');
  log.test('market/fee', fee === null ? null : fee.rate, null, fee !== null, 'fee_unknown');
}

const OPEN = 'open, in_play';

/**
 * Whether it is the time to bet, by the start of the game as it is known now. The game is on from its start, or once its venue says so;
 * without a start it is not known that it is not. Both ends of a window are within it.
 */
export function testWhen(log: RuleLog, { rules, market, now }: BetInputs): void {
  const { phase, window } = rules;
  const { startsAt, status } = market;
  const hasStarted = status === 'in_play' || (startsAt === null ? null : startsAt <= now);
  if (phase !== 'any') {
    const code = phase === 'pre' ? 'in_play_not_allowed' : 'not_in_play';
    if (hasStarted === null) log.missing('phase', phase, 'starts_at');
    else log.test('phase', hasStarted ? 'in_play' : 'pre', phase, hasStarted === (phase === 'in_play'), code);
  }
  testEdgeOfWindow(log, 'from', window.fromMs, 'too_early', startsAt, now);
  testEdgeOfWindow(log, 'to', window.toMs, 'too_close_to_start', startsAt, now);
}

function testEdgeOfWindow(
  log: RuleLog,
  end: 'from' | 'to',
  offsetMs: number | null,
  code: string,
  startsAt: Date | null,
  now: Date,
): void {
  if (offsetMs === null) return;
  if (startsAt === null) {
    log.missing(`window/${end}`, null, 'starts_at');
    return;
  }
  const edge = new Date(startsAt.getTime() + offsetMs);
  log.test(`window/${end}`, now, edge, end === 'from' ? now >= edge : now <= edge, code);
}
