import { expect, test } from 'vitest';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import { command } from '../cli/in-process.js';
import { MARKET } from '../support/builders.js';
import { freshSqliteFile } from '../support/databases.js';
import { liveFixture } from '../support/live-fixture.js';

test('stakeport redeemable shows real-money results and how to redeem them', async () => {
  const { url } = freshSqliteFile();
  const ledger = await openSqlLedger(url);
  const { bought, settle } = await liveFixture(ledger, POLYMARKET);
  const redeemable = (...args: string[]) => command({ DATABASE_URL: url }, 'redeemable', ...args);
  expect(await redeemable()).toEqual({ code: 0, output: 'There is nothing to redeem.\n' });
  await bought();
  await settle(YES_WON);
  await ledger.close();
  const { code, output } = await redeemable();
  expect(code).toBe(0);
  expect(output).toContain(
    `${MARKET}, at polymarket\n  alice YES: 20 USDC\n  Redeem condition ${MARKET} for the wallet`,
  );
  expect(JSON.parse((await redeemable('--json')).output)).toMatchObject([
    { account: 'alice', market_id: MARKET, token: 'YES', redeemable_usdc: '20', venue: 'polymarket' },
  ]);
});

test('stakeport redeemable needs a persistent database', async () => {
  const { code, output } = await command({ DATABASE_URL: 'memory:' }, 'redeemable');
  expect({ code, output }).toMatchObject({ code: 78, output: expect.stringContaining('set DATABASE_URL') });
});
