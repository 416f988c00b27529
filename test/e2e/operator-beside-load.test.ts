import pg from 'pg';
import { expect, test } from 'vitest';
import { command } from '../cli/in-process.js';
import { ORDERS } from '../support/app.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { listedMarket, startLive, TRADER } from '../support/live-server.js';
import { stakeport } from './command-line.js';

const RAIN = listedMarket('rain');
const PAPER = { market_id: RAIN.conditionId, token: 'YES', price: 0.2, size_usdc: 2, paper: true };

test('an operator command beside a loaded SQLite server binds the next order', async () => {
  const { url, remove } = freshSqliteFile();
  const venue = await FakeVenue.start({ markets: [RAIN] });
  const server = await startLive({ databaseUrl: url, venue, env: { STORE_CHECK: 'on', LOG_LEVEL: 'error' } });
  let isOver = false;
  const answers = new Map<number, number>();
  const load = Promise.all(
    Array.from({ length: 16 }, async (_, one) => {
      for (let turn = 0; !isOver; turn++) {
        const { status } = await server.client.post(ORDERS, PAPER, { 'idempotency-key': `${one}-${turn}` });
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    }),
  );
  const live = async () => (await server.client.post(ORDERS, { ...PAPER, paper: false })).status;
  const accounts = async (...args: string[]) => (await stakeport({ env: server.env }, 'accounts', ...args)).output;

  expect(await live()).toBe(201);
  for (const reason of ['a first drill', 'a second drill']) {
    expect(await accounts('halt', TRADER, '--reason', reason)).toContain(reason);
    expect(await live()).toBe(403);
    expect(await accounts('release', TRADER)).not.toContain('Halted');
    expect(await live()).toBe(201);
  }
  expect(await accounts('disable-live', TRADER)).toContain('no new orders');
  expect(await live()).toBe(403);
  expect(await accounts('enable-live', TRADER)).toContain('may trade with real money');
  const owned = async () => Number(/([\d.]+) USDC are its/.exec(await accounts('show', TRADER))?.[1]);
  const before = await owned();
  await accounts('deposit', TRADER, '5.25');
  expect(await live()).toBe(201);
  expect(await owned()).toBe(before + 5.25);

  isOver = true;
  await load;
  expect([...answers.keys()]).toEqual([201]);
  expect(await accounts('show', TRADER)).toContain('may trade with real money');
  expect((await stakeport({ env: server.env }, 'audit')).code).toBe(0);
  expect(server.output()).not.toContain('remembered');
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  await venue.close();
  remove();
});

test('an emergency stop halts the other accounts while one row is locked', async () => {
  const { url, drop } = await freshPostgres();
  for (const name of ['alice', 'bob']) await command({ DATABASE_URL: url }, 'accounts', 'enable-live', name);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin; select * from accounts where id = 'alice' for update");
  const stopped = await stakeport({ env: { DATABASE_URL: url } }, 'accounts', 'halt-all');
  await holder.end();
  expect(stopped.code).toBe(69);
  expect(stopped.output).toMatch(/^Halted: bob\.\nNOT HALTED, as far as is known: alice\. .*\n$/);
  await drop();
});
