import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/memory-ledger.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { SignalName } from '../../../src/core/signal/signal.js';
import { tidy } from '../../../src/server/background/tidy.js';
import { ALICE, clockAt, NOON } from '../../support/builders.js';
import { aDelivery, aWebhook } from '../../support/builders-of-endpoints.js';
import { AT_ONE, aSignal } from '../../support/signals.js';
import { trading } from '../../support/trading.js';

const marketTime = { now: () => AT_ONE };

/** Takes note of what is logged, by level. */
function noting() {
  const lines: string[] = [];
  const note = (level: string) => (_: unknown, text?: unknown) => void lines.push(`${level} ${text}`);
  return { lines, logger: { debug: note('debug'), error: note('error') } };
}

test("signals expire by market time, whatever the machine's clock shows", async () => {
  const ledger = new MemoryLedger();
  const kept = aSignal({ name: 'kept' as SignalName, expiresAt: new Date(AT_ONE.getTime() + 1) });
  await ledger.signals.put([aSignal(), kept]);
  const { lines, logger } = noting();
  for (const year of ['2020', '2090']) {
    const clock = clockAt(`${year}${NOON.slice(4)}`);
    await tidy(ledger, { clock, marketTime, eventsKeepMs: null, sessions: ledger.sessions }, logger);
    expect(await ledger.signals.list(ALICE, {}, { limit: 10 })).toEqual([kept]);
  }
  expect(lines).toEqual(
    [
      ...Array.from({ length: 2 }, () => [
        'debug dropped expired idempotency keys',
        'debug dropped expired signals',
        'debug dropped ended sessions',
      ]),
    ].flat(),
  );
});

test('keys and events expire by machine time, despite failures of other deletions', async () => {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger(clock);
  await trading(ledger).submit(undefined, { idempotencyKey: 'once' });
  ledger.signals.forgetExpired = () => Promise.reject(new StorageUnavailable());
  clock.tick(31 * 86_400_000);
  const givenUp = aDelivery(aWebhook(), 1, { nextAt: null, triedAt: new Date(NOON) });
  await ledger.endpoints.deliveries.store({ put: [givenUp] });
  const before = (await ledger.log.list(ALICE, {}, { limit: 100 })).length;
  const { lines, logger } = noting();
  await tidy(ledger, { clock, marketTime, eventsKeepMs: 86_400_000, sessions: ledger.sessions }, logger);
  expect(lines).toEqual([
    'debug dropped expired idempotency keys',
    'error could not drop expired signals',
    'debug dropped ended sessions',
    'debug dropped old events',
    'debug dropped deliveries that were given up',
  ]);
  expect(await ledger.endpoints.deliveries.list({ account: ALICE, id: givenUp.endpointId }, { limit: 9 })).toEqual([]);
  expect([before > 1, (await ledger.log.list(ALICE, {}, { limit: 100 })).length]).toEqual([true, 1]);
});
