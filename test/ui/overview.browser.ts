import { expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { alarmed } from '../../src/core/account/account-alarms.js';
import type { AccountId } from '../../src/core/ids.js';
import type { MarketRef } from '../../src/core/market/market.js';
import { SampleEquity } from '../../src/core/usecases/accounts/background/sample-equity.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { startApp } from '../support/app.js';
import { anExecution, anOrderContext, shares, usdc } from '../support/builders.js';
import { accepts, isUnsure, ScriptedSimulator } from '../support/scripted-exchange.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openShared } from './watched-page.js';

const DEV = 'dev' as AccountId;
const MINUTE = 60_000;

test("the overview shows equity, the zone's daily profit, possible loss and problems", async () => {
  // Ten minutes before midnight in New York; in UTC the day is five hours old.
  const clock = new ManualTimeline('2026-03-02T04:50:00.000Z');
  const market = new ScriptedMarket(aMarket(), clock);
  const ledger = new MemoryLedger();
  const bought = anExecution({ shares: shares('20'), price: 500_000n as never, fee: usdc('0') });
  const paper = new ScriptedSimulator({ place: accepts([bought], 'none') });
  const context = anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  const app = await startApp({
    ui: 'paper',
    dayZone: 'America/New_York',
    streams: {},
    ledger,
    markets: market,
    paper,
    context,
  });
  const place = (size_usdc: string) =>
    app.client.post('/v1/exchange/orders', { market_id: market.market.id, token: 'YES', price: '0.5', size_usdc });
  const bids = (text: string) => {
    market.shown = { bids: levels(text), asks: levels('0.50x1000') };
  };
  await app.client.put('/v1/limits', { exposure_usdc: '20', drawdown_usdc: '100' });
  bids('0.40x1000');
  expect((await place('10')).json()['status']).toBe('filled');
  const quotes = { find: ({ marketId }: MarketRef) => market.find(marketId), book: () => market.book() };
  await new SampleEquity(ledger, quotes, clock).execute(MINUTE);
  await clock.pass(20 * MINUTE);
  bids('0.45x1000');
  Object.assign(paper.script, { place: isUnsure() });
  expect((await place('5')).json()['status']).toBe('unknown');

  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  const card = (title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const figures = async (title: string) =>
    Object.fromEntries(
      await Promise.all(
        (await card(title).locator('.fact').all()).map((fact) =>
          Promise.all([fact.locator('dt').textContent(), fact.locator('dd').textContent()]),
        ),
      ),
    );
  await card('Worth').locator('.big').getByText('999.00').waitFor();
  await card('Limits').getByText('15.00 of 20.00').waitFor();
  expect(await figures('Worth')).toMatchObject({
    'Profit, all time': '−1.00',
    Positions: '9.00',
    'Drawdown, as its limit counts it': '1.00',
  });
  await card('Today (America/New_York)').locator('.big').getByText('+1.00').waitFor();
  expect(await figures('Today (America/New_York)')).toMatchObject({
    Bets: '1',
    'Unknown orders': '1',
    Turnover: '0.00',
  });
  expect(
    await card('Limits')
      .getByRole('progressbar')
      .evaluateAll((bars) => bars.map((bar) => bar.ariaLabel)),
  ).toEqual(['Drawdown: 1 percent used', 'Worst loss in all markets: 75 percent used']);

  await card('What needs you').getByText('The venue has not said what became of').waitFor();
  const happened = await card('What happened').getByRole('listitem').allTextContents();
  expect(happened.filter((text) => text.includes('BUY'))).toHaveLength(2);
  const alarm = {
    kind: 'webhook_disabled',
    subject: 'hook-1',
    detail: 'It took nothing.',
    since: new Date(),
    until: null,
  } as const;
  await ledger.write({ account: DEV }, ({ account }) => ({ result: null, accounts: [alarmed(account, alarm)] }));
  await card('What needs you').getByText('It took nothing.').waitFor();
  await page.getByRole('banner').getByText('1 alarm').waitFor();
  expect(await opened.axe()).toEqual([]);
  expectNoFaults(opened);
  await opened.close();
});

test('an account without live trading is not shown as using real money', async () => {
  const ledger = new MemoryLedger();
  const app = await startApp({
    ui: 'live',
    streams: {},
    ledger,
    markets: new ScriptedMarket(aMarket(), new ManualTimeline()),
  });
  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  const card = page
    .locator('section.card')
    .filter({ has: page.getByRole('heading', { name: 'Trading', exact: true }) });
  const real = card.locator('.fact').filter({ hasText: 'Real money' });
  await real.getByText('not enabled', { exact: true }).waitFor();
  await card.getByText('Nobody and no limit stops new bets on paper.').waitFor();
  await page.getByRole('button', { name: 'LIVE', exact: true }).click();
  await page.getByRole('banner').getByText('Not enabled for real money').waitFor();

  const enable = new ManageAccounts(ledger, { clock: systemClock, ids: uuidV7 });
  await enable.allowLive(DEV, true);
  await real.getByText('trading', { exact: true }).waitFor();
  await page.getByRole('banner').getByText('Trading', { exact: true }).waitFor();
  await enable.halt(DEV, 'a drill');
  await real.getByText('halted', { exact: true }).waitFor();
  await opened.close();
});

test('a plot is read by arrow keys and pointer, and asks for its range', async () => {
  const app = await startApp({ ui: 'paper', streams: {} });
  const opened = await openShared(app.url, '/ui/login');
  const { page } = opened;
  const asked: string[] = [];
  await page.route('**/v1/portfolio/history?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('every') ?? 'all points');
    const data = Array.from({ length: 40 }, (_, at) => ({
      at: `2026-03-01T12:${59 - at}:00.000Z`,
      equity_usdc: `${1000 + at}`,
      profit_usdc: '0',
      fees_usdc: '0',
    }));
    return route.fulfill({ json: { data, next_cursor: null } });
  });
  await page.goto(`${app.url}/ui/overview`);
  await loaded(opened, 'Overview');
  const cursor = page.getByRole('slider', { name: /Equity 1,000\.00 USDC/ });
  const reading = page.locator('.reading');
  await cursor.focus();
  await page.keyboard.press('ArrowLeft');
  await reading.getByText('2026-03-01 12:58:00: 1,001.00').waitFor();
  await page.keyboard.press('Home');
  await reading.getByText('2026-03-01 12:20:00: 1,039.00').waitFor();
  await cursor.hover({ position: { x: 2, y: 20 } });
  await reading.getByText('2026-03-01 12:20:00: 1,039.00').waitFor();
  expect(await page.locator('.times.clock span').allTextContents()).toEqual(['03-01 12:20', '12:30', '12:40', '12:50']);
  expect(asked.includes('hour')).toBe(false);
  await page.getByRole('button', { name: 'A week' }).click();
  await expect.poll(() => asked).toContain('hour');
  expect(await opened.axe()).toEqual([]);
  expectNoFaults(opened);
  await opened.close();
});
