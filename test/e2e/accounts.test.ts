import { expect, test } from 'vitest';
import { ORDER, ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';

test('an operator lets an account trade with real money and puts its money down, beside a running server', async () => {
  const { url } = freshSqliteFile();
  const env = { DATABASE_URL: url };
  const server = await startServer({ env });
  const accounts = (...args: string[]) => stakeport({ env }, 'accounts', ...args);
  expect(await accounts('show', 'alice')).toEqual({
    code: 0,
    output: 'alice may place no new orders with real money; 0 USDC are its, 0 of them free.\n',
  });
  expect((await accounts('enable-live', 'alice')).output).toContain('alice may trade with real money');
  expect((await accounts('deposit', 'alice', '250.5')).output).toContain('250.5 USDC are its, 250.5 of them free');
  expect((await accounts('withdraw', 'alice', '50')).output).toContain('200.5 USDC');
  expect((await accounts('disable-live', 'alice')).output).toContain(
    'alice may place no new orders with real money; 200.5 USDC',
  );
  expect((await new Client(server.url).post(ORDERS, ORDER)).status).toBe(201);
  expect((await stakeport({ env }, 'audit')).output).toContain('The books hold. Looked at: accounts 2,');
});

test('an operator halts an account and releases it, whatever the environment says of live trading', async () => {
  const nonsense = { POLYMARKET_CHAIN_ID: 'x', POLYMARKET_SIGNATURE_TYPE: '9', POLYMARKET_API_KEY: 'alone' };
  const env = { DATABASE_URL: freshSqliteFile().url, LIVE_TRADING: 'on', AUTH_MODE: 'none', ...nonsense };
  const accounts = (...args: string[]) => stakeport({ env }, 'accounts', ...args);
  await accounts('enable-live', 'alice');
  const halted = /^alice may trade with real money; .*\nHalted since \S+ \(halted_by_operator\): a drill\n$/;
  expect((await accounts('halt', 'alice', '--reason', 'a drill')).output).toMatch(halted);
  expect((await accounts('show', 'alice')).output).toMatch(halted);
  expect((await accounts('release', 'alice')).output).toBe(
    'alice may trade with real money; 0 USDC are its, 0 of them free.\n',
  );
});

test('an operator halts every account at once', async () => {
  const env = { DATABASE_URL: freshSqliteFile().url };
  const accounts = (...args: string[]) => stakeport({ env }, 'accounts', ...args);
  expect((await accounts('list')).output).toBe('No account has money of its own.\n');
  for (const name of ['alice', 'bob']) await accounts('deposit', name, '5');
  const halted = /^alice .*; 5 USDC.*\nHalted .*\(halted_by_operator\): enough\nbob .*\nHalted .*: enough\n$/;
  expect((await accounts('halt-all', '--reason', 'enough')).output).toMatch(halted);
  expect((await accounts('list')).output).toMatch(halted);
});

test.each([
  [['withdraw', 'bob', '1'], 'The account has less'],
  [['deposit', 'bob', '-1'], 'It takes an amount above 0'],
  [['deposit', 'bob', '0'], 'It takes an amount above 0'],
  [['deposit', 'bob', '1.0000001'], 'at most 6 decimals'],
  [['enable-live', 'no account'], 'It takes 1 to 128 letters'],
])('stakeport accounts %s is refused in words', async (args, words) => {
  const { url } = freshSqliteFile();
  const { code, output } = await stakeport({ env: { DATABASE_URL: url } }, 'accounts', ...args);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(words) });
  expect(output).not.toMatch(/\n\s+at /);
});
