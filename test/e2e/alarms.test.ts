import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ORDERS } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { freshSqliteFile } from '../support/databases.js';
import { answers, hangsUp } from '../support/fake-venue/faults.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { listedMarket, startLive } from '../support/live-server.js';

const RAIN = listedMarket('rain');
const ORDER = { market_id: RAIN.conditionId, token: 'YES', price: 0.5, size_usdc: 10, paper: false };
const MINUTE = 60_000;

it('a real-money order unknown for a minute raises one alarm until answered', async () => {
  let ahead = 0;
  const venue = await FakeVenue.start({ markets: [RAIN], clock: () => Date.now() + ahead });
  const database = freshSqliteFile();
  const clock = `${pathToFileURL(`${ROOT}/test/support/jumping-clock.mjs`).href}?${MINUTE}`;
  const { client, pid } = await startLive({
    databaseUrl: database.url,
    venue,
    env: { NODE_OPTIONS: `--import "${clock}"` },
  });
  const lookups = ['GET /data/orders', 'GET /data/order/', 'GET /data/trades'];
  const heals = lookups.map((one) => venue.always(one, answers(500, { error: 'down' })));
  venue.user.upgrade = 'refuse';
  venue.user.drop();
  heals.push(venue.always('POST /order', hangsUp()));
  const placed = await client.post(ORDERS, ORDER);
  expect(placed.json()).toMatchObject({ status: 'unknown', paper: false });
  const { id } = placed.json<{ id: string }>();
  const alarms = async () => {
    const { data } = (await client.get('/v1/alarms')).json<{ data: Record<string, string>[] }>();
    return data.filter(({ subject }) => subject === id);
  };
  expect(await alarms()).toEqual([]);

  // The minute passes at once: a clock that runs faster would make every answer of the venue a late one.
  ahead = MINUTE;
  process.kill(pid, 'SIGUSR2');
  await expect.poll(async () => (await alarms()).length, { interval: 200 }).toBe(1);
  const [alarm] = await alarms();
  expect(alarm).toMatchObject({
    kind: 'unknown_order',
    subject: id,
    scope: 'account',
    what_to_do: expect.stringMatching(/venue/),
  });

  for (const heal of heals) heal();
  await expect.poll(alarms, { interval: 200 }).toEqual([]);
  expect((await client.get(`${ORDERS}/${id}`)).json()['status']).toBe('open');
  const { data: events } = (await client.get('/v1/events?types=alarm.raised,alarm.cleared')).json<{
    data: { type: string; data: { alarm: { subject: string } } }[];
  }>();
  const own = events.filter(({ data }) => data.alarm.subject === id);
  expect(own.map(({ type }) => type)).toEqual(['alarm.raised', 'alarm.cleared']);
  await venue.close();
  database.remove();
});
