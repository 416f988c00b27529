import { describe, expect, it } from 'vitest';
import { ReduceForNow } from '../../../../src/core/usecases/trading/background/reduce-for-now.js';
import { ALICE } from '../../../support/builders.js';
import { fixture } from './trading-fixture.js';

const SILENT = { code: 'feed_silent', reason: 'No market was heard of for 90 s' } as const;
const MINUTE = 60_000;

describe('While a server cannot trust its data', () => {
  it('real money is reducing only, paper continues, and the reason is recorded', async () => {
    const { ledger, clock, trading, sends, read } = await fixture();
    await new ReduceForNow(ledger, clock).execute(SILENT);
    expect((await trading.place()).refusal).toBeNull();
    expect((await sends()).refusal).toEqual({
      code: 'trading_reducing',
      message: expect.stringContaining('by service since 2026-03-01T12:00:00.000Z: No market was heard of for 90 s.'),
    });
    const { states } = await read.now(ALICE);
    expect(states).toMatchObject([{ scope: 'service', state: 'reducing', stops: 'live', code: 'feed_silent' }]);
  });

  it('the state ends by itself two minutes after the last report', async () => {
    const { ledger, clock, sends } = await fixture();
    const reduce = new ReduceForNow(ledger, clock);
    for (let minute = 0; minute < 5; minute += 1) {
      await reduce.execute(SILENT);
      clock.tick(MINUTE);
      expect((await sends()).refusal?.code).toBe('trading_reducing');
    }
    clock.tick(MINUTE);
    expect((await sends()).refusal).toBeNull();
  });

  it('the history gets at most one change per minute', async () => {
    const { ledger, clock, read } = await fixture();
    const reduce = new ReduceForNow(ledger, clock);
    for (let second = 0; second < 120; second += 10) {
      await reduce.execute(SILENT);
      clock.tick(10_000);
    }
    expect((await read.history('service', { limit: 10 })).items).toHaveLength(2);
  });

  it('two reasons are recorded separately', async () => {
    const { ledger, clock, read } = await fixture();
    const reduce = new ReduceForNow(ledger, clock);
    await reduce.execute(SILENT);
    await reduce.execute({ code: 'clock_off', reason: 'The clock is 9 s behind' });
    expect((await read.now(ALICE)).states.map(({ code }) => code)).toEqual(['feed_silent', 'clock_off']);
  });
});
