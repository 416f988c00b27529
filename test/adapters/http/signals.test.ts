import { beforeAll, describe, expect, test } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/index.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { type RunningApp, SIGNALS, startApp } from '../../support/app.js';
import type { Client, Reply } from '../../support/http.js';
import { aGame } from '../../support/signals.js';

/** Games between the Bucks and the Thunder, each under its id, except those that are not there. */
class Games extends NoMarketData {
  override async find(id: MarketId): Promise<Market> {
    return id.startsWith('unknown') ? super.find(id) : aGame(id, { venue: this.venue });
  }
}

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const EXPIRES = inHours(2);
const says = (more: object = {}) => ({ probabilities: { Bucks: 0.57 }, expires_at: EXPIRES, ...more });
const at = (market: string, more: object = {}) => ({ market_id: market, ...says(more) });
const errorsOf = (reply: Reply) => reply.json<{ errors: { pointer: string; detail: string }[] }>().errors;
const pointersOf = (reply: Reply) => errorsOf(reply).map(({ pointer }) => pointer);

let app: RunningApp;
let client: Client;

beforeAll(async () => {
  app = await startApp({ markets: new Games() });
  client = app.client.as({ 'x-dev-user': 'alice' });
});

describe('PUT /v1/signals/{name}/{market_id}', () => {
  test('answers with what is stored: both outcomes, as decimals', async () => {
    const reply = await client.put(`${SIGNALS}/elo/game-1`, says({ source: 'v2' }));
    expect([reply.status, reply.json()]).toEqual([
      200,
      {
        name: 'elo',
        market_id: 'game-1',
        venue: 'none',
        probabilities: { Bucks: '0.57', Thunder: '0.43' },
        expires_at: EXPIRES,
        source: 'v2',
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await client.get(`${SIGNALS}/elo/game-1`)).json()).toEqual(reply.json());
  });

  test('takes back what it answered', async () => {
    const first = (await client.put(`${SIGNALS}/elo/game-2`, says())).json();
    const { name: _, market_id, updated_at: __, ...body } = first;
    const again = await client.put(`${SIGNALS}/elo/${market_id}`, body);
    expect([again.status, { ...again.json(), updated_at: null }]).toEqual([200, { ...first, updated_at: null }]);
  });

  test.each([
    ['no probabilities', { probabilities: {} }, '/probabilities'],
    ['a third one', { probabilities: { Bucks: 0.5, Thunder: 0.4, Draw: 0.1 } }, '/probabilities'],
    ['a list', { probabilities: [0.5] }, '/probabilities'],
    ['a bare number', { probabilities: 0.5 }, '/probabilities'],
    ['a probability of 1', { probabilities: { Bucks: 1 } }, '/probabilities/Bucks'],
    ['a probability of 0', { probabilities: { Bucks: '0' } }, '/probabilities/Bucks'],
    ['seven decimals', { probabilities: { Bucks: 0.1234567 } }, '/probabilities/Bucks'],
    ['a label of no outcome', { probabilities: { 'a/b~c': 0.5 } }, '/probabilities/a~1b~0c'],
    ['an outcome twice', { probabilities: { Bucks: 0.5, BUCKS: 0.5 } }, '/probabilities/BUCKS'],
    ['too large a sum', { probabilities: { Bucks: 0.6, Thunder: 0.5 } }, '/probabilities'],
    ['no expiry', { expires_at: undefined }, '/expires_at'],
    ['an expiry in the past', { expires_at: inHours(-1) }, '/expires_at'],
    ['an expiry too far ahead', { expires_at: inHours(31 * 24) }, '/expires_at'],
    ['a blank source', { source: ' ' }, '/source'],
    ['a venue that is not there', { venue: 'nowhere' }, '/venue'],
    ['a member that is not known', { prob: 1 }, '/prob'],
  ])('refuses %s, and stores nothing', async (_, more, pointer) => {
    const reply = await client.put(`${SIGNALS}/wrong/game-1`, says(more));
    expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
    expect(pointersOf(reply)).toContain(pointer);
    expect((await client.get(`${SIGNALS}/wrong/game-1`)).status).toBe(404);
  });

  test('says which outcomes there are', async () => {
    const [error] = errorsOf(await client.put(`${SIGNALS}/wrong/game-1`, says({ probabilities: { YES: 0.5 } })));
    expect(error?.detail).toBe('is no outcome of this market: its outcomes are Bucks and Thunder');
  });

  test('is 404 for an unknown market and for an invalid name', async () => {
    const unknown = await client.put(`${SIGNALS}/elo/unknown`, says());
    expect([unknown.status, unknown.json()['type']]).toEqual([404, '/problems/market-not-found']);
    const spaced = await client.put(`${SIGNALS}/a%20name/game-1`, says());
    expect([spaced.status, spaced.json()['detail']]).toEqual([404, expect.stringContaining('1 to 64 letters')]);
    expect((await client.put(`${SIGNALS}/elo/a%20market`, says())).status).toBe(404);
  });
});

describe('PUT /v1/signals/{name}', () => {
  test('stores a hundred signals with long names, and answers in their order', async () => {
    const long = (n: number) => `0x${`${n}`.padStart(64, '0')}`;
    const signals = Array.from({ length: 100 }, (_, n) =>
      at(long(99 - n), { source: `the model of the day, version ${n}` }),
    );
    const reply = await client.put(`${SIGNALS}/many`, { signals });
    const { data } = reply.json<{ data: { market_id: string }[] }>();
    expect([reply.status, data.map(({ market_id }) => market_id)]).toEqual([200, signals.map((one) => one.market_id)]);
    const page = (await client.get(`${SIGNALS}?name=many&limit=100`)).json<{ data: { market_id: string }[] }>().data;
    expect(page.map(({ market_id }) => market_id)).toEqual(signals.map((one) => one.market_id).reverse());
  });

  test('stores nothing when anything is wrong, and points at each', async () => {
    const signals = [at('game-1'), at('unknown'), at('game-1'), at('game-3', { probabilities: { x: 0.5 } })];
    const reply = await client.put(`${SIGNALS}/none`, { signals });
    expect(pointersOf(reply)).toEqual(['/signals/1/market_id', '/signals/2/market_id', '/signals/3/probabilities/x']);
    expect((await client.get(`${SIGNALS}?name=none`)).json()['data']).toEqual([]);
  });

  test.each([
    ['none', []],
    ['more than a hundred', Array.from({ length: 101 }, (_, n) => at(`game-${n}`))],
  ])('refuses a list of %s', async (_, signals) => {
    expect(pointersOf(await client.put(`${SIGNALS}/none`, { signals }))).toEqual(['/signals']);
  });

  test('takes at most 64 KiB, where one signal takes 16', async () => {
    const list = (bytes: number) => JSON.stringify({ signals: [at('game-1')] }).padEnd(bytes, ' ');
    expect((await client.put(`${SIGNALS}/size`, list(65_536))).status).toBe(200);
    expect((await client.put(`${SIGNALS}/size`, list(65_537))).status).toBe(413);
    expect((await client.put(`${SIGNALS}/size/game-1`, JSON.stringify(says()).padEnd(16_385, ' '))).status).toBe(413);
  });
});

describe('signals', () => {
  test('are listed by name and market, page after page', async () => {
    const carol = app.client.as({ 'x-dev-user': 'carol' });
    for (const [name, market] of [
      ['b', '1'],
      ['a', '2'],
      ['a', '1'],
    ] as const)
      expect((await carol.put(`${SIGNALS}/${name}/game-${market}`, says())).status).toBe(200);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, next_cursor: next } = (await carol.get(`${SIGNALS}?limit=1${cursor}`)).json<{
        data: { name: string; market_id: string }[];
        next_cursor: string | null;
      }>();
      seen.push(...data.map(({ name, market_id }) => `${name} ${market_id}`));
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    expect(seen).toEqual(['a game-1', 'a game-2', 'b game-1']);
    const filtered = async (query: string) => (await carol.get(`${SIGNALS}?${query}`)).json<{ data: object[] }>().data;
    expect(await filtered('market_id=game-1')).toHaveLength(2);
    expect(await filtered('market_id=game-1&name=b')).toHaveLength(1);
    expect((await carol.get(`${SIGNALS}?name=a%20b`)).status).toBe(422);
    expect((await carol.get(`${SIGNALS}?cursor=${Buffer.from('x').toString('base64url')}`)).status).toBe(422);
  });

  test('are removed one by one, and then read by nobody', async () => {
    const { text } = await client.put(`${SIGNALS}/off/game-1`, says());
    const removed = await client.delete(`${SIGNALS}/off/game-1`);
    expect([removed.status, removed.text]).toEqual([200, text]);
    for (const reply of [await client.delete(`${SIGNALS}/off/game-1`), await client.get(`${SIGNALS}/off/game-1`)])
      expect([reply.status, reply.json()['type']]).toEqual([404, '/problems/not-found']);
  });

  test('are no events of the account', async () => {
    const dora = app.client.as({ 'x-dev-user': 'dora' });
    await dora.put(`${SIGNALS}/elo/game-1`, says());
    expect((await dora.get('/v1/events')).json()).toMatchObject({ data: [], head: '0' });
  });
});
