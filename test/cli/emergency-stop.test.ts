import { describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { haltAll } from '../../src/cli/accounts.js';
import { withLedger } from '../../src/cli/with-ledger.js';
import type { Account } from '../../src/core/account/account.js';
import { StorageUnavailable } from '../../src/core/errors.js';
import type { AccountId } from '../../src/core/ids.js';
import { ofService } from '../../src/core/posting/trading-watch.js';
import { UNTOUCHED } from '../../src/core/trading/state.js';
import { type HaltedAccount, ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { freshSqliteFile } from '../support/databases.js';
import { keyFile } from '../support/live-server.js';
import { inEnvironment, outcomeOf, stakeport } from './in-process.js';

async function deploymentWith(...names: readonly string[]): Promise<string> {
  const { url } = freshSqliteFile();
  const ledger = await openSqlLedger(url);
  const accounts = new ManageAccounts(ledger, { clock: systemClock, ids: uuidV7 });
  for (const name of names) await accounts.allowLive(name as AccountId, true);
  await ledger.close();
  return url;
}

const NOW = new Date('2026-03-01T12:00:00.000Z');

async function changed(url: string, change: (account: Account) => Account): Promise<void> {
  const ledger = await openSqlLedger(url);
  await ledger.write({ account: 'alice' as AccountId }, ({ account }) => ({
    result: undefined,
    accounts: [change(account)],
  }));
  await ledger.close();
}

describe('the emergency stop', () => {
  it('halts no account in the default database on a mistyped DATABASE_URL', async () => {
    inEnvironment({ DATABSE_URL: await deploymentWith('alice') });
    expect(await stakeport('accounts', 'halt', 'alice')).toEqual({
      code: 78,
      printed: '',
      error: 'DATABSE_URL is not a setting, and DATABASE_URL is not set. Did you mean DATABASE_URL? Nothing was done.',
    });
  });

  it('says a halted account cannot order, and what a release would change', async () => {
    inEnvironment({ DATABASE_URL: await deploymentWith('alice') });
    const halted = await stakeport('accounts', 'halt', 'alice', '--reason', 'enough');
    expect(halted.printed).toMatch(
      /^alice may place no new orders with real money; .*\nHalted since .*: enough\nOnce released it may again\.\n$/,
    );
    expect((await stakeport('accounts', 'disable-live', 'alice')).printed).toMatch(
      /\nReleased, it may not either: see accounts enable-live\.\n$/,
    );
    await stakeport('accounts', 'enable-live', 'alice');
    expect((await stakeport('accounts', 'release', 'alice')).printed).toMatch(
      /^The halt is lifted \(halted_by_operator\): enough\nalice may trade with real money; .*\n$/,
    );
  });

  it('says that a release does not lift a halt by the service', async () => {
    const url = await deploymentWith('alice');
    const reason = 'The venue rejected 5 orders in a row';
    await changed(url, (now) => ({
      ...now,
      trading: ofService(UNTOUCHED, 'rejections_in_a_row', 'halted', reason, NOW),
    }));
    inEnvironment({ DATABASE_URL: url });
    const stop = `trading is halted for the account, by service since ${NOW.toISOString()}: ${reason}`;
    const stays = `may place no new orders with real money; 0 USDC are its, 0 of them free.\nNot lifted by a release: ${stop}.`;
    const how =
      'Remove the cause, then: stakeport resume --scope account, with a key of the account that has risk:write.';
    expect((await stakeport('accounts', 'show', 'alice')).printed).toBe(`alice ${stays} ${how}\n`);
    expect((await stakeport('accounts', 'list')).printed).toBe(`alice ${stays} ${how}\n`);
    expect((await stakeport('accounts', 'release', 'alice')).printed).toBe(
      `There was no halt to release.\nalice ${stays} ${how}\n`,
    );
    const halted = await stakeport('accounts', 'halt', 'alice', '--reason', 'a drill');
    expect(halted.printed).not.toContain('Once released it may again');
    const released = await stakeport('accounts', 'release', 'alice');
    expect(released.printed).toBe(`The halt is lifted (halted_by_operator): a drill\nalice ${stays} ${how}\n`);
    const shown = JSON.parse((await stakeport('accounts', 'show', 'alice', '--json')).printed);
    expect(shown).toMatchObject({ effective: 'halted', states: [{ code: 'rejections_in_a_row', scope: 'account' }] });
  });

  it('takes any reason, as one line that cannot pass for another', async () => {
    inEnvironment({ DATABASE_URL: await deploymentWith('alice', 'bob') });
    const { printed } = await stakeport('accounts', 'halt', 'alice', '--reason', 'a\nbob is not\u001b[31m halted\n');
    expect(printed).toContain(': a bob is not [31m halted\n');
    expect((await stakeport('accounts', 'halt', 'bob', '--reason', ' ')).printed).toContain(
      ': an operator stopped it\n',
    );
  });

  it('reports in JSON which accounts it halted, and which were already halted', async () => {
    inEnvironment({ DATABASE_URL: await deploymentWith('alice', 'bob') });
    await stakeport('accounts', 'halt', 'bob', '--reason', 'a drill');
    const { code, printed } = await stakeport('accounts', 'halt-all', '--json');
    expect({ code, document: JSON.parse(printed) }).toEqual({
      code: 0,
      document: {
        halted: ['alice'],
        halted_before: [{ account: 'bob', code: 'halted_by_operator', message: 'a drill', at: expect.any(String) }],
        not_halted: [],
      },
    });
  });
});

describe('a stop that fails', () => {
  const names = async () => ['alice', 'bob'] as AccountId[];
  const bob = { account: 'bob', wasHalted: false } as HaltedAccount;
  const silent = () => Promise.reject(new StorageUnavailable());

  it('says that no account was halted when none could be read', async () => {
    const { code, error } = await outcomeOf(() => haltAll({ names: silent, halt: silent }, 'enough', false));
    expect({ code, error }).toEqual({ code: 69, error: expect.stringMatching(/ No account was halted\.$/) });
  });

  it.each([
    ['the database falls silent', new StorageUnavailable(), 69],
    ['this program makes a mistake', new TypeError('x is not a function'), 1],
  ])('halts the others, and names whom it did not, when %s', async (_, why, exit) => {
    const halt = async (account: AccountId) => {
      if (account === 'alice') throw why;
      return bob;
    };
    const { code, printed, error } = await outcomeOf(() => haltAll({ names, halt }, 'x', false));
    expect({ code, printed, error }).toEqual({
      code: exit,
      printed: 'Halted: bob.\n',
      error: expect.stringMatching(/^NOT HALTED, as far as is known: alice\. /),
    });
  });
});

it('a change without an answer may have been made: check before repeating', async () => {
  inEnvironment({ DATABASE_URL: await deploymentWith('alice') });
  const noAnswer = () => Promise.reject(new StorageUnavailable());
  const doubt = / It is not known whether it was done: check with .* before you repeat it\.$/;
  expect((await outcomeOf(() => withLedger('change', noAnswer))).error).toMatch(doubt);
  expect((await outcomeOf(() => withLedger('read', noAnswer))).error).not.toMatch(doubt);
});

describe('cancelling everything', () => {
  const nowhere = 'http://127.0.0.1:1';

  it('needs only the wallet and its exchange among the settings', async () => {
    const nonsense = {
      PORT: 'x',
      LOG_LEVEL: 'x',
      DATABASE_URL: 'x',
      AUTH_MODE: 'x',
      KEY_PEPPER: 'x',
      MARKET_DATA: 'x',
    };
    const live = { POLYMARKET_CLOB_URL: nowhere, POLYMARKET_PRIVATE_KEY_FILE: keyFile(), LIVE_MAX_ORDER_USDC: '0' };
    inEnvironment({ ...nonsense, ...live, LIVE_TRADING: 'off', NODE_ENV: 'production' });
    expect(await stakeport('cancel-all')).toEqual({
      code: 69,
      printed: '',
      error: expect.stringContaining(`Nothing was cancelled. The venue at ${nowhere} does not answer`),
    });
  });

  it('reports missing settings, and that nothing was cancelled', async () => {
    inEnvironment({});
    const { code, error } = await stakeport('cancel-all', '--json');
    expect({ code, error }).toEqual({
      code: 78,
      error: expect.stringMatching(/^Nothing was cancelled\. .*\n {2}POLYMARKET_PRIVATE_KEY_FILE is required .*\n/),
    });
  });
});
