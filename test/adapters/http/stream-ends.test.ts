import { afterEach, describe, expect, test } from 'vitest';
import type { StreamParts } from '../../../src/adapters/http/event-streams.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { AccountId, VenueName } from '../../../src/core/ids.js';
import type { Page } from '../../../src/core/ledger/query.js';
import type { MarketDataState } from '../../../src/core/market/market.js';
import type { EventPage } from '../../../src/core/usecases/accounts/read-events.js';
import { STREAM, startApp } from '../../support/app.js';
import { NOON, usdc } from '../../support/builders.js';
import { EventReader } from '../../support/event-reader.js';
import type { Client } from '../../support/http.js';

const readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

function follow(client: Client, query = ''): EventReader {
  const reader = new EventReader(client, STREAM + query);
  readers.push(reader);
  return reader;
}

/** A log without end, which costs nothing to read. */
class EndlessLog {
  bytes = 0;

  async range() {
    return { first: 1, last: 1_000_000_000 };
  }

  async page(_: AccountId, __: unknown, { after = 0, limit }: Page<number>): Promise<EventPage> {
    const venue = 'x'.repeat(1000) as VenueName;
    const data = { kind: 'cash', moved: { paper: false, venue, amount: usdc('1') } } as const;
    const items = Array.from({ length: limit }, (___, n) => {
      return { id: 'an id', seq: after + n + 1, type: 'cash.deposited', at: new Date(NOON), data } as const;
    });
    this.bytes += items.length * venue.length;
    return { items, next: after + limit, head: 1_000_000_000 };
  }
}

/** A server takes a second. */
const TICK_MS = 50;

async function fixture(streams: Partial<StreamParts> = {}, stalledMs?: number) {
  const ledger = new MemoryLedger();
  const app = await startApp({
    ledger,
    authenticator: 'keys',
    streams: { tickMs: TICK_MS, ...streams },
    ...(stalledMs !== undefined && { tolerance: { stalledMs } }),
  });
  return { app, ledger, alice: await app.keyed('alice', 'orders:read', 'orders:paper') };
}

const caughtUp = (reader: EventReader) => reader.of('caught_up').length > 0;
const ended = (reader: EventReader) => reader.hasEnded;
const reasonsOf = (reader: EventReader) => reader.of('bye').map(({ data }) => data['reason']);

test('streams are limited per key and per server until one ends', async () => {
  const { app, alice } = await fixture({ limits: { perKey: 2, perAccount: 64, total: 3 } });
  const bob = await app.keyed('bob', 'orders:read');
  const [first] = [await follow(alice).until(caughtUp), await follow(alice).until(caughtUp)];
  expect((await follow(alice).until(ended)).status).toBe(429);
  await follow(bob).until(caughtUp);
  const refused = await follow(bob).until(ended);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
  expect(refused.text).toContain('too-many-streams');
  first.close();
  for (let next = refused; next.status === 429; ) next = await follow(alice).until((one) => one.status > 0);
  expect(app.streams.size).toBe(3);
});

describe('a stream', () => {
  test('reports whether the service is ready, and is not refused meanwhile', async () => {
    const reasons: string[] = ['recovering orders'];
    const { alice } = await fixture({ reasons: () => reasons });
    const reader = await follow(alice).until(caughtUp);
    reasons.length = 0;
    await reader.until((one) => one.of('state').length === 2);
    expect(reader.of('state').map(({ data }) => data)).toEqual([
      { ready: false, reasons: ['recovering orders'], market_data: 'live' },
      { ready: true, reasons: [], market_data: 'live' },
    ]);
  });

  test('says what market data does, whenever that changes', async () => {
    let marketData: MarketDataState = 'waiting';
    const { alice } = await fixture({ marketData: () => marketData });
    const reader = await follow(alice).until(caughtUp);
    for (const next of ['playing', 'ended'] as const) {
      marketData = next;
      await reader.until((one) => one.of('state').at(-1)?.data['market_data'] === next);
    }
    expect(reader.of('state').map(({ data }) => data['market_data'])).toEqual(['waiting', 'playing', 'ended']);
  });

  test('is kept alive by comments, with its position when no event matches', async () => {
    const { ledger, alice } = await fixture({ keepAliveMs: 100 });
    const reader = await follow(alice, '?types=order.fill').until(caughtUp);
    const last = (await ledger.log.range('alice' as AccountId))?.last;
    await reader.until(({ text }) => text.includes(`id: ${last}\n\n`) && text.includes('\n\n:\n\n'));
    expect(reader.logged).toEqual([]);
  });

  test('ends with a bye when its time is over', async () => {
    const { alice } = await fixture({ lifeMs: 50 });
    expect(reasonsOf(await follow(alice).until(ended))).toEqual(['lifetime']);
  });

  test('is behind while its client does not read, until it catches up', async () => {
    const { app, alice } = await fixture();
    await follow(alice).until(caughtUp);
    await expect.poll(() => app.streams.behindMs).toBe(0);
    const endless = await fixture({ readEvents: new EndlessLog() });
    const stalls = follow(endless.alice);
    await stalls.until((one) => one.status === 200);
    stalls.stall();
    await expect.poll(() => endless.app.streams.behindMs).toBeGreaterThan(200);
  });

  test('ends within a second when its key is revoked, unlike others', async () => {
    const { app, ledger, alice } = await fixture();
    const [other] = [await follow(await app.keyed('alice', 'orders:read')).until(caughtUp)];
    const reader = await follow(alice).until(caughtUp);
    const [newest, oldest] = (await ledger.listKeys({ limit: 2 })).map(({ id }) => id);
    expect(newest).toBeDefined();
    const revokedAt = performance.now();
    await ledger.revokeKey(oldest ?? '', new Date());
    expect(reasonsOf(await reader.until(ended))).toEqual(['unauthenticated']);
    expect(performance.now() - revokedAt).toBeLessThan(10_000);
    await other.until((one) => one.of('key.revoked').length > 0);
    expect(other.hasEnded).toBe(false);
  });

  test('does not delay the server’s shutdown, even when nobody reads it', async () => {
    const { app, alice } = await fixture({ readEvents: new EndlessLog() });
    const [reads, stalls] = [follow(alice), follow(alice)];
    await stalls.until((one) => one.status === 200);
    stalls.stall();
    await reads.until((one) => one.logged.length > 10_000);
    const begun = performance.now();
    app.streams.end();
    await app.close(30_000);
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(reasonsOf(await reads.until(ended))).toEqual(['shutdown']);
  });
});

const STALLED = 60;
/** What the system buffers for a connection, and what the server keeps for one: a page of the log. */
const [BUFFERED, KEPT] = [16 * 1024 * 1024, 1024 * 1024];

test('streams are limited per account across keys, without affecting other accounts', async () => {
  const { app } = await fixture({ limits: { perKey: 8, perAccount: 3, total: 1000 } });
  const keys = await Promise.all([1, 2, 3, 4].map(() => app.keyed('alice', 'orders:read')));
  const opened = await Promise.all(keys.map((key) => follow(key).until((one) => caughtUp(one) || ended(one))));
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  const bob = await app.keyed('bob', 'orders:read');
  expect((await follow(bob).until(caughtUp)).status).toBe(200);
  opened.find(({ status }) => status === 200)?.close();
  await expect.poll(() => app.streams.size).toBe(3);
  expect((await follow(keys[0] ?? bob).until(caughtUp)).status).toBe(200);
});

test(`${STALLED} stalled clients cost at most a page each and are cut`, async () => {
  const log = new EndlessLog();
  const { app, alice } = await fixture(
    { limits: { perKey: 1000, perAccount: 1000, total: 1000 }, readEvents: log, tickMs: 1000 },
    1000,
  );
  const bytes = () => process.memoryUsage().arrayBuffers;
  const before = bytes();
  const stalled = Array.from({ length: STALLED }, () => follow(alice));
  for (const reader of stalled) (await reader.until((one) => one.status === 200)).stall();
  const reads = follow(alice);
  let most = 0;
  await reads.until(() => {
    most = Math.max(most, bytes() - before);
    return app.streams.size === 1;
  });
  await reads.until((one) => one.logged.length > 1000);
  expect(reads.logged.map(({ id }) => id)).toEqual(reads.logged.map((_, n) => `${n + 1}`));
  reads.close();
  expect(log.bytes - reads.text.length).toBeLessThan(STALLED * BUFFERED);
  expect(most).toBeLessThan(STALLED * KEPT);
});
