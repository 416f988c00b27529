import { afterEach, describe, expect, test } from 'vitest';
import type { StreamParts } from '../../../src/adapters/http/event-streams.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { AuthScope } from '../../../src/core/access/principal.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { AccountId } from '../../../src/core/ids.js';
import type { BookView } from '../../../src/core/market/book.js';
import { type AppOptions, EVENTS, ORDER, ORDERS, STRATEGIES, STRATEGY, STREAM, startApp } from '../../support/app.js';
import { EventReader } from '../../support/event-reader.js';
import type { Client, Headers } from '../../support/http.js';
import { aMarket, CONDITION, levels, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';

const SCOPES: readonly AuthScope[] = ['orders:read', 'orders:paper', 'strategies:write'];

const readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

function follow(client: Client, query = '', headers: Headers = {}): EventReader {
  const reader = new EventReader(client, STREAM + query, headers);
  readers.push(reader);
  return reader;
}

/** Alice, who has a log of one order, with a key. */
async function fixture(streams: Partial<StreamParts> = {}, options: AppOptions = {}) {
  const ledger = new MemoryLedger();
  const app = await startApp({ ...options, ledger, authenticator: 'keys', streams: { tickMs: 50, ...streams } });
  const alice = await app.keyed('alice', ...SCOPES);
  await alice.post(ORDERS, ORDER);
  const page = async (query = '') =>
    (await alice.get(EVENTS + query)).json<{ data: { seq: string }[]; head: string }>();
  return { app, ledger, alice, page };
}

const seqs = (reader: EventReader) => reader.logged.map(({ id }) => id);
const caughtUp = (reader: EventReader) => reader.of('caught_up').length > 0;
const ended = (reader: EventReader) => reader.hasEnded;

test('a stream sends what pages have, then each event once committed', async () => {
  const { alice, page } = await fixture();
  const reader = await follow(alice).until(caughtUp);
  const before = await page();
  expect(reader.received.map(({ event }) => event).slice(0, 2)).toEqual(['hello', 'state']);
  expect(reader.received[0]?.data).toEqual({ head: before.head, floor: '1' });
  expect(reader.logged.map(({ data }) => data)).toEqual(before.data);
  expect(reader.of('caught_up')[0]?.data).toEqual({ head: before.head });
  await alice.post(STRATEGIES, STRATEGY);
  await alice.post(ORDERS, ORDER);
  const { data, head } = await page();
  await reader.until(() => reader.logged.at(-1)?.id === head);
  expect(reader.logged.map((one) => one.data)).toEqual(data);
  for (const { id, event, data: shown } of reader.logged) expect([id, event]).toEqual([shown['seq'], shown['type']]);
  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(reader.headers).not.toHaveProperty('content-length');
  expect(reader.retryMs).toBeGreaterThanOrEqual(1000);
});

describe('a client', () => {
  test('that reconnects resumes after the last id, whatever it requests', async () => {
    const { alice, page } = await fixture();
    const rest = (await page('?after=2')).data.map(({ seq }) => seq);
    const cases: [string, Headers][] = [
      ['', { 'last-event-id': '2' }],
      ['?after=0', { 'last-event-id': '2' }],
      ['?after=2', { 'last-event-id': '' }],
    ];
    for (const [query, headers] of cases)
      expect(seqs(await follow(alice, query, headers).until(caughtUp)), query).toEqual(rest);
  });

  test('that asks for only new events gets those alone', async () => {
    const { alice, page } = await fixture();
    const { head } = await page();
    const reader = await follow(alice, '?after=head').until(caughtUp);
    expect(seqs(reader)).toEqual([]);
    expect(reader.text).toContain(`id: ${head}\n\n`);
    await alice.post(ORDERS, ORDER);
    await reader.until(() => reader.logged.length > 0);
    expect(reader.logged[0]?.id).toBe(`${Number(head) + 1}`);
  });

  test('that wants some types gets those alone, old ones and new ones', async () => {
    const { alice } = await fixture();
    await alice.post(STRATEGIES, STRATEGY);
    const reader = await follow(alice, '?types=strategy.created,order.fill').until(caughtUp);
    await alice.post(ORDERS, ORDER);
    await reader.until(() => reader.logged.length === 3);
    expect(reader.logged.map(({ event }) => event)).toEqual(['order.fill', 'strategy.created', 'order.fill']);
  });

  test('whose cursor is unknown is notified and gets the kept events', async () => {
    const { alice, page, ledger } = await fixture();
    await alice.post(ORDERS, ORDER);
    await ledger.log.forget(new Date(Date.now() + 1000));
    const { data, head } = await page();
    for (const cursor of ['1', '900']) {
      const reader = await follow(alice, '', { 'last-event-id': cursor }).until(caughtUp);
      expect(reader.of('reset').map((reset) => reset.data)).toEqual([{ floor: data[0]?.seq, head }]);
      expect(seqs(reader)).toEqual(data.map(({ seq }) => seq));
    }
  });

  test('has its own account alone', async () => {
    const { app, alice } = await fixture();
    const bob = await app.keyed('bob', ...SCOPES);
    const reader = await follow(bob).until(caughtUp);
    await alice.post(ORDERS, ORDER);
    await bob.post(STRATEGIES, STRATEGY);
    await reader.until(() => reader.logged.some(({ event }) => event === 'strategy.created'));
    expect(new Set(reader.logged.map(({ event }) => event))).toEqual(new Set(['key.created', 'strategy.created']));
  });

  test.each([
    ['?after=one', {}, 422],
    ['?types=order.fil', {}, 422],
    ['?readings=yes', {}, 422],
    ['', { 'last-event-id': 'one' }, 400],
    ['', { authorization: 'Bearer sp_no_key' }, 401],
  ])('that asks for %s with %s is refused before anything is sent', async (query, headers, status) => {
    const { alice } = await fixture();
    const reader = await follow(alice, query, headers).until(ended);
    expect([reader.status, reader.headers['content-type']]).toEqual([status, 'application/problem+json']);
  });

  test('without the scope is refused, and a HEAD ends', async () => {
    const { app, alice } = await fixture();
    expect((await follow(await app.keyed('alice', 'strategies:read')).until(ended)).status).toBe(403);
    expect((await alice.send('HEAD', STREAM)).status).toBe(200);
    expect(app.streams.size).toBe(0);
  });
});

test('the newest account readings are sent when they change, without an id', async () => {
  const { alice } = await fixture();
  const reader = await follow(alice, '?after=head&readings=1').until((one) => one.of('marks').length > 0);
  const cash = () => reader.of('equity').map(({ data }) => data['cash_usdc']);
  expect(cash()).toEqual(['999990']);
  expect(reader.of('marks')[0]?.data['marks']).toMatchObject([{ market_id: ORDER.market_id, shares: '20' }]);
  await alice.post(ORDERS, ORDER);
  await reader.until(() => cash().length > 1);
  expect(cash()).toEqual(['999990', '999980']);
  expect(reader.received.filter(({ event, id }) => ['equity', 'marks'].includes(event) && id !== undefined)).toEqual(
    [],
  );
});

test('a reading reports how old the books of held shares are', async () => {
  let book: BookView | undefined;
  class Quoted extends ScriptedMarket {
    override async book() {
      return book;
    }
  }
  const market = aMarket();
  const { alice } = await fixture({}, { markets: new Quoted(market, new ManualTimeline()) });
  await alice.post(ORDERS, { ...ORDER, market_id: CONDITION });
  const reader = await follow(alice, '?after=head&readings=1').until((one) => one.of('feed').length > 0);
  const feed = () => reader.of('feed').at(-1)?.data;
  const held = { market_id: CONDITION, venue: market.venue };
  expect(feed()).toEqual({ paper: true, markets: [{ ...held, age_ms: null, fresh: false }] });
  book = { bids: levels('0.4x10'), asks: [], at: new Date(Date.now() - 60_000), fresh: true };
  await reader.until((one) => one.of('feed').length > 2);
  const ages = reader
    .of('feed')
    .slice(1)
    .map(({ data }) => (data['markets'] as { age_ms: number }[])[0]?.age_ms ?? 0);
  expect(ages).toEqual(ages.toSorted((a, b) => a - b));
  expect(ages[0]).toBeGreaterThanOrEqual(60_000);
  expect(ages[0]).toBeLessThan(90_000);
});

test('a store that does not answer ends no stream', async () => {
  const { app, alice } = await fixture();
  const reader = await follow(alice).until(caughtUp);
  const { list } = app.ledger.log;
  app.ledger.log.list = async () => {
    throw new StorageUnavailable();
  };
  await alice.post(ORDERS, ORDER);
  await alice.post(ORDERS, ORDER);
  const last = (await app.ledger.log.range('alice' as AccountId))?.last;
  app.ledger.log.list = list;
  await reader.until(() => reader.logged.at(-1)?.id === `${last}`);
  expect(seqs(reader)).toEqual(Array.from({ length: last ?? 0 }, (_, n) => `${n + 1}`));
  expect(app.failures).toEqual([]);
});
