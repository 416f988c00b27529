import { everyEvent } from './automation.js';
import { type Fixture, ORDERS, STRATEGIES } from './fixture.js';

/** What models say. */
export async function signals({ transcript, api }: Fixture): Promise<void> {
  transcript.step('Signals are put, read, listed and removed');
  const base = '/v1/signals';
  const expires = { expires_at: '2026-03-01T18:00:00Z' };
  const likely = { probabilities: { Home: 0.6 }, ...expires };
  await api.put(`${base}/model/home-away`, likely);
  await api.put(`${base}/model/home-away`, { ...likely, source: 'ratings' });
  await api.put(`${base}/model`, {
    signals: [{ market_id: 'bucks-thunder', probabilities: { Thunder: '0.4' }, ...expires }],
  });
  for (const wrong of [
    {},
    { ...expires, probabilities: { Home: 0 } },
    { ...expires, probabilities: { Home: 0.57, Away: 0.46 } },
    { ...expires, probabilities: { Nobody: 0.5 } },
    { ...likely, expires_at: '2026-03-01T11:00:00Z' },
    { ...likely, expires_at: '2027-03-01T11:00:00Z' },
    { ...likely, expires_at: '2026-03-32T11:00:00Z' },
    { ...likely, expires_at: '2026-02-30T18:00:00Z' },
    { ...likely, more: 1 },
  ])
    await api.put(`${base}/model/home-away`, wrong);
  await api.put(`${base}/model/nowhere`, likely);
  await api.put(`${base}/Bad%20Name/home-away`, likely);
  await api.put(`${base}/model`, { signals: [] });
  await api.put(`${base}/model`, { signals: [{ market_id: 'nowhere', ...likely }] });
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
export async function books({ transcript, api, server }: Fixture): Promise<void> {
  transcript.step('What is held is worth what is bid');
  for (const query of ['', '?paper=true', '?strategy_id=x', '?paper=maybe', '/history', '/history?limit=2'])
    await api.get(`/v1/portfolio${query}`);
  for (const query of ['?limit=2', '?result=maybe', '?market_id=nobody-knows-it']) await api.get(`/v1/bets${query}`);
  transcript.step('Games end, results are paid, and one is amended');
  await server.pass(180_000);
  await api.get('/v1/portfolio');
  await server.pass(120_000);
  await api.get('/v1/portfolio');
  await api.get(`${ORDERS}?status=settled`);
  await api.get('/v1/bets?settled_after=2020-01-01T00:00:00Z&limit=3');
  for (const query of [
    'by=phase&limit=1',
    'by=strategy&strategy_id=x',
    'by=phase&interval=bootstrap&limit=1',
    'by=day&settled_before=2020-01-01T00:00:00Z',
    '',
    'by=x',
  ])
    await api.get(`/v1/results?${query}`);
  for (const query of ['', 'paper=false', 'by=day']) await api.get(`/v1/results/plots?${query}`);
  for (const table of ['bets', 'orders', 'journal']) await api.get(`/v1/export/${table}.csv`);
  await api.get('/v1/export/bets.csv?from=yesterday');
  transcript.step('A paper account is reset');
  await api.post('/v1/admin/accounts/default/paper/reset', { balance_usdc: 500 });
  await api.post('/v1/admin/accounts/nobody/paper/reset', {});
  await api.post('/v1/admin/accounts/default/paper/reset', { balance_usdc: -1 });
  await api.get('/v1/portfolio');
  transcript.step('All that happened is in the log of events');
  await everyEvent(api);
  for (const query of [
    '?types=order.fill&limit=2',
    '?types=nothing',
    '?after=-1',
    '?after=100000',
    '?limit=0',
    '?before=head&limit=2',
    '?after=1&before=3',
  ])
    await api.get(`/v1/events${query}`);
}

/** What belongs to the server. */
export async function service({ transcript, api }: Fixture): Promise<void> {
  transcript.step('The service tells of itself');
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
