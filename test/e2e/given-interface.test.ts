import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Headers, type Reply } from '../support/http.js';
import { startServer } from '../support/processes.js';

// Written from the given document alone: its names, its samples, its pattern. Nothing here knows what was added to it.

const DECIMAL = /^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const RULES = {
  match: { sport: 'soccer', market: 'moneyline', league: 'EPL' },
  filter: { min_odds: 1.5, max_odds: 3.25, side: 'BACK' },
  sizing: { method: 'fixed_fraction', value: 0 },
};
const STRATEGY = { name: 'Home favourites', sport: 'soccer', rules: RULES, bankroll_cap: 1000, stake_cap: 25.5 };
const ORDER = { market_id: '0xabc', token: 'YES', price: 0.57, size_usdc: 10 };

const STRATEGY_MEMBERS = {
  id: UUID,
  name: 'string',
  sport: 'string',
  rules: 'object',
  bankroll_cap: DECIMAL,
  stake_cap: DECIMAL,
  is_paused: 'boolean',
  paper_only: 'boolean',
  created_at: DATE_TIME,
  updated_at: DATE_TIME,
} as const;

const ORDER_MEMBERS = {
  id: 'string',
  market_id: 'string',
  market_slug: 'string or null',
  condition_id: 'string or null',
  question_snapshot: 'string or null',
  token: /^(YES|NO)$/,
  side: /^(BUY|SELL)$/,
  price: DECIMAL,
  size_usdc: DECIMAL,
  status: 'string',
  paper: 'boolean',
  clob_order_id: 'string or null',
  filled_size_usdc: 'decimal or null',
  return_usdc: 'decimal or null',
  error: 'string or null',
  placed_at: DATE_TIME,
  settled_at: 'date-time or null',
} as const;

type Kind =
  | (typeof STRATEGY_MEMBERS | typeof ORDER_MEMBERS)[keyof (typeof STRATEGY_MEMBERS | typeof ORDER_MEMBERS)]
  | string
  | RegExp;

function isOf(kind: Kind, value: unknown): boolean {
  if (kind instanceof RegExp) return typeof value === 'string' && kind.test(value);
  const [type, , nullable] = kind.split(' ');
  if (value === null) return nullable === 'null';
  if (type === 'decimal') return typeof value === 'string' && DECIMAL.test(value);
  if (type === 'date-time') return typeof value === 'string' && DATE_TIME.test(value);
  return typeof value === type;
}

function wrongMembers(members: Readonly<Record<string, Kind>>, body: Record<string, unknown>): string[] {
  return Object.entries(members).flatMap(([name, kind]) => (name in body && isOf(kind, body[name]) ? [] : [name]));
}

let url: string;
const clients = new Map<string, Client>();

function send(method: string, path: string, body: object, headers: Headers = {}): Promise<Reply> {
  const client = clients.get(url) ?? new Client(url);
  clients.set(url, client);
  return client.send(method, path, { body, headers });
}

const create = (changes: object = {}, headers: Headers = {}) =>
  send('POST', '/v1/strategies', { ...STRATEGY, ...changes }, headers);
const place = (changes: object = {}, headers: Headers = {}) =>
  send('POST', '/v1/exchange/orders', { ...ORDER, ...changes }, headers);

beforeAll(async () => {
  ({ url } = await startServer({ env: { DATABASE_URL: 'memory:', LOG_LEVEL: 'error' } }));
});

describe('creating a strategy', () => {
  test('answers a Strategy: every member there and of its type', async () => {
    const reply = await create();
    expect(reply.status).toBe(201);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(wrongMembers(STRATEGY_MEMBERS, reply.json())).toEqual([]);
  });

  test('returns its input: caps as decimal strings, rules as an object', async () => {
    expect((await create()).json()).toMatchObject({
      ...STRATEGY,
      bankroll_cap: '1000',
      stake_cap: '25.5',
      rules: RULES,
    });
  });

  test.each(['name', 'sport', 'rules', 'bankroll_cap', 'stake_cap'])('needs %s', async (member) => {
    expect((await create({ [member]: undefined })).status).toBe(422);
    expect((await create({ [member]: null })).status).toBe(422);
  });

  test.each([{ name: '' }, { name: 'n'.repeat(81) }, { bankroll_cap: 0 }, { stake_cap: 0 }, { bankroll_cap: -1 }])(
    'refuses %j',
    async (changes) => expect((await create(changes)).status).toBe(422),
  );

  test.each([{ name: 'n' }, { name: 'n'.repeat(80) }, { bankroll_cap: 0.01 }, { stake_cap: 0.000001 }])(
    'takes %j',
    async (changes) => expect((await create(changes)).status).toBe(201),
  );
});

describe('updating a strategy', () => {
  const patch = (id: string, body: object) => send('PATCH', `/v1/strategies/${id}`, body);
  const created = async () => (await create()).json<{ id: string } & Record<string, unknown>>();

  test.each([
    [{ name: 'Away underdogs' }, { name: 'Away underdogs' }],
    [{ bankroll_cap: 12.75 }, { bankroll_cap: '12.75' }],
    [{ stake_cap: 1 }, { stake_cap: '1' }],
    [
      { rules: { ...RULES, filter: { side: 'BACK' } } },
      { rules: expect.objectContaining({ filter: { side: 'BACK' } }) },
    ],
  ])('takes %j alone and leaves the rest', async (body, changed) => {
    const before = await created();
    const reply = await patch(before.id, body);
    expect(reply.status).toBe(200);
    expect(wrongMembers(STRATEGY_MEMBERS, reply.json())).toEqual([]);
    const anew = { updated_at: expect.any(String), version: 2, warnings: expect.any(Array) };
    expect(reply.json()).toEqual({ ...before, ...changed, ...anew });
  });

  test('treats an empty body or a null name as no change', async () => {
    const before = await created();
    expect((await patch(before.id, {})).json()).toEqual(before);
    expect((await patch(before.id, { name: null })).json()).toEqual(before);
  });

  test.each(['rules', 'bankroll_cap', 'stake_cap'])('refuses null for %s', async (member) => {
    expect((await patch((await created()).id, { [member]: null })).status).toBe(422);
  });

  test.each([{ sport: 'tennis' }, { name: '' }, { name: 'n'.repeat(81) }, { bankroll_cap: 0 }, { stake_cap: -1 }])(
    'refuses %j',
    async (body) => expect((await patch((await created()).id, body)).status).toBe(422),
  );
});

describe('placing an order', () => {
  test('answers an Order with its 17 typed members first, in order', async () => {
    const reply = await place();
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.json()).slice(0, 17)).toEqual(Object.keys(ORDER_MEMBERS));
    expect(wrongMembers(ORDER_MEMBERS, reply.json())).toEqual([]);
  });

  test('is on paper, and a purchase, unless it says otherwise', async () => {
    expect((await place()).json()).toMatchObject({
      ...ORDER,
      price: '0.57',
      size_usdc: '10',
      paper: true,
      side: 'BUY',
    });
  });

  test('keeps all members for a sale of nothing held, with the error', async () => {
    const order = (await place({ side: 'SELL', token: 'NO', paper: true })).json();
    expect(wrongMembers(ORDER_MEMBERS, order)).toEqual([]);
    expect(order).toMatchObject({ side: 'SELL', token: 'NO', clob_order_id: null, filled_size_usdc: null });
    expect(order['error']).toEqual(expect.any(String));
  });

  test.each([
    ...['market_id', 'token', 'price', 'size_usdc'].map((member) => ({ [member]: undefined })),
    { market_id: '' },
    { token: 'MAYBE' },
    { price: 0 },
    { price: 1 },
    { size_usdc: 0 },
    { side: 'HOLD' },
  ])('refuses %j', async (changes) => expect((await place(changes)).status).toBe(422));

  test.each([{ market_id: 'm' }, { token: 'NO' }, { price: 0.000001 }, { price: 0.999999 }, { size_usdc: 0.01 }])(
    'takes %j',
    async (changes) => expect((await place(changes)).status).toBe(201),
  );
});

describe('the two headers', () => {
  const pairs: Headers[] = [
    {},
    { 'x-dev-user': 'alice' },
    { authorization: 'Bearer anything' },
    { 'x-dev-user': 'alice', authorization: 'Bearer anything' },
  ];

  test.each(pairs)('may each be there or not: %j', async (headers) => {
    expect((await create({}, headers)).status).toBe(201);
    expect((await place({}, headers)).status).toBe(201);
  });
});
