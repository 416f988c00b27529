import { GAMES } from '../games.js';
import { type Fixture, id, ORDERS } from './fixture.js';

/** Markets and books as a caller sees them. */
export async function markets({ transcript, api }: Fixture): Promise<void> {
  transcript.step('Markets are searched and read');
  const base = '/v1/exchange/markets';
  for (const query of [
    '',
    '?sport=basketball',
    '?league=epl&limit=2',
    '?q=cup',
    '?status=closed',
    '?kind=total',
    '?limit=1000',
    '?x=1',
  ])
    await api.get(`${base}${query}`);
  for (const name of ['home-away', String(GAMES.plain['id']), '97', 'united-city', 'reds-field', 'nowhere', '%00'])
    await api.get(`${base}/${name}`);
  for (const path of [
    'home-away/book',
    'home-away/book?token=NO',
    'silent-game/book',
    'nowhere/book',
    'home-away/book?token=MAYBE',
  ])
    await api.get(`${base}/${path}`);
}

/** Orders of every kind, and every refusal that paper has. */
export async function orders({ transcript, api, server }: Fixture, strategyId: string): Promise<void> {
  const plain = { market_id: 'home-away', token: 'YES', price: 0.58, size_usdc: 10 };
  transcript.step('Orders fill, rest, expire and are cancelled');
  const filled = await api.post(ORDERS, plain, { 'idempotency-key': 'order' });
  await api.post(ORDERS, plain, { 'idempotency-key': 'order' });
  await api.post(ORDERS, { ...plain, size_usdc: 11 }, { 'idempotency-key': 'order' });
  await api.post(ORDERS, { ...plain, price: '0.59', size_usdc: '20', strategy_id: strategyId });
  const resting = await api.post(ORDERS, { ...plain, price: 0.55, size_usdc: 20, post_only: true });
  const cancelled = await api.post(ORDERS, { ...plain, price: 0.5 });
  await api.post(`${ORDERS}/${id(cancelled)}/cancel`, {});
  await api.post(`${ORDERS}/${id(cancelled)}/cancel`, {});
  await api.delete(`${ORDERS}/${id(filled)}`);
  const deleted = await api.post(ORDERS, { ...plain, price: 0.49 });
  await api.delete(`${ORDERS}/${id(deleted)}`);
  const lasts = { time_in_force: 'GTD', expires_at: '2026-03-01T12:02:30.000Z' };
  const expiring = await api.post(ORDERS, { ...plain, price: 0.51, ...lasts });
  const held = await server.passWhile(100, () =>
    api.post(ORDERS, { market_id: 'united-city', token: 'YES', price: 0.62, size_usdc: 20 }),
  );
  for (const [timeInForce, price, size] of [
    ['FOK', 0.59, 30],
    ['FAK', 0.41, 500],
    ['FOK', 0.41, 500],
    ['FAK', 0.3, 10],
  ] as const)
    await api.post(ORDERS, {
      market_id: 'bucks-thunder',
      token: 'YES',
      price,
      size_usdc: size,
      time_in_force: timeInForce,
    });
  await api.post(ORDERS, { market_id: 'bucks-thunder', token: 'NO', price: 0.65, size_usdc: 13 });
  await api.post(ORDERS, { ...plain, side: 'SELL', price: 0.55, size_usdc: 5.5 });

  transcript.step('Orders are refused, and each refusal is on record');
  const strategic = { ...plain, strategy_id: strategyId };
  for (const refused of [
    { ...plain, size_usdc: 0.001 },
    { ...plain, size_usdc: 1_000_000 },
    { ...plain, size_usdc: 999_999_999 },
    { ...plain, price: 0.585 },
    { ...plain, size_usdc: 2 },
    { ...plain, market_id: 'bucks-thunder', price: 0.01, size_usdc: 0.1 },
    { ...plain, side: 'SELL', price: 0.5, size_usdc: 5000 },
    { ...plain, post_only: true },
    { ...plain, time_in_force: 'GTD', expires_at: '2026-03-01T11:00:00.000Z' },
    { ...plain, time_in_force: 'GTD', expires_at: '2026-03-01T12:00:30.000Z' },
    { ...plain, market_id: 'old-game' },
    { ...plain, market_id: 'strange-game' },
    { ...plain, market_id: 'silent-game' },
    { ...strategic, size_usdc: 71 },
    { ...plain, paper: false },
  ])
    await api.post(ORDERS, refused);

  transcript.step('What is no order is not recorded');
  for (const wrong of [
    {},
    [],
    { ...plain, price: 0 },
    { ...plain, price: 1 },
    { ...plain, price: '0.5800001' },
    { ...plain, size_usdc: -1 },
    { ...plain, size_usdc: '1e3' },
    { ...plain, token: 'MAYBE' },
    { ...plain, side: 'HOLD' },
    { ...plain, paper: 'false' },
    { ...plain, time_in_force: 'IOC' },
    { ...plain, time_in_force: 'GTD' },
    { ...plain, expires_at: '2026-03-01T12:10:00.000Z' },
    { ...plain, time_in_force: 'FOK', post_only: true },
    { ...plain, market_id: '' },
    { ...plain, market_id: 'nowhere' },
    { ...plain, strategy_id: 'x' },
    { ...plain, strategy_id: '019ca945-0fdc-7000-8000-000000000000' },
    { ...plain, venue: 'other' },
    { ...plain, more: 1 },
  ])
    await api.post(ORDERS, wrong);
  await api.post(ORDERS, '{"market_id":');
  await api.post(ORDERS, plain, { 'content-type': 'text/plain' });
  await api.post(ORDERS, plain, { 'idempotency-key': '' });
  await api.post(ORDERS, plain, { 'idempotency-key': 'x'.repeat(300) });
  await api.post(ORDERS, { ...plain, market_id: 'x'.repeat(20_000) });

  transcript.step('Time passes: orders that rest fill from trades, end by their time, and are let go by the venue');
  await server.pass(4000);
  await api.get(`${ORDERS}/${id(held)}`);
  await server.pass(20_000);
  await api.get(`${ORDERS}/${id(resting)}`);
  await api.get(`${ORDERS}/${id(resting)}/events`);
  await server.pass(20_000);
  await api.post(ORDERS, { ...plain, market_id: 'bucks-thunder', price: 0.42 });
  await server.pass(110_000);
  for (const order of [filled, expiring, held]) await api.get(`${ORDERS}/${id(order)}/events`);

  transcript.step('Orders are listed');
  const queries = [
    '',
    '?limit=3',
    '?status=filled',
    '?status=denied&limit=2',
    '?market_id=home-away&limit=1',
    '?market_id=nowhere',
  ];
  for (const query of [
    ...queries,
    `?strategy_id=${strategyId}`,
    '?paper=false',
    '?placed_after=2026-03-01T12:00:30.000Z',
    '?status=x',
    '?venue=other',
  ])
    await api.get(`${ORDERS}${query}`);
}
