import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import type { AccountId } from '../../src/core/ids.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { command } from '../cli/in-process.js';
import { ORDER, ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';

/** Lets accounts trade with real money, without a process for each. */
async function enabled(url: string, ...names: readonly string[]): Promise<void> {
  const ledger = await openSqlLedger(url);
  const manage = new ManageAccounts(ledger, { clock: systemClock, ids: uuidV7 });
  for (const name of names) await manage.allowLive(name as AccountId, true);
  await ledger.close();
}

test('an operator enables and funds an account for real money while running', async () => {
  const { url } = freshSqliteFile();
  const env = { DATABASE_URL: url };
  const server = await startServer({ env });
  const accounts = (...args: string[]) => command(env, 'accounts', ...args);
  expect((await accounts('enable-live', 'alice')).output).toContain('alice may trade with real money');
  expect((await accounts('deposit', 'alice', '250.5')).output).toContain('250.5 USDC are its, 250.5 of them free');
  expect((await accounts('withdraw', 'alice', '50')).output).toContain('200.5 USDC');
  expect((await accounts('disable-live', 'alice')).output).toContain(
    'alice may place no new orders with real money; 200.5 USDC',
  );
  expect((await new Client(server.url).post(ORDERS, ORDER)).status).toBe(201);
  expect((await command(env, 'audit')).output).toContain('The books hold. Checked: accounts 2,');
});

test('an operator halts and releases an account, regardless of live trading settings', async () => {
  const nonsense = { POLYMARKET_CHAIN_ID: 'x', POLYMARKET_SIGNATURE_TYPE: '9', POLYMARKET_API_KEY: 'alone' };
  const env = { DATABASE_URL: freshSqliteFile().url, LIVE_TRADING: 'on', AUTH_MODE: 'none', ...nonsense };
  const accounts = (...args: string[]) => command(env, 'accounts', ...args);
  await accounts('enable-live', 'alice');
  const halted =
    /^alice may place no new orders .*\nHalted since \S+ \S+ \(halted_by_operator\): a drill\nOnce released it may again\.\n$/;
  expect((await accounts('halt', 'alice', '--reason', 'a drill')).output).toMatch(halted);
  expect((await accounts('show', 'alice')).output).toMatch(halted);
  expect((await accounts('release', 'alice')).output).toBe(
    'The halt is lifted (halted_by_operator): a drill\nalice may trade with real money; 0 USDC are its, 0 of them free.\n',
  );
});

test('an operator halts every account at once', async () => {
  const env = { DATABASE_URL: freshSqliteFile().url };
  const accounts = (...args: string[]) => command(env, 'accounts', ...args);
  await enabled(env.DATABASE_URL, 'alice', 'bob', 'carol');
  await accounts('halt', 'bob', '--reason', 'a drill');
  const stopped = await accounts('halt-all', '--reason', 'enough');
  expect(stopped.output.split('\n').slice(0, 2).sort()).toEqual(['Halted: alice.', 'Halted: carol.']);
  expect(stopped.output).toMatch(/\nAlready halted: bob, since \S+ \S+ \(halted_by_operator\): a drill\n$/);
  const listed = JSON.parse((await accounts('list', '--json')).output);
  expect(listed).toMatchObject([
    { account: 'alice', live_enabled: true, halt: { message: 'enough' } },
    { account: 'bob', halt: { message: 'a drill' } },
    { account: 'carol', cash_usdc: '0', halt: { message: 'enough' } },
  ]);
});

test.each([
  [['withdraw', 'bob', '1'], 1, 'bob has less than 1 USDC to withdraw'],
  [['deposit', 'bob', '-1'], 64, 'It takes an amount above 0'],
  [['deposit', 'bob', '0'], 64, 'It takes an amount above 0'],
  [['deposit', 'bob', '1.0000001'], 64, 'at most 6 decimals'],
  [['enable-live', 'no account'], 64, 'It takes 1 to 128 letters'],
])('stakeport accounts %s is refused in words', async (args, exit, words) => {
  const env = { DATABASE_URL: freshSqliteFile().url };
  await enabled(env.DATABASE_URL, 'bob');
  const { code, output } = await command(env, 'accounts', ...args);
  expect({ code, output }).toEqual({
    code: exit,
    output: expect.stringMatching(new RegExp(`^[^\n]*${words}[^\n]*\n$`)),
  });
});

test('an emergency stop for a mistyped account only suggests the closest name', async () => {
  const env = { DATABASE_URL: freshSqliteFile().url };
  const accounts = (...args: string[]) => command(env, 'accounts', ...args);
  await enabled(env.DATABASE_URL, 'alice');
  expect(await accounts('halt', 'Alice')).toEqual({
    code: 1,
    output: 'There is no account Alice. Is alice meant? Nothing was done.\n',
  });
  const listed = JSON.parse((await accounts('list', '--json')).output);
  expect(listed).toMatchObject([{ account: 'alice', live_enabled: true, halt: null }]);
});
