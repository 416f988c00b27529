import { beforeAll, describe, expect, test } from 'vitest';
import { ORDER, ORDERS, type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';

interface Page {
  readonly data: readonly { readonly id: string; readonly version: number; readonly seq: number }[];
  readonly next_cursor: string | null;
}

let app: RunningApp;
let strategy: string;
let order: string;

beforeAll(async () => {
  app = await startApp();
  for (let i = 0; i < 7; i++) {
    strategy = `${STRATEGIES}/${(await app.client.post(STRATEGIES, STRATEGY)).json()['id']}`;
    order = `${ORDERS}/${(await app.client.post(ORDERS, ORDER)).json()['id']}`;
  }
  for (let i = 0; i < 6; i++) await app.client.patch(strategy, { stake_cap: i + 1 });
});

const lists = () => [STRATEGIES, ORDERS, `${strategy}/versions`, `${order}/events`];

async function page(path: string, query: string): Promise<Page> {
  const reply = await app.client.get(`${path}?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json<Page>();
}

const keyOf = ({ id, version, seq }: Page['data'][number]) => `${id ?? ''} ${version ?? ''} ${seq ?? ''}`;

describe.each([0, 1, 2, 3])('list %i', (index) => {
  const path = () => lists()[index] ?? '';

  test('comes in pages that follow one another without gap or overlap', async () => {
    const whole = await page(path(), 'limit=100');
    expect(whole.next_cursor).toBeNull();
    expect(whole.data.length).toBeGreaterThan(2);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, next_cursor }: Page = await page(path(), `limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...data.map(keyOf));
      cursor = next_cursor;
    }
    expect(seen).toEqual(whole.data.map(keyOf));
  });

  test.each(['1', '100'])('takes a limit of %s', async (limit) => {
    expect((await page(path(), `limit=${limit}`)).data.length).toBeLessThanOrEqual(Number(limit));
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=',
    'limit=ten',
    'limit=007',
    'limit=1&limit=2',
    'limit=99999999999999999999',
    'sort=price',
    'Limit=5',
    '__proto__=1',
    'constructor=1',
    'cursor=',
    'cursor=!',
    'cursor=YWJj',
    'cursor=MA',
    'cursor=LTE',
    'cursor=TmFO',
    'cursor=SW5maW5pdHk',
    'cursor=MWU5OQ',
    `cursor=${'A'.repeat(801)}`,
    `cursor=${Buffer.from("' or 1=1").toString('base64url')}`,
  ])('refuses %s', async (query) => {
    const reply = await app.client.get(`${path()}?${query}`);
    expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
    const [{ pointer } = { pointer: '' }] = reply.json<{ errors: { pointer: string }[] }>().errors;
    expect(pointer).toBe(`?${query.split('=')[0]}`);
  });
});

test('a list is stable while it grows', async () => {
  const first = await page(ORDERS, 'limit=3');
  await app.client.post(ORDERS, ORDER);
  const second = await page(ORDERS, `limit=3&cursor=${first.next_cursor}`);
  expect(second.data.map(keyOf).filter((key) => first.data.map(keyOf).includes(key))).toEqual([]);
  expect(second.data.every(({ id }) => first.data.every((earlier) => id < earlier.id))).toBe(true);
});

describe('a filter', () => {
  const ids = async (query: string) => (await page(ORDERS, query)).data.map(({ id }) => id);

  test('keeps what it names and drops the rest', async () => {
    const tennis = await app.client.post(STRATEGIES, { ...STRATEGY, sport: 'tennis', is_paused: true });
    const id = tennis.json<{ id: string }>().id;
    expect((await page(STRATEGIES, 'sport=tennis')).data.map((found) => found.id)).toEqual([id]);
    expect((await page(STRATEGIES, 'is_paused=true&sport=soccer')).data).toEqual([]);
    const denied = await app.client.post(ORDERS, { ...ORDER, market_id: 'other', strategy_id: id });
    const other = denied.json<{ id: string; placed_at: string }>();
    expect(await ids('market_id=other')).toEqual([other.id]);
    expect(await ids(`strategy_id=${id.toUpperCase()}`)).toEqual([other.id]);
    expect(await ids('status=denied')).toEqual([other.id]);
    expect(await ids('paper=false')).toEqual([]);
    expect(await ids(`placed_after=${other.placed_at}`)).toEqual([]);
    expect(await ids(`placed_before=${other.placed_at}`)).not.toContain(other.id);
  });

  test.each([
    'status=done',
    'market_id=a%20b',
    'strategy_id=1',
    'paper=1',
    'placed_after=now',
    'placed_before=2030-02-30T00:00:00Z',
  ])('is refused as %s', async (query) => expect((await app.client.get(`${ORDERS}?${query}`)).status).toBe(422));
});
