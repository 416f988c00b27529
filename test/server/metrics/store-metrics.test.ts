import { describe, expect, test } from 'vitest';
import { Metrics } from '../../../src/adapters/http/index.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { ApprovalId, StrategyId } from '../../../src/core/ids.js';
import type { OrderStep } from '../../../src/core/ledger/event-log.js';
import { RecentSkips } from '../../../src/core/strategy/record/recent-skips.js';
import { createLogger } from '../../../src/server/http/log.js';
import { StoreMetrics } from '../../../src/server/metrics/store-metrics.js';
import { ALICE, aDraft } from '../../support/builders.js';
import { aBet } from '../../support/builders-of-bets.js';
import { Trading } from '../../support/trading.js';

/** A store in memory that is watched, what the metrics say of it, and what was logged. */
function fixture() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (text) => void lines.push(JSON.parse(text)) });
  const metrics = new Metrics();
  const watch = new StoreMetrics(metrics, logger);
  const trader = new Trading(new MemoryLedger(undefined, watch));
  const shown = async (name: string) => {
    const { text } = await metrics.read();
    return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  };
  return { lines, metrics, watch, trader, shown };
}

describe('Of orders, the metrics show', () => {
  test('counts by status and refusal, by venue and mode, never by account', async () => {
    const { trader, shown, metrics } = fixture();
    await trader.place();
    await trader.place();
    const { id } = await trader.strategy({ ...aDraft(), stakeCap: 1_000_000n as never });
    await trader.place({ strategyId: id });
    expect(await shown('stakeport_orders_total')).toEqual([
      'stakeport_orders_total{status="pending",venue="none",mode="paper"} 3',
      'stakeport_orders_total{status="filled",venue="none",mode="paper"} 2',
      'stakeport_orders_total{status="denied",venue="none",mode="paper"} 1',
    ]);
    expect(await shown('stakeport_order_refusals_total')).toEqual([
      'stakeport_order_refusals_total{code="stake_cap_exceeded",status="denied",mode="paper"} 1',
    ]);
    expect((await metrics.read()).text).not.toContain(ALICE);
  });

  test('a limited number of label combinations, whatever refusal codes venues use', async () => {
    const { trader, watch, shown } = fixture();
    const order = await trader.place();
    for (let n = 0; n < 600; n += 1) {
      const refusal = { code: `reason_${n}`, message: 'No.' };
      const step: OrderStep = { order: { ...order, refusal }, status: 'rejected', isNew: false };
      watch.stored({ orders: [step], decisions: [] });
    }
    const refusals = await shown('stakeport_order_refusals_total');
    expect(refusals).toHaveLength(501);
    expect(refusals.at(-1)).toBe('stakeport_order_refusals_total{code="other",status="other",mode="other"} 100');
  });
});

test('the metrics show decisions by verdict and rule, skips once recorded', async () => {
  const { watch, shown } = fixture();
  const [bet, sale] = [aBet(), aBet({ slot: null as never, boundBy: 'exit/stop' })];
  const proposal = aBet({ orderId: null, approvalId: 'an approval' as ApprovalId });
  watch.stored({ orders: [], decisions: [bet, bet, sale, proposal] });
  const skips = new RecentSkips();
  watch.countSkips(skips);
  skips.count(ALICE, { strategyId: 's' as StrategyId, code: 'filter/min_odds', at: new Date(0) });
  skips.count(ALICE, { strategyId: 't' as StrategyId, code: 'filter/min_odds', at: new Date(0) });
  const before = await shown('stakeport_decisions_total');
  skips.counted(skips.takeCounts());
  expect(await shown('stakeport_decisions_total')).toEqual([
    'stakeport_decisions_total{verdict="bet",rule="stake_cap"} 2',
    'stakeport_decisions_total{verdict="exit",rule="exit/stop"} 1',
    'stakeport_decisions_total{verdict="proposed",rule="stake_cap"} 1',
    'stakeport_decisions_total{verdict="skip",rule="filter/min_odds"} 2',
  ]);
  expect(before).toHaveLength(3);
});

test('the metrics show database errors by kind and the write groups', async () => {
  const { watch, shown } = fixture();
  watch.failed('conflict');
  watch.committed(3, 4);
  watch.committed(1, 40);
  expect(await shown('stakeport_database_errors_total')).toEqual([
    'stakeport_database_errors_total{kind="conflict"} 1',
    'stakeport_database_errors_total{kind="refused"} 0',
    'stakeport_database_errors_total{kind="unavailable"} 0',
    'stakeport_database_errors_total{kind="broken"} 0',
  ]);
  expect(await shown('stakeport_commit_writes_sum')).toEqual(['stakeport_commit_writes_sum 4']);
  expect(await shown('stakeport_commit_duration_seconds_count')).toEqual(['stakeport_commit_duration_seconds_count 2']);
  expect(await shown('stakeport_commit_duration_seconds_sum')).toEqual(['stakeport_commit_duration_seconds_sum 0.044']);
});

describe('The log has a line for', () => {
  test('each later status of an order, with its code and venue id', async () => {
    const { trader, watch, lines } = fixture();
    const order = await trader.place();
    const refusal = { code: 'not_enough_funds', message: 'The wallet has 3 of 20.' };
    const rejected = { ...order, refusal, venueOrderId: '0xabc' };
    watch.stored({ orders: [{ order, status: 'filled', isNew: false }], decisions: [] });
    watch.stored({ orders: [{ order: rejected, status: 'rejected', isNew: false }], decisions: [] });
    expect(lines).toMatchObject([
      { msg: 'order', account: ALICE, order: order.id, orderStatus: 'filled', paper: true, venue: 'none' },
      { msg: 'order', orderStatus: 'rejected', code: 'not_enough_funds', venueOrderId: '0xabc' },
    ]);
    expect(lines[0]).not.toHaveProperty('code');
    expect(JSON.stringify(lines)).not.toContain('The wallet has');
  });

  test('an order placed by a strategy, but none placed by a request', async () => {
    const { trader, watch, lines } = fixture();
    const order = await trader.place();
    expect(lines).toEqual([]);
    watch.stored({ orders: [{ order, status: 'filled', isNew: true }], decisions: [aBet({ orderId: order.id })] });
    expect(lines).toMatchObject([{ msg: 'order', order: order.id, orderStatus: 'filled' }]);
  });
});
