import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { openSqlLedger, type SqlLedger } from '../../src/adapters/sql/index.js';
import { createProgram } from '../../src/cli/cli.js';
import { emptyPosition, type Position } from '../../src/core/account/position.js';
import type { MarketId, VenueName } from '../../src/core/ids.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { ALICE, BOB, NOON, usdc } from '../support/builders.js';
import { type FreshSqliteFile, freshSqliteFile } from '../support/databases.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { DEPOSIT, enrol, listedMarket, liveEnvironment } from '../support/live-server.js';
import { TICKERS } from '../support/ticker-venue.js';
import { inEnvironment, stakeport } from './in-process.js';

const RAIN = listedMarket('rain');
/** Each venue has a market of this id. */
const ID = RAIN.conditionId as MarketId;
const QUESTION = 'Will it be rain?';

let file: FreshSqliteFile;
let venue: FakeVenue;
beforeEach(async () => {
  [file, venue] = [freshSqliteFile(), await FakeVenue.start({ markets: [RAIN] })];
  venue.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  venue.keyFor(KNOWN_ADDRESS);
  await enrol(file.url);
});
afterEach(async () => {
  await venue.close();
  file.remove();
});

async function onRecord(put: (ledger: SqlLedger) => Promise<unknown>): Promise<void> {
  const ledger = await openSqlLedger(file.url);
  await put(ledger).finally(() => ledger.close());
}

/** What a result paid for shares at the venue. */
function paid(account: Position['account'], at: VenueName, dollars: string): Position {
  const key = { account, paper: false, venue: at, marketId: ID, outcome: 'YES', strategyId: null } as const;
  return { ...emptyPosition(key), returned: usdc(dollars), redeemable: usdc(dollars) };
}

/** As on a server that trades at the fake venue. */
const runHere = (env: Readonly<Record<string, string>> = {}) =>
  inEnvironment(liveEnvironment({ databaseUrl: file.url, venue, env }));

describe('stakeport redeemable, with positions at two venues in markets of one id', () => {
  beforeEach(() =>
    onRecord(async (ledger) => {
      for (const position of [paid(ALICE, POLYMARKET, '20'), paid(ALICE, TICKERS, '5'), paid(BOB, TICKERS, '7')]) {
        await ledger.write({ account: position.account }, () => ({ result: null, positions: [position] }));
      }
    }),
  );

  it('lists each market separately, with its own venue’s instructions', async () => {
    runHere();
    const { printed } = await stakeport('redeemable');
    expect(printed.split('\n')).toEqual([
      `${QUESTION}, at polymarket`,
      '  alice Otters: 20 USDC',
      expect.stringContaining(`Redeem condition ${ID} for the wallet`),
      expect.stringContaining('A plain wallet pays the gas itself'),
      expect.stringContaining('The books follow'),
      `${ID}, at tickers`,
      '  alice YES: 5 USDC',
      '  bob YES: 7 USDC',
      '  This command line does not know the venue tickers, so that it cannot say how shares are redeemed there.',
      '  Redeem them as tickers says. The books follow once the program that brings this venue along reports it.',
      '',
    ]);
  });

  it('names the venue of each in JSON', async () => {
    runHere();
    const unknown = [expect.stringContaining('does not know the venue tickers'), expect.any(String)];
    expect(JSON.parse((await stakeport('redeemable', '--json')).printed)).toMatchObject([
      {
        account: 'alice',
        market_id: ID,
        venue: 'polymarket',
        outcome_label: 'Otters',
        redeemable_usdc: '20',
        instructions: { length: 3 },
      },
      { account: 'alice', market_id: ID, venue: 'tickers', redeemable_usdc: '5', instructions: unknown },
      { account: 'bob', market_id: ID, venue: 'tickers', redeemable_usdc: '7', instructions: unknown },
    ]);
  });

  it('requests nothing from any venue where MARKET_DATA names none', async () => {
    runHere({ MARKET_DATA: 'none' });
    expect((await stakeport('redeemable')).printed).toContain(`${ID}, at polymarket\n  alice YES: 20 USDC\n`);
    expect(venue.log.requests).toEqual([]);
  });
});

describe('stakeport external, with orders of wallets at two venues', () => {
  it('names the venue of each', async () => {
    const [tokenId = ''] = RAIN.tokens;
    const seen = { marketId: ID, tokenId, side: null, price: null, shares: null, resting: true };
    const orders = [TICKERS, POLYMARKET].map((at) => ({
      ...seen,
      venueOrderId: '0x1',
      venue: at,
      firstSeen: new Date(NOON),
    }));
    await onRecord((ledger) => ledger.recordExternalOrders(orders));
    runHere();
    const { printed } = await stakeport('external');
    expect(printed.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['order', 'venue', 'market', 'outcome'],
      ['0x1', 'polymarket', QUESTION, 'Otters'],
      ['0x1', 'tickers', ID, '-'],
      [''],
    ]);
    const listed = JSON.parse((await stakeport('external', '--json')).printed);
    expect(listed).toMatchObject([
      { venue: 'polymarket', question: QUESTION, outcome_label: 'Otters' },
      { venue: 'tickers', outcome_label: null },
    ]);
  });
});

describe('stakeport doctor, with cash at two venues', () => {
  it('compares the cash at its own venue alone with the wallet', async () => {
    await enrol(file.url, TICKERS);
    runHere();
    const { ready, venue: examined, checks } = JSON.parse((await stakeport('doctor', '--json')).printed);
    expect([ready, examined]).toEqual([true, 'polymarket']);
    const words = (level: string) =>
      checks.filter((one: { level: string }) => one.level === level).map((one: { message: string }) => one.message);
    expect(words('ok')).toContain('The configuration is valid. The venue examined is polymarket.');
    expect(words('ok')).toContain('1 may trade with real money: alice. Together they have 1000 USDC at polymarket.');
    expect(words('warning')).toEqual([
      'At tickers they have 1000 USDC, which is not compared with any wallet here. Is there a venue of this name?',
    ]);
  });
});

describe('stakeport cancel-all', () => {
  it('names the venue at which it cancelled', async () => {
    runHere();
    expect((await stakeport('cancel-all')).printed).toBe('Cancelled 0 orders at polymarket; 0 were already gone.\n');
    expect(JSON.parse((await stakeport('cancel-all', '--json')).printed)).toEqual({
      venue: 'polymarket',
      cancelled: 0,
      gone: 0,
      kept: [],
    });
  });

  it('names in its help the keys of the venues that are known', async () => {
    const help = (await createProgram()).helpInformation().replace(/\s+/g, ' ');
    expect(help).toContain('its key (POLYMARKET_PRIVATE_KEY, or the file with it).');
  });
});
