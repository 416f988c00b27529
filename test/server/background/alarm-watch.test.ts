import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { SERVICE } from '../../../src/core/account/account.js';
import type { MarketId } from '../../../src/core/ids.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { RaiseAlarms } from '../../../src/core/usecases/alarms/background/raise-alarms.js';
import { ReadAlarms } from '../../../src/core/usecases/alarms/read-alarms.js';
import { AlarmWatch, type WatchedParts } from '../../../src/server/background/alarm-watch.js';
import { ResultBooking } from '../../../src/server/background/result-booking.js';
import { StorageHealth } from '../../../src/server/background/storage-health.js';
import { createLogger } from '../../../src/server/http/log.js';
import { ok, warning } from '../../../src/settings/check.js';
import { ALICE, clockAt, NOON } from '../../support/builders.js';

const SECOND = 1000;
const MB = 1_000_000n;

/** A server on a store that can be taken away. */
function fixture(parts: Partial<WatchedParts> = {}) {
  const ledger = new MemoryLedger();
  const clock = clockAt(NOON);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  let isGone = false;
  const ping = async () => {
    if (isGone) throw new Error('disk full');
  };
  const storage = new StorageHealth({ ping }, logger, clock);
  const live = { unknown: [], late: [] };
  const raise = new RaiseAlarms(ledger, clock, [ALICE]);
  const watch = new AlarmWatch(
    raise,
    { storage, live, results: { late: null }, recording: { trouble: null }, disk: null, wallets: [], ...parts },
    logger,
  );
  const raised = async () =>
    (await new ReadAlarms(ledger).execute(ALICE, true)).map(({ kind, subject, detail }) => ({ kind, subject, detail }));
  const told = async () => {
    const events = await ledger.log.list(SERVICE, {}, { limit: 100 });
    return events.map(({ type }) => type);
  };
  const passes = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) {
      clock.tick(10 * SECOND);
      await watch.look();
    }
  };
  const lose = (gone: boolean) => {
    isGone = gone;
  };
  return { ledger, clock, watch, lines, raised, told, passes, lose };
}

describe('A server', () => {
  it('reports a storage outage afterwards, once, with its start and end', async () => {
    const { passes, lose, raised, told, lines } = fixture();
    await passes(10);
    lose(true);
    await passes(60);
    expect(await told()).toEqual([]);
    expect(lines.filter((line) => line.includes('storage takes no writes'))).toHaveLength(1);
    lose(false);
    await passes(30);
    const detail = 'Storage took no writes from 2026-03-01T12:00:20.000Z to 2026-03-01T12:01:20.000Z.';
    expect(await raised()).toEqual([{ kind: 'storage_trouble', subject: '', detail }]);
    await passes(300);
    expect(await told()).toEqual(['alarm.raised', 'alarm.cleared']);
  });

  it('raises an alarm for less than 500 MB of free disk', async () => {
    let free = 500n * MB;
    const { passes, raised, told } = fixture({ disk: { folder: 'data', free: async () => free } });
    await passes(60);
    expect(await raised()).toEqual([]);
    free = 499n * MB;
    await passes(300);
    const detail = 'The disk of the database has 499 MB left.';
    expect(await raised()).toEqual([{ kind: 'disk_low', subject: '', detail }]);
    free = 600n * MB;
    await passes(130);
    expect(await told()).toEqual(['alarm.raised', 'alarm.cleared']);
  });

  it('raises an alarm of its own while recording has stopped', async () => {
    const recording: { trouble: string | null } = { trouble: null };
    const { passes, raised, told } = fixture({ recording });
    await passes(60);
    expect(await raised()).toEqual([]);
    recording.trouble = 'the recordings in tapes take 100 MB, of 100 MB that they may take';
    await passes(300);
    const detail = `Recording has stopped: ${recording.trouble}.`;
    expect(await raised()).toEqual([{ kind: 'disk_low', subject: 'tapes', detail }]);
    recording.trouble = null;
    await passes(130);
    expect(await told()).toEqual(['alarm.raised', 'alarm.cleared']);
  });

  it('raises an alarm for results that cannot be booked for a minute', async () => {
    const market = { venue: NO_VENUE, marketId: 'will-it-rain' as MarketId };
    const found = { orders: 0, failures: [{ market, error: new Error('canceling statement due to timeout') }] };
    const clock = clockAt(NOON);
    const results = new ResultBooking(
      { execute: async () => found, nameOf: async () => 'Rain in May: Will it rain?' },
      clock,
      createLogger('silent'),
    );
    const { passes, raised, told } = fixture({ results });
    const books = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 30) {
        await results.run();
        clock.tick(30 * SECOND);
        await passes(30);
      }
    };
    await books(30);
    expect(await raised()).toEqual([]);
    await books(60);
    const detail =
      'Results of Rain in May: Will it rain? cannot be booked since 2026-03-01T12:00:00.000Z. The log says why.';
    expect(await raised()).toEqual([{ kind: 'results_late', subject: '', detail }]);
    found.failures = [];
    await books(180);
    expect(await told()).toEqual(['alarm.raised', 'alarm.cleared']);
  });

  it('raises an alarm for results still being fetched after two minutes', async () => {
    const clock = clockAt(NOON);
    const results = new ResultBooking(
      { execute: () => new Promise(() => {}), nameOf: async () => '' },
      clock,
      createLogger('silent'),
    );
    const { passes, raised } = fixture({ results });
    void results.run();
    clock.tick(119 * SECOND);
    await passes(10);
    expect(await raised()).toEqual([]);
    clock.tick(SECOND);
    await passes(10);
    expect(await raised()).toMatchObject([{ kind: 'results_late' }]);
  });

  it('raises one alarm for a venue whose orders are reconciled late', async () => {
    const live = { unknown: [], late: ['polymarket'] };
    const { passes, raised, told } = fixture({ live });
    await passes(300);
    expect(await raised()).toMatchObject([{ kind: 'reconciliation_late', subject: 'polymarket' }]);
    live.late = [];
    await passes(130);
    expect(await told()).toEqual(['alarm.raised', 'alarm.cleared']);
  });

  it("keeps the doctor's findings at its start as alarms while it runs", async () => {
    const broken = { level: 'missing', words: 'The allowance is 0.' } as const;
    const examine = (checks: readonly (typeof broken | ReturnType<typeof ok>)[]) => ({
      venue: 'polymarket',
      wallet: { examine: async () => ({ checks, collateral: null }) },
    });
    const { passes, raised, told, ledger, clock } = fixture({ wallets: [examine([ok('Fine.'), broken])] });
    await passes(30);
    const found = [{ kind: 'doctor', subject: 'polymarket', detail: 'The allowance is 0.' }];
    expect(await raised()).toEqual(found);
    const well = new AlarmWatch(
      new RaiseAlarms(ledger, clock, []),
      {
        storage: { complaint: async () => null, lastOutage: null },
        live: { unknown: [], late: [] },
        results: { late: null },
        recording: { trouble: null },
        disk: null,
        wallets: [examine([ok('Fine.'), warning('It is late.')])],
      },
      createLogger('silent'),
    );
    await well.look();
    await passes(300);
    await well.look();
    expect([await raised(), await told()]).toEqual([found, ['alarm.raised']]);
    // The server that found it is stopped, and finds nothing when it is started again.
    clock.tick(130 * SECOND);
    await well.look();
    expect(await told()).toEqual(['alarm.raised', 'alarm.cleared']);
  });

  it('goes on when an alarm cannot be raised, and says so once', async () => {
    const free = () => Promise.resolve(0n);
    const { passes, ledger, lines, told } = fixture({ disk: { folder: 'data', free } });
    const write = ledger.write.bind(ledger);
    Object.assign(ledger, { write: () => Promise.reject(new Error('busy')) });
    await passes(60);
    expect(lines.filter((line) => line.includes('could not raise alarms'))).toHaveLength(1);
    Object.assign(ledger, { write });
    await passes(10);
    expect(await told()).toEqual(['alarm.raised']);
  });
});
