import { expect, test } from 'vitest';
import { MARKETS, ORDERS, STRATEGIES } from '../support/app.js';
import { STRATEGY } from './paper-games.js';
import { aGame, PaperFixture, until } from './paper-servers.js';

const GAME = aGame('game-1');
const [YES] = GAME.tokens;

test('strategies, paper orders and book readers share one feed per market', async () => {
  const fixture = await PaperFixture.open([GAME]);
  fixture.venue.offer(YES, 'SELL', '0.5', '1000');
  const { client } = await fixture.server();
  const subscriptions = () =>
    fixture.venue.feed.clients.flatMap(({ requests }) => requests.filter(({ assets_ids: ids }) => ids.includes(YES)));
  const readings = () => fixture.venue.log.statuses('GET /book').length;
  for (let n = 0; n < 3; n += 1) expect((await client.post(STRATEGIES, STRATEGY)).status).toBe(201);
  const bets = async () => (await fixture.rows('select * from bet_slots')).length;
  await until(async () => (await bets()) === 3);
  const order = { market_id: GAME.conditionId, token: 'YES', price: 0.4, size_usdc: 4, time_in_force: 'GTC' };
  expect((await client.post(ORDERS, order)).json()).toMatchObject({ status: 'open' });
  const before = readings();
  for (let n = 0; n < 3; n += 1)
    expect((await client.get(`${MARKETS}/${GAME.conditionId}/book`)).json()).toMatchObject({ fresh: true });
  expect((await client.get('/v1/portfolio')).status).toBe(200);
  expect(readings()).toBe(before);
  expect(subscriptions()).toHaveLength(1);
  expect(subscriptions()[0]).not.toHaveProperty('operation', 'unsubscribe');
  // It is the feed that fills what rests, too.
  fixture.venue.offer(YES, 'SELL', '0.4', '10');
  await until(async () => (await client.get(`${ORDERS}?status=filled`)).json<{ data: unknown[] }>().data.length === 4);
  expect([subscriptions().length, await fixture.audit()]).toEqual([1, '']);
  await fixture.close();
});
