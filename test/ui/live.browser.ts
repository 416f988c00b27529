import { expect, test } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import type { VenueName } from '../../src/core/ids.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import type { Authenticator } from '../../src/ports/authenticator.js';
import { startApp } from '../support/app.js';
import { ALICE, anExecution, anOrderContext, shares, usdc } from '../support/builders.js';
import { accepts, ScriptedExchange, takes } from '../support/scripted-exchange.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openPage } from './watched-page.js';

const ORDER = { market_id: 'will-it-rain', token: 'YES', price: '0.5', size_usdc: '10' };

test('real money and paper are separate, and real-money risk is not offered', async () => {
  const ledger = new MemoryLedger();
  const context = anOrderContext({ clock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  const app = await startApp({
    ui: 'live',
    streams: {},
    ledger,
    context,
    authenticator: 'keys',
    sessions: { mayRiskMoney: false },
    markets: new NoMarketData(),
    live: new ScriptedExchange({ place: takes() }),
  });
  const manage = new ManageAccounts(ledger, context);
  await manage.allowLive(ALICE, true);
  await manage.deposit(ALICE, NO_VENUE, usdc('100'));
  const program = await app.keyed(ALICE, ...AUTH_SCOPES);
  await program.put('/v1/limits', { order_usdc: '5' });
  await program.post('/v1/exchange/orders', { ...ORDER, size_usdc: '4' });
  const opened = await openPage(app.url, '/ui/overview');
  const { page } = opened;
  await page.getByLabel('API key').fill(String(program.headers['authorization']).slice('Bearer '.length));
  await page.keyboard.press('Enter');
  await loaded(opened, 'Overview');
  const worth = page.locator('section').filter({ hasText: 'Worth' });
  const shows = async (money: 'PAPER' | 'LIVE', sum: string) => {
    await page.getByRole('button', { name: money, exact: true }).click();
    await page.getByRole('button', { name: money, pressed: true }).waitFor();
    await worth.locator('.big').getByText(sum).waitFor();
    await expect(page.getByText('1,100.00').count()).resolves.toBe(0);
  };
  await shows('LIVE', '100.00');
  await shows('PAPER', '1,000.00');
  await page.getByRole('link', { name: 'Positions' }).click();
  await loaded(opened, 'Positions');
  await page.getByRole('button', { name: 'Sell', exact: true }).waitFor();
  await page.getByRole('button', { name: 'LIVE', exact: true }).click();
  await page.getByText('You hold nothing').waitFor();
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  await page.getByRole('dialog').getByText('Nothing is held with real money.').waitFor();
  await page.getByRole('button', { name: 'No new bets', exact: true }).click();
  await page.getByText(/Halted: no new bets, event \d+/).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);
  // Somebody takes that away: the server refuses.
  await page.getByRole('button', { name: 'Resume' }).evaluate((button) => button.removeAttribute('disabled'));
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Let it bet again' }).click();
  await page.getByRole('alert').getByText('UI_TRADING=on').waitFor();
  expect((await program.get('/v1/trading/state')).json()['effective']).toBe('halted');
  await opened.close();
});

test('play money of a demo is named on every page, and nothing is called live or real', async () => {
  const ledger = new MemoryLedger();
  const context = anOrderContext({ clock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  const live = new ScriptedExchange({ place: takes() });
  const app = await startApp({
    ui: 'demo',
    streams: {},
    ledger,
    context,
    authenticator: 'keys',
    markets: new NoMarketData(),
    live,
  });
  const manage = new ManageAccounts(ledger, context);
  await manage.allowLive(ALICE, true);
  await manage.deposit(ALICE, 'own_demo' as VenueName, usdc('100'));
  const program = await app.keyed(ALICE, ...AUTH_SCOPES);
  const opened = await openPage(app.url, '/ui/overview');
  const { page } = opened;
  await page.getByLabel('API key').fill(String(program.headers['authorization']).slice('Bearer '.length));
  await page.keyboard.press('Enter');
  await loaded(opened, 'Overview');
  await page.getByRole('button', { name: 'PLAY MONEY', exact: true }).click();
  await page.getByRole('definition').getByText('trading', { exact: true }).waitFor();
  for (const name of ['Overview', 'Positions', 'Orders', 'Strategies', 'Results', 'System']) {
    await page.getByRole('link', { name, exact: true }).click();
    await loaded(opened, name);
    expect(await page.locator('body').innerText()).not.toMatch(/\bLIVE\b|[Rr]eal money/);
  }
  await page.getByText('PLAY MONEY possible').waitFor();
  await opened.close();
});

test('in the LIVE view a halt says the commands that sell, at which worst price', async () => {
  const ledger = new MemoryLedger();
  const clock = new ManualTimeline();
  const context = anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  const market = new ScriptedMarket(aMarket(), clock);
  market.shown = { bids: levels('0.48x12 0.45x1000'), asks: levels('0.50x1000') };
  const bought = anExecution({ shares: shares('20'), price: 500_000n as never, fee: usdc('0') });
  const live = new ScriptedExchange({ place: accepts([bought], 'none') });
  const authenticator = 'keys';
  const app = await startApp({ ui: 'live', streams: {}, ledger, context, authenticator, markets: market, live });
  const manage = new ManageAccounts(ledger, context);
  await manage.allowLive(ALICE, true);
  await manage.deposit(ALICE, NO_VENUE, usdc('100'));
  const program = await app.keyed(ALICE, ...AUTH_SCOPES);
  const { id, venue } = market.market;
  const order = await program.post('/v1/exchange/orders', { ...ORDER, market_id: id, paper: false });
  expect(order.json()).toMatchObject({ status: 'filled', filled_shares: '20' });
  const opened = await openPage(app.url, '/ui/overview');
  const { page } = opened;
  await page.getByLabel('API key').fill(String(program.headers['authorization']).slice('Bearer '.length));
  await page.keyboard.press('Enter');
  await loaded(opened, 'Overview');
  await page.getByRole('button', { name: 'LIVE', exact: true }).click();
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/20\.00 shares: worst price 0\.45, brings at least \+9\.00 USDC/).waitFor();
  const command = `stakeport sell ${id} YES --usdc 9 --price 0.45 --time-in-force FAK --venue ${venue} --live`;
  await dialog.getByText(command, { exact: true }).waitFor();
  expect(await opened.axe()).toEqual([]);
  await opened.close();
});

test('without sessions the page keeps its token in memory only', async () => {
  const principal = { account: ALICE, credential: 'token-1', kind: 'jwt', scopes: new Set(AUTH_SCOPES) } as const;
  let isValid = true;
  const authenticator: Authenticator = {
    authenticate: async ({ authorization }) => {
      if (authorization === undefined) return { kind: 'missing' };
      return isValid && authorization === 'Bearer a-token' ? { kind: 'principal', principal } : { kind: 'invalid' };
    },
  };
  const app = await startApp({ ui: 'paper', streams: {}, authenticator });
  const opened = await openPage(app.url, '/ui/orders');
  const { page } = opened;
  await page.getByText('a reload asks again').waitFor();
  await page.getByLabel('API key').fill('a-token');
  await page.keyboard.press('Enter');
  await loaded(opened, 'Orders');
  await page.getByText('No orders here').waitFor();
  expect(await page.evaluate<unknown>('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
    '',
    0,
    0,
  ]);
  expectNoFaults(opened);
  isValid = false;
  await page.getByText('You are logged out').waitFor();
  isValid = true;
  await page.reload();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await opened.close();
});
