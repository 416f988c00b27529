import type { Caller } from './caller.js';
import { book, change, GAMES, says, tapeOf } from './games.js';
import type { StillServer } from './program.js';
import type { Transcript } from './transcript.js';

const ORDERS = '/v1/exchange/orders';
const STRATEGIES = '/v1/strategies';

/** The games of this story: what moves, and how they end. */
export const storyTape = (): string =>
  tapeOf(
    [
      change('plain', 20, { trade: ['0.55', '260', 'SELL'] }),
      change('plain', 20, {
        levels: [
          ['bids', '0.55', '0'],
          ['bids', '0.54', '440'],
        ],
      }),
      change('plain', 30, { levels: [['asks', '0.56', '30']] }),
      change('free', 40, { gap: 'connection lost' }),
      book('free', 50, [['0.39', '150']], [['0.40', '90']]),
      change('free', 55, { tick: '0.001' }),
      says('plain', 300, { status: 'closed', terms: { ...(GAMES.plain['terms'] as object), accepting_orders: false } }),
      says('plain', 310, { status: 'resolved', payout: ['1', '0'] }),
      says('free', 320, { status: 'resolved', payout: ['0.5', '0.5'] }),
      says('plain', 400, { status: 'amended', payout: ['0', '1'] }),
    ],
    600,
  );

/** What a part of the story works with. */
export interface Stage {
  readonly told: Transcript;
  readonly api: Caller;
  readonly server: StillServer;
}

const id = (record: Readonly<Record<string, unknown>>) => String(record['id']);

/** Strategies: made, read, changed, paused, explained, refused, archived. */
export async function strategies({ told, api }: Stage): Promise<string> {
  told.step('A strategy is created, read and listed');
  const plain = { name: 'Home at fair odds', sport: 'soccer', bankroll_cap: 1000, stake_cap: 50 };
  const rules = {
    ...{ match: { league: 'epl', market: 'moneyline' }, filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' } },
    sizing: { method: 'fixed_fraction', value: 0.02 },
  };
  const first = await api.post(STRATEGIES, { ...plain, rules }, { 'idempotency-key': 'first' });
  await api.post(STRATEGIES, { ...plain, rules }, { 'idempotency-key': 'first' });
  await api.post(STRATEGIES, { ...plain, name: 'Another', rules }, { 'idempotency-key': 'first' });
  const path = `${STRATEGIES}/${id(first)}`;
  await api.get(path);
  await api.get(path, { 'if-none-match': '"1"' });
  const full = {
    ...{ match: { league: ['epl', 'laliga'], market: ['moneyline'], text: 'home' }, outcome: { role: 'home' } },
    ...{ window: { from: '-24h', to: '-5m' }, phase: 'pre' },
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK', max_spread: 0.05, min_liquidity_usdc: 10, max_drift: 0.03 },
    sizing: { method: 'flat', value: 10 },
    limits: {
      max_bets_per_event: 2,
      max_bets_per_day: null,
      max_open: 5,
      cooldown: '5m',
      event_loss: 50,
      daily_loss: 100,
    },
    order: { time_in_force: 'GTC', give_up_after: '1m', max_slippage: 0.02 },
    exit: { stop: { loss: 0.2 } },
  };
  await api.post(STRATEGIES, { ...plain, name: 'With every member', rules: full, automation: 'approve' });
  await api.post(STRATEGIES, { ...plain, name: 'Paused from the first', sport: 'basketball', rules, is_paused: true });
  for (const query of [
    '',
    '?sport=soccer',
    '?is_paused=true',
    '?limit=1',
    '?limit=0',
    '?sport=',
    '?nothing=1',
    '?cursor=x',
  ])
    await api.get(`${STRATEGIES}${query}`);

  told.step('What rules mean is told before they are used');
  await api.post(`${STRATEGIES}/validate`, { ...plain, rules: full, automation: 'auto' });
  for (const wrong of [
    {},
    { ...rules, sizing: { method: 'flat', value: -1 } },
    { ...rules, sizing: { method: 'martingale', value: 1 } },
    { ...rules, filter: { min_odds: 3, max_odds: 1.5 } },
    { ...rules, window: { from: '-5m', to: '-24h' } },
    { ...rules, outcome: { role: 'referee' } },
    { ...rules, limits: { max_open: 0, cooldown: '5 minutes' } },
    { ...rules, exit: { stop: { loss: 2 } } },
    { ...rules, nothing: 1 },
  ])
    await api.post(`${STRATEGIES}/validate`, { ...plain, rules: wrong });
  await api.post(`${STRATEGIES}/validate`, { ...plain, rules, automation: 'auto' });

  told.step('A strategy is changed, paused, resumed and archived');
  await api.patch(path, { stake_cap: 60 });
  await api.patch(path, { stake_cap: 70 }, { 'if-match': '"1"' });
  await api.patch(path, { stake_cap: 70 }, { 'if-match': '"2"' });
  for (const wrong of [{}, { name: '' }, { stake_cap: 'many' }, { id: 'other' }, { bankroll_cap: -1 }, { rules: null }])
    await api.patch(path, wrong);
  await api.post(`${path}/pause`, {});
  await api.post(`${path}/pause`, { reason: 'holiday' });
  await api.post(ORDERS, { market_id: 'home-away', token: 'YES', price: 0.5, size_usdc: 5, strategy_id: id(first) });
  await api.post(`${path}/resume`, {});
  await api.get(`${path}/versions`);
  await api.get(`${path}/versions?limit=2`);
  const gone = await api.post(STRATEGIES, { ...plain, name: 'To be archived', rules });
  await api.delete(`${STRATEGIES}/${id(gone)}`);
  await api.delete(`${STRATEGIES}/${id(gone)}`);
  await api.get(`${STRATEGIES}/${id(gone)}`);
  await api.post(ORDERS, { market_id: 'home-away', token: 'YES', price: 0.5, size_usdc: 5, strategy_id: id(gone) });
  return id(first);
}

/** Markets and books as a caller sees them. */
export async function markets({ told, api }: Stage): Promise<void> {
  told.step('Markets are searched and read');
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
export async function orders({ told, api, server }: Stage, strategyId: string): Promise<void> {
  const plain = { market_id: 'home-away', token: 'YES', price: 0.58, size_usdc: 10 };
  told.step('Orders fill, rest, expire and are cancelled');
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

  told.step('Orders are refused, and each refusal is on record');
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

  told.step('What is no order is not recorded');
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

  told.step('Time passes: orders that rest fill from trades, end by their time, and are let go by the venue');
  await server.pass(4000);
  await api.get(`${ORDERS}/${id(held)}`);
  await server.pass(20_000);
  await api.get(`${ORDERS}/${id(resting)}`);
  await api.get(`${ORDERS}/${id(resting)}/events`);
  await server.pass(20_000);
  await api.post(ORDERS, { ...plain, market_id: 'bucks-thunder', price: 0.42 });
  await server.pass(110_000);
  for (const order of [filled, expiring, held]) await api.get(`${ORDERS}/${id(order)}/events`);

  told.step('Orders are listed');
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

/** Limits, halts and what they refuse. */
export async function limits({ told, api }: Stage): Promise<void> {
  const plain = { market_id: 'reds-field', token: 'YES', price: 0.45, size_usdc: 45 };
  told.step('Limits are set, read, and hold');
  await api.get('/v1/limits');
  for (const limit of [
    { order_usdc: 10 },
    { market_loss_usdc: 20 },
    { event_loss_usdc: 20 },
    { league_loss_usdc: 20 },
    { sport_loss_usdc: 20 },
    { exposure_usdc: 20 },
    { open_orders: 0 },
    { open_orders: 1 },
    { daily_stake_usdc: 20 },
    { orders_per_minute: 1 },
    { price_band: 0.001 },
    { daily_loss_usdc: 1 },
    { drawdown_usdc: 1 },
  ]) {
    await api.put('/v1/limits', limit);
    await api.post(ORDERS, plain);
    await api.get('/v1/limits');
    await api.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'looked at' });
  }
  for (const wrong of [{ order_usdc: -1 }, { open_orders: 1.5 }, { orders_per_minute: 'x' }, { more: 1 }, []])
    await api.put('/v1/limits', wrong);
  await api.put('/v1/limits', {});

  told.step('Trading is halted, reduced and goes on');
  await api.get('/v1/trading/state');
  await api.post(ORDERS, { ...plain, price: 0.4 });
  for (const change of [
    { scope: 'account', state: 'reducing', reason: 'careful' },
    { scope: 'account', state: 'halted', reason: 'a doubt', cancel_orders: true },
    { scope: 'account', state: 'active', reason: 'all is well' },
    { scope: 'sport:soccer', state: 'halted', reason: 'rain' },
    { scope: 'sport:soccer', state: 'active', reason: 'sun' },
    { scope: 'league:epl', state: 'halted', reason: 'x' },
    { scope: 'account', state: 'stopped', reason: 'x' },
    { scope: 'account', state: 'halted' },
  ]) {
    await api.post('/v1/trading/state', change);
    await api.post(ORDERS, { ...plain, size_usdc: 9 });
    await api.post(ORDERS, { ...plain, side: 'SELL', price: 0.44, size_usdc: 4.4 });
    await api.get('/v1/trading/state');
  }
  await api.get('/v1/trading/history');
  await api.get('/v1/trading/history?limit=2');
}

/** What models say. */
export async function signals({ told, api }: Stage): Promise<void> {
  told.step('Signals are put, read, listed and removed');
  const base = '/v1/signals';
  await api.put(`${base}/model/home-away`, { probability: 0.6 });
  await api.put(`${base}/model/home-away`, { probability: '0.61', expires_at: '2026-03-01T18:00:00.000Z' });
  await api.put(`${base}/model`, {
    data: [
      { market_id: 'bucks-thunder', probability: 0.4 },
      { market_id: 'reds-field', probability: 0.5 },
    ],
  });
  for (const wrong of [
    {},
    { probability: 0 },
    { probability: 1.2 },
    { probability: 0.5, expires_at: 'x' },
    { probability: 0.5, more: 1 },
  ])
    await api.put(`${base}/model/home-away`, wrong);
  await api.put(`${base}/model/nowhere`, { probability: 0.5 });
  await api.put(`${base}/Bad%20Name/home-away`, { probability: 0.5 });
  await api.put(`${base}/model`, { data: [] });
  for (const path of [
    '/model/home-away',
    '/model/reds-field',
    '/other/home-away',
    '?name=model',
    '?market_id=home-away',
    '',
    '?limit=1',
  ])
    await api.get(`${base}${path}`);
  await api.delete(`${base}/model/home-away`);
  await api.delete(`${base}/model/home-away`);
}

/** What the account has, and what happened. */
export async function books({ told, api, server }: Stage): Promise<void> {
  told.step('What is held is worth what is bid');
  for (const query of ['', '?paper=true', '?strategy_id=x', '?paper=maybe', '/history', '/history?limit=2'])
    await api.get(`/v1/portfolio${query}`);
  told.step('Games end, results are paid, and one is amended');
  await server.pass(180_000);
  await api.get('/v1/portfolio');
  await server.pass(120_000);
  await api.get('/v1/portfolio');
  await api.get(`${ORDERS}?status=settled`);
  told.step('A paper account is reset');
  await api.post('/v1/admin/accounts/default/paper/reset', { balance_usdc: 500 });
  await api.post('/v1/admin/accounts/nobody/paper/reset', {});
  await api.post('/v1/admin/accounts/default/paper/reset', { balance_usdc: -1 });
  await api.get('/v1/portfolio');
  told.step('All that happened is in the log of events');
  let after = 0;
  for (;;) {
    const page = await api.get(`/v1/events?after=${after}&limit=100`);
    const next = Number(page['next_after']);
    if (next === after || Number.isNaN(next)) break;
    after = next;
  }
  for (const query of ['?types=order.fill&limit=2', '?types=nothing', '?after=-1', '?after=100000', '?limit=0'])
    await api.get(`/v1/events${query}`);
}

/** What belongs to the server. */
export async function service({ told, api }: Stage): Promise<void> {
  told.step('The service tells of itself');
  for (const path of [
    '/healthz',
    '/readyz',
    '/v1/session',
    '/v1/alarms',
    '/v1/admin/servers',
    '/v1/approvals',
    '/problems',
    '/refusals',
    '/v1',
    '/',
    '/nowhere',
  ])
    await api.get(path);
  for (const [method, path] of [
    ['HEAD', '/healthz'],
    ['OPTIONS', ORDERS],
    ['PUT', ORDERS],
    ['DELETE', '/healthz'],
    ['PATCH', `${STRATEGIES}/x`],
    ['POST', '/v1/%zz'],
  ] as const)
    await api.call(method, path);
  await api.get(ORDERS, { accept: 'text/html' });
  await api.get(`${ORDERS}?${'x'.repeat(9000)}`);
}
