import { expect, it } from 'vitest';
import { ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { listedMarket, startLive } from '../support/live-server.js';

const RAIN = listedMarket('rain');
const ORDER = { market_id: RAIN.conditionId, token: 'YES', price: 0.5, size_usdc: 10 };

it('a machine whose clock is off takes no new real-money risk', async () => {
  const venue = await FakeVenue.start({ markets: [RAIN], clock: () => Date.now() + 60_000 });
  const database = freshSqliteFile();
  const { client } = await startLive({ databaseUrl: database.url, venue });
  const state = async () => (await client.get('/v1/trading/state')).json();
  await expect.poll(state).toEqual({
    effective: 'reducing',
    live_enabled: true,
    data: [
      expect.objectContaining({
        scope: 'service',
        state: 'reducing',
        stops: 'live',
        by: 'service',
        reason: expect.stringMatching(/^The clock of the machine is (5\d|60)\.\d+ s behind that of polymarket$/),
      }),
    ],
  });
  const events = async () => (await client.get('/v1/events?types=alarm.raised')).json()['data'];
  await expect
    .poll(events)
    .toMatchObject([{ type: 'alarm.raised', data: { alarm: { kind: 'clock_off', urgent: false } } }]);
  const live = await client.post(ORDERS, { ...ORDER, paper: false });
  expect([live.status, live.json()]).toMatchObject([201, { status: 'denied' }]);
  expect(live.json()['error']).toMatch(/^trading_reducing: /);
  expect((await client.post(ORDERS, ORDER)).json()['status']).not.toBe('denied');
  expect(venue.log.requests.filter(({ method, path }) => method === 'POST' && path === '/order')).toEqual([]);
  await venue.close();
  database.remove();
});
