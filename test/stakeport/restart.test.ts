import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { createStakeport, formatMicro } from '../../src/index.js';
import { migratedSqliteFile } from '../support/databases.js';
import { aMarket, CONDITION, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';

it('a restarted program never fills paper orders again from shares already taken', async () => {
  const file = await migratedSqliteFile();
  /** The program on a book with 90 at one half. */
  const started = async () => {
    const clock = new ManualTimeline();
    const marketData = new ScriptedMarket(aMarket(), clock, '0.40x10', '0.50x90');
    return { clock, ...createStakeport({ ledger: await openSqlLedger(file.url), marketData, clock }) };
  };
  const first = await started();
  const placing = first.orders.place({ account: 'me', market: CONDITION, outcome: 'YES', price: '0.5', usdc: 125 });
  const placed = placing.then(() => true);
  while (!(await Promise.race([placed, setImmediate(false)]))) await first.clock.pass(50);
  const { id, filled } = await placing;
  expect(formatMicro(filled.shares)).toBe('90');
  await first.close();
  for (const _restart of [1, 2]) {
    const next = await started();
    expect(await next.recover()).toMatchObject({ adopted: 1, failures: [] });
    expect(formatMicro((await next.orders.get('me', id)).filled.shares)).toBe('90');
    await next.close();
  }
  file.remove();
});
