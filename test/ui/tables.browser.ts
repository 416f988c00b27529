import { beforeAll, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import type { AccountId, MarketId } from '../../src/core/ids.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anOrderDraft, clockAt, History, NOON } from '../support/builders.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openPage, overhang, type WatchedPage } from './watched-page.js';

const MANY = 10_000;
const PAGE = 50;
const OWNER = 'dev' as AccountId;
const refusal = { code: 'x', message: 'x' };

let app: RunningApp;
beforeAll(async () => {
  const ledger = new MemoryLedger();
  const made = Array.from({ length: MANY }, (_, n) => {
    const draft = { ...anOrderDraft({ marketId: `market-${n % 7}` as MarketId }), account: OWNER };
    return new History(draft, null, clockAt(NOON)).add({
      type: 'denied',
      refusal: n % 1000 === 0 ? { ...refusal, code: 'rare' } : refusal,
    });
  });
  const [orders, events] = [made.map(({ order }) => order), made.flatMap((one) => one.events)];
  await ledger.write({ account: OWNER }, () => ({ result: null, orders, events }));
  const market = new ScriptedMarket(aMarket(), new ManualTimeline());
  app = await startApp({ ui: 'paper', streams: {}, ledger, markets: market });
});

const rowsIn = ({ page }: WatchedPage) => page.locator('tbody tr').count();

test('with ten thousand orders the page asks for what it shows', async () => {
  const opened = await openPage(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  const asked: string[] = [];
  let bytes = 0;
  page.on('response', async (response) => {
    if (!response.url().includes('/v1/exchange/orders')) return;
    asked.push(response.url());
    bytes += (await response.body()).length;
  });
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('button', { name: 'Older →' }).waitFor();
  expect(await rowsIn(opened)).toBe(PAGE);
  await page.getByRole('button', { name: 'Older →' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/after=/);
  await page.getByRole('button', { name: '← Newest' }).and(page.locator(':enabled')).waitFor();
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  expect(asked).toHaveLength(2);
  expect(bytes).toBeLessThan(150_000);
  expectNoFaults(opened);
  await opened.close();
});

test('filters are addresses: sent as a link, left by going back', async () => {
  const opened = await openPage(app.url, '/ui/orders?status=denied&market=market-3', {
    viewport: { width: 390, height: 844 },
  });
  const { page } = opened;
  await loaded(opened, 'Orders');
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  const show = page.getByLabel('Show');
  expect([await show.inputValue(), await page.getByLabel('Market').inputValue()]).toEqual(['denied', 'market-3']);
  await show.focus();
  await page.keyboard.press('s');
  await page.getByText('No orders here.').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('settled');
  await page.goBack();
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  expect(await show.inputValue()).toBe('denied');
  await page.getByText('scroll it sideways').waitFor();
  const box = page.getByRole('region', { name: 'Orders, newest first' });
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => box.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
  expect([await overhang(opened), await opened.axe()]).toEqual([0, []]);
  expectNoFaults(opened);
  await opened.close();
});

test('markets have the prices of both outcomes, and filters', async () => {
  const opened = await openPage(app.url, '/ui/markets');
  const { page } = opened;
  await loaded(opened, 'Markets');
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/exchange/markets') && asked.push(request.url()));
  const row = page.getByRole('row', { name: /Bucks/ });
  await row.waitFor();
  await page.getByLabel('Kind').focus();
  await page.keyboard.press('t');
  await expect.poll(() => asked.at(-1)).toContain('kind=total');
  await page.getByLabel('Sport').fill('chess');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe('?kind=total&sport=chess');
  expect(await page.getByLabel('Sport').evaluate((one) => one === document.activeElement)).toBe(true);
  expect(asked).toHaveLength(2);
  expect(await opened.axe()).toEqual([]);
  expectNoFaults(opened);
  await opened.close();
});
