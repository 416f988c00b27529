import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { examine } from '../../src/cli/doctor.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Usdc } from '../../src/core/money.js';
import { ofService } from '../../src/core/posting/trading-watch.js';
import { UNTOUCHED } from '../../src/core/trading/state.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { openStore } from '../../src/server/wiring/store.js';
import { aFixture, listed } from '../adapters/polymarket/execution/exchange-fixture.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { type FreshSqliteFile, freshSqliteFile } from '../support/databases.js';
import { KNOWN_KEY } from '../support/fake-venue/plain-client.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { DEPOSIT, enrol, listedMarket, liveEnvironment, TRADER } from '../support/live-server.js';
import { Trading } from '../support/trading.js';

const BOB = 'bob' as AccountId;
let [venue, file]: [FakeVenue, FreshSqliteFile] = [] as never;
const time = { skewMs: 0 };

beforeEach(async () => {
  time.skewMs = 0;
  const clock = () => Date.now() + time.skewMs;
  [venue, file] = [await FakeVenue.start({ markets: [listedMarket()], clock }), freshSqliteFile()];
  venue.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  venue.keyFor(KNOWN_ADDRESS);
  await enrol(file.url);
});

afterEach(async () => {
  await venue.close();
  file.remove();
});

/** What the doctor says in the environment of a server here, a line a check. */
async function said(env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  const whole = liveEnvironment({ databaseUrl: file.url, venue, env });
  for await (const { level, words } of examine(whole)) lines.push(`${level}: ${words}`);
  return lines;
}

const amiss = async (env: Readonly<Record<string, string>> = {}) =>
  (await said(env)).filter((line) => !line.startsWith('ok'));

async function manage(change: (accounts: ManageAccounts) => Promise<unknown>): Promise<void> {
  const store = await openStore({ database: { kind: 'sql', url: file.url } }, false);
  await change(new ManageAccounts(store.ledger, { clock: systemClock, ids: uuidV7 })).finally(() => store.close());
}

const account = () => venue.account(KNOWN_ADDRESS);

describe('Where all is ready', () => {
  it('the doctor finds nothing wrong and changes nothing at the venue', async () => {
    const lines = await said();
    expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([]);
    const output = lines.join('\n');
    for (const words of [KNOWN_ADDRESS, 'type 0: the key itself pays', 'The chain is 137', 'has 1000 USDC']) {
      expect(output).toContain(words);
    }
    expect(output).toContain(`1 may trade with real money: ${TRADER}. Together they have 1000 USDC at polymarket.`);
    expect(output).toContain('The outcome of every order with real money is known.');
    expect(output.toLowerCase()).not.toContain(KNOWN_KEY.slice(2, 18));
    expect(venue.log.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('it reports that live trading is still off', async () => {
    expect(await amiss({ LIVE_TRADING: 'off' })).toEqual([expect.stringContaining('missing: LIVE_TRADING is not on')]);
  });
});

describe('The doctor says what is wrong, and what to do:', () => {
  it('every mistake in the configuration', async () => {
    const lines = await said({ AUTH_MODE: 'dev', POLYMARKET_PRIVATE_KEY_FILE: '' });
    expect(lines).toEqual([
      expect.stringContaining('missing: AUTH_MODE must be keys'),
      expect.stringContaining('missing: POLYMARKET_PRIVATE_KEY_FILE is required'),
    ]);
  });

  it('every mistake, and that live trading is off', async () => {
    const lines = await said({ LIVE_TRADING: '', MARKET_DATA: 'none' });
    expect(lines).toEqual([
      expect.stringContaining('missing: LIVE_TRADING is not on'),
      'missing: MARKET_DATA must be polymarket or kalshi with LIVE_TRADING=on.',
    ]);
  });

  it('a missing key, while the venue and accounts are still checked', async () => {
    const output = (await said({ POLYMARKET_PRIVATE_KEY_FILE: '/nowhere/key' })).join('\n');
    expect(output).toContain('missing: The key file /nowhere/key cannot be read: there is no such file.');
    expect(output).toContain('ok: The clock of this machine agrees with the venue.');
    expect(output).toContain('ok: The venue accepts orders of version 2.');
    expect(output).toContain('ok: The venue serves the location of this machine');
    expect(output).not.toContain('API credentials');
    expect(output).toContain('1 may trade with real money');
  });

  it('a missing database, and which command creates one for real money', async () => {
    file.remove();
    const output = (await said()).join('\n');
    expect(output).toContain('with LIVE_TRADING=on it does not: stakeport accounts enable-live NAME does');
  });

  it('a venue that is not reached', async () => {
    const lines = await amiss({ POLYMARKET_CLOB_URL: 'http://127.0.0.1:1' });
    expect(lines).toEqual([expect.stringContaining('missing: http://127.0.0.1:1 does not return its time')]);
  });

  it.each<[string, () => unknown, string]>([
    ['a clock that is off', () => Object.assign(time, { skewMs: 60_000 }), 'warning: The clock of this machine is'],
    [
      'other orders',
      () => Object.assign(venue.state, { version: 3 }),
      'missing: The venue accepts orders of version 3',
    ],
    [
      'a place not served',
      () => Object.assign(venue.state.geoblock, { blocked: true }),
      'missing: The venue does not serve the',
    ],
    [
      'a restricted wallet',
      () => Object.assign(account(), { closedOnly: true }),
      'missing: The wallet may only reduce',
    ],
    [
      'too little money',
      () => Object.assign(account(), { collateral: 5n }),
      'warning: The wallet has 0.000005 USDC at polymarket, less than',
    ],
    [
      'no allowance',
      () => account().allowances.clear(),
      'missing: The wallet has no allowance for the exchange contract',
    ],
  ])('%s', async (_, breakIt, words) => {
    breakIt();
    expect((await amiss())[0]).toContain(words);
  });

  it('one contract that may take nothing, the other being allowed', async () => {
    const [, negRisk = ''] = [...account().allowances.keys()];
    account().allowances.set(negRisk, 0n);
    expect(await amiss()).toEqual([expect.stringMatching(/^missing: The wallet has no allowance for .*negative risk/)]);
  });

  it('a wallet without money', async () => {
    account().collateral = 0n;
    expect((await amiss())[0]).toContain('missing: The wallet has no USDC at the venue.');
  });

  it('credentials that are refused', async () => {
    const lines = await amiss({
      POLYMARKET_API_KEY: crypto.randomUUID(),
      POLYMARKET_API_SECRET: 'c2VjcmV0',
      POLYMARKET_API_PASSPHRASE: 'a-phrase',
    });
    expect(lines).toEqual([expect.stringContaining('missing: The venue rejects the configured API credentials')]);
  });

  it('an account that is halted, and how to let it go on', async () => {
    await manage((accounts) => accounts.halt(TRADER, 'a drill'));
    expect(await amiss()).toEqual([
      expect.stringMatching(
        /^missing: alice has been halted since .*: a drill\)\. Remove the cause, then: stakeport accounts release/,
      ),
    ]);
  });

  it('an account halted by the service, and where to find why', async () => {
    await manage((accounts) => accounts.allowLive(BOB, true));
    const store = await openStore({ database: { kind: 'sql', url: file.url } }, false);
    const trading = ofService(UNTOUCHED, 'rejections_in_a_row', 'halted', 'a drill', new Date());
    await store.ledger.write({ account: BOB }, ({ account: now }) => ({
      result: null,
      accounts: [{ ...now, trading }],
    }));
    await store.close();
    const lines = await said();
    expect(lines).toContainEqual(
      `ok: 1 may trade with real money: ${TRADER}. Enabled, but halted or reducing: bob. Together they have 1000 USDC at polymarket.`,
    );
    expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([
      'missing: bob is halted. What stops it, and how that is lifted: stakeport accounts show bob.',
    ]);
    await manage((accounts) => accounts.halt(TRADER, 'a drill'));
    expect((await said()).join('\n')).toContain('ok: None may trade with real money now.');
  });

  it('no account that may trade, and more booked than the wallet has', async () => {
    await manage((accounts) => accounts.allowLive(BOB, true));
    await manage((accounts) => accounts.deposit(BOB, POLYMARKET, 1n as Usdc));
    await manage((accounts) => accounts.allowLive(BOB, false));
    expect(await amiss()).toEqual([expect.stringContaining('bob has 0.000001 USDC at polymarket and may not trade')]);
    await manage((accounts) => accounts.allowLive(BOB, true));
    expect(await amiss()).toEqual([expect.stringContaining('The wallet has 1000 USDC at polymarket, less than what')]);
    await manage((accounts) => accounts.allowLive(BOB, false));
    await manage((accounts) => accounts.allowLive(TRADER, false));
    expect(await amiss()).toContainEqual(expect.stringContaining('Run: stakeport accounts enable-live NAME'));
  });

  it('orders on record that another wallet paid for', async () => {
    const fixture = await aFixture();
    const store = await openStore({ database: { kind: 'sql', url: file.url } }, false);
    const markets = Object.assign(new NoMarketData(POLYMARKET), { find: async () => listed() });
    const trading = new Trading(store.ledger, { live: fixture.exchange, markets });
    await trading.place({ account: TRADER, paper: false }, { mayTradeLive: true });
    await store.close();
    await fixture.close();
    expect(await amiss()).toEqual([]);
    const funder = `0x${'ab'.repeat(20)}`;
    const lines = await amiss({ POLYMARKET_SIGNATURE_TYPE: '2', POLYMARKET_FUNDER: funder });
    expect(lines).toContainEqual(expect.stringContaining(`belong to another wallet than ${funder}. Use the key`));
  });

  it('a missing database', async () => {
    const lines = await amiss({ DATABASE_URL: `${file.url}.not` });
    expect(lines).toEqual([
      expect.stringContaining('missing: The accounts cannot be read. DATABASE_URL names no database'),
    ]);
  });
});

it('Credentials that were never made are not made by the doctor', async () => {
  const fresh = await FakeVenue.start({});
  fresh.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  const lines: string[] = [];
  for await (const { level, words } of examine(liveEnvironment({ databaseUrl: file.url, venue: fresh }))) {
    if (level !== 'ok') lines.push(`${level}: ${words}`);
  }
  expect(lines).toEqual([expect.stringContaining('warning: The key has no API credentials yet.')]);
  expect(fresh.log.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await fresh.close();
});
