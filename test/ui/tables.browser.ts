import type { Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import type { AccountId, MarketId } from '../../src/core/ids.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anOrderDraft, clockAt, History, NOON } from '../support/builders.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openPage, openShared, overhang, type WatchedPage } from './watched-page.js';

const MANY = 10_000;
const PAGE = 50;
const OWNER = 'dev' as AccountId;
const refusal = { code: 'x', message: 'x' };

let app: RunningApp;
/** Fills every order at once. */
let filling: RunningApp;
beforeAll(async () => {
  filling = await startApp({ ui: 'paper', streams: {} });
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
  // By address: a page that stays open for long asks for the same again.
  const bytes = new Map<string, number>();
  page.on('response', async (response) => {
    if (!response.url().includes('/v1/exchange/orders')) return;
    bytes.set(response.url(), (await response.body()).length);
  });
  await page.getByRole('link', { name: 'Orders' }).click();
  await loaded(opened, 'Orders');
  await page.getByRole('button', { name: 'Older →' }).waitFor();
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  await page.getByRole('button', { name: 'Older →' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/after=/);
  await page.getByRole('button', { name: '← Newest' }).and(page.locator(':enabled')).waitFor();
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  await expect.poll(() => bytes.size).toBe(2);
  expect([...bytes.values()].reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
  expectNoFaults(opened);
  await opened.close();
});

test('filters are addresses: sent as a link, left by going back', async () => {
  const opened = await openShared(app.url, '/ui/orders?status=denied&market=market-3&from=2026-03-01&to=2026-03-01', {
    viewport: { width: 390, height: 844 },
  });
  const { page } = opened;
  await loaded(opened, 'Orders');
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  const show = page.getByLabel('Show');
  const filters = async () => [await show.inputValue(), await page.getByLabel('Market').inputValue()];
  await expect.poll(filters).toEqual(['denied', 'market-3']);
  await show.focus();
  await page.keyboard.press('s');
  await page.getByText('No orders here.').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('settled');
  await page.goBack();
  await expect.poll(() => rowsIn(opened)).toBe(PAGE);
  await expect.poll(() => show.inputValue()).toBe('denied');
  await page.getByText('scroll it sideways').waitFor();
  const box = page.getByRole('region', { name: 'Orders' });
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => box.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
  expect([await overhang(opened), await opened.axe()]).toEqual([0, []]);
  expectNoFaults(opened);
  await opened.close();
});

test('prices that are older than others beside them say so; no heading sorts one page alone', async () => {
  const opened = await openShared(app.url, '/ui/overview', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const { page } = opened;
  await loaded(opened, 'Overview');
  await page.route('**/v1/exchange/markets?*', async (route) => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    const row = (id: string, spread: string | null, at: string) => ({
      ...data[0],
      id,
      question: id,
      prices: { fresh: true, at: `2026-03-01T12:${at}.000Z`, outcomes: [], spread },
    });
    const rows = [row('wide', '0.1', '09:00'), row('none', null, '09:20'), row('narrow', '0.02', '06:50')];
    await route.fulfill({ response: answer, json: { ...rest, data: rows } });
  });
  await page.getByRole('link', { name: 'Markets' }).click();
  await loaded(opened, 'Markets');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('narrow').getByText('3 min older').waitFor();
  expect(await page.getByText('older', { exact: false }).count()).toBe(1);
  const names = () => page.getByRole('rowheader').allTextContents();
  expect(await names()).toEqual([expect.stringContaining('wide'), expect.anything(), expect.anything()]);
  // The venue has an order of its own: sorting one page of it would say nothing of the others.
  expect(await page.getByRole('columnheader').getByRole('button').count()).toBe(0);
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  await opened.close();
});

test('a list is read from its other end by the heading of its time', async () => {
  const opened = await openShared(app.url, '/ui/orders');
  const { page } = opened;
  await loaded(opened, 'Orders');
  const heading = page.getByRole('columnheader', { name: 'Placed' });
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
  const first = () => page.getByRole('rowheader').first().getByRole('link').getAttribute('href');
  const newest = await first();
  await heading.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Newer →' }).waitFor();
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
  const [oldest] = (await app.client.get('/v1/exchange/orders?order=oldest&limit=1')).json<{ data: { id: string }[] }>()
    .data;
  await expect.poll(first).toContain(oldest?.id);
  expect(new URL(page.url()).search).toBe('?sort=Placed');
  expect(await opened.axe()).toEqual([]);
  await page.goBack();
  await expect.poll(first).toBe(newest);
  expectNoFaults(opened);
  await opened.close();
});

test('an order is found by the last characters of its id; several that end so are listed', async () => {
  const { data } = (await app.client.get('/v1/exchange/orders?limit=2')).json<{ data: { id: string }[] }>();
  const [one, other] = data.map(({ id }) => id) as [string, string];
  const opened = await openShared(app.url, `/ui/orders/${one.slice(-8)}`);
  const { page } = opened;
  await page.getByText(`Id ${one}`).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/ui/orders/${one}`);
  const twin = `${other.slice(0, -8)}${one.slice(-8)}`;
  await page.route('**/v1/exchange/orders?limit=100', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(other, twin) });
  });
  await page.goto(`${app.url}/ui/orders/${one.slice(-8)}`);
  await page.getByText(`Several ids of orders end in ${one.slice(-8)}:`).waitFor();
  expect(await page.getByRole('listitem').locator('code').allTextContents()).toEqual([one, twin]);
  await page.goto(`${app.url}/ui/orders/00000000`);
  await page.getByText('None of the newest 1000 has an id that ends in 00000000.').waitFor();
  await opened.close();
});

test('orders and positions of several venues name the venue of each, those of one do not', async () => {
  const { open } = await bought('venues', [
    ['m-a', '10'],
    ['m-b', '10'],
  ]);
  const opened = await open('/ui/orders');
  const { page } = opened;
  await loaded(opened, 'Orders');
  const venues = page.getByRole('columnheader', { name: 'Venue' });
  await page.getByRole('row').nth(2).waitFor();
  expect(await venues.count()).toBe(0);
  // One of the markets is another venue's, as far as the page is told.
  const elsewhere = async (route: Route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/("market_id":"m-b"[^}]*"venue":")[^"]*/g, '$1elsewhere');
    await route.fulfill({ response: answer, body });
  };
  await page.route('**/v1/exchange/orders?*', elsewhere);
  await page.route('**/v1/portfolio?*', elsewhere);
  for (const title of ['Orders', 'Positions']) {
    await page.goto(`${new URL(page.url()).origin}/ui/${title.toLowerCase()}`);
    await loaded(opened, title);
    await venues.waitFor();
    await page.getByRole('cell', { name: 'elsewhere', exact: true }).first().waitFor();
  }
  await opened.close();
});

test('orders and bets of a strategy are filtered by the last characters of its id', async () => {
  const { client, open } = await bought('filterer', [['m-a', '10']]);
  const made = await client.post('/v1/strategies', {
    name: 'Filtered by',
    sport: 'nba',
    bankroll_cap: 100,
    stake_cap: 50,
    rules: { sizing: { method: 'flat', value: 5 } },
  });
  const { id } = made.json<{ id: string }>();
  const order = { market_id: 'm-b', token: 'YES', price: '0.5', size_usdc: '10', strategy_id: id };
  expect((await client.post('/v1/exchange/orders', order)).json()['status']).toBe('filled');
  const opened = await open(`/ui/orders?status=filled&strategy=${id.slice(-8).toUpperCase()}`);
  await loaded(opened, 'Orders');
  await expect.poll(() => marketsOf(opened)).toEqual(['m-b']);
  expect(await opened.page.getByLabel('Strategy').inputValue()).toBe(id);
  expect(new URL(opened.page.url()).search).toBe(`?status=filled&strategy=${id}`);
  await opened.page.goto(`${filling.url}/ui/results?strategy=${id.slice(-8)}`);
  await loaded(opened, 'Results');
  await expect.poll(() => marketsOf(opened)).toEqual(['m-b']);
  expectNoFaults(opened);
  await opened.close();
});

test('markets have the prices of both outcomes, and filters', async () => {
  const opened = await openPage(app.url, '/ui/markets');
  const { page } = opened;
  await loaded(opened, 'Markets');
  // Another filter is another address; a page that stays open for long asks for the same again.
  const asked = new Set<string>();
  page.on('request', (request) => request.url().includes('/exchange/markets') && asked.add(request.url()));
  const row = page.getByRole('row', { name: /Bucks/ });
  await row.waitFor();
  await page.getByLabel('Kind').focus();
  await page.keyboard.press('t');
  await expect.poll(() => [...asked].at(-1)).toContain('kind=total');
  await page.getByLabel('Sport').fill('chess');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe('?kind=total&sport=chess');
  expect(await page.getByLabel('Sport').evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => [...asked].at(-1)).toContain('sport=chess');
  expect(await opened.axe()).toEqual([]);
  expect([...asked].filter((address) => /kind=|sport=/.test(address))).toHaveLength(2);
  expectNoFaults(opened);
  await opened.close();
});

/** A trader who bought for so much in each market, and a page of theirs. */
async function bought(user: string, sizes: readonly (readonly [market_id: string, size_usdc: string])[]) {
  const headers = { 'x-dev-user': user };
  const client = filling.client.as(headers);
  const order = { token: 'YES', price: '0.5' };
  for (const [market_id, size_usdc] of sizes)
    await client.post('/v1/exchange/orders', { ...order, market_id, size_usdc });
  return { client, open: (path: string) => openPage(filling.url, path, { extraHTTPHeaders: headers }) };
}

/** The markets that rows lead to, in their order. */
const marketsOf = ({ page }: WatchedPage) =>
  page
    .locator('tbody tr a[href*="/markets/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').at(-1)));

test('positions are sorted by a heading, either way, and go back to their events', async () => {
  const trader = await bought('sorter', [
    ['m-a', '10'],
    ['m-b', '30'],
    ['m-c', '20'],
  ]);
  const opened = await trader.open('/ui/positions');
  const { page } = opened;
  await loaded(opened, 'Positions');
  const heading = page.getByRole('columnheader', { name: 'Cost' });
  await heading.getByRole('button').click();
  await expect.poll(() => marketsOf(opened)).toEqual(['m-b', 'm-c', 'm-a']);
  await heading.getByRole('button').click();
  await expect.poll(() => marketsOf(opened)).toEqual(['m-a', 'm-c', 'm-b']);
  expect(await heading.getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(() => page.getByRole('rowheader', { name: /If YES/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'By event' }).click();
  await page
    .getByRole('rowheader', { name: /If YES/ })
    .nth(2)
    .waitFor();
  await opened.close();
});

test('a bet that was sold before its result says so', async () => {
  const trader = await bought('seller', [
    ['m-a', '10'],
    ['m-b', '10'],
  ]);
  const sale = { market_id: 'm-a', token: 'YES', side: 'SELL', price: '0.5', size_usdc: '10' };
  expect((await trader.client.post('/v1/exchange/orders', sale)).json()['status']).toBe('filled');
  const opened = await trader.open('/ui/results');
  const { page } = opened;
  await loaded(opened, 'Results');
  const row = page.getByRole('region', { name: 'Bets' }).getByRole('row').filter({ hasText: 'm-a' });
  await row.getByText('sold early', { exact: true }).waitFor();
  await page.locator('select').filter({ hasText: 'sold early' }).selectOption({ label: 'sold early' });
  await expect.poll(() => page.getByRole('region', { name: 'Bets' }).getByRole('row').count()).toBe(2);
  await opened.close();
});

test('bets of a day are said to be of the newest orders where there are more', async () => {
  const MOST = 300;
  const { client, open } = await bought('busy', []);
  const order = { market_id: 'm-a', token: 'YES', price: '0.5', size_usdc: '1' };
  for (let placed = 0; placed < MOST; placed += 50)
    await Promise.all(Array.from({ length: 50 }, () => client.post('/v1/exchange/orders', order)));
  const opened = await open('/ui/overview');
  await loaded(opened, 'Overview');
  await opened.page
    .locator('.fact')
    .filter({ hasText: `Bets, of the newest ${MOST} orders${MOST}` })
    .waitFor();
  await opened.page.getByText('Turnover of those').waitFor();
  expectNoFaults(opened);
  await opened.close();
});

test('the worst bets and the best come first by their profit, on all pages', async () => {
  const bets = Array.from({ length: PAGE + 5 }, (_, n) => [`m-${n}`, '10'] as const);
  const trader = await bought('ender', bets);
  for (const [n, [market_id]] of bets.entries()) {
    const cents = 30 + ((n * 7) % 40);
    const sale = { market_id, token: 'YES', side: 'SELL', price: `0.${cents}`, size_usdc: `${cents / 5}` };
    await trader.client.post('/v1/exchange/orders', sale);
  }
  const opened = await trader.open('/ui/results?sort=Profit');
  const { page } = opened;
  const table = page.getByRole('region', { name: 'Bets' });
  const profits = async () =>
    (await table.locator('tbody tr td:nth-child(7)').allTextContents()).map((text) => Number(text.replace('−', '-')));
  await page.getByText('Only bets that ended').waitFor();
  await expect.poll(async () => (await profits()).length).toBe(PAGE);
  const worst = await profits();
  expect(worst).toEqual(worst.toSorted((a, b) => a - b));
  await page.getByRole('button', { name: 'Better →' }).click();
  await page.getByRole('button', { name: '← Worst' }).waitFor();
  await expect.poll(async () => (await profits()).length).toBe(5);
  expect(Math.min(...(await profits()))).toBeGreaterThanOrEqual(worst.at(-1) ?? 0);
  await page.getByRole('columnheader', { name: 'Profit' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Worse →' }).waitFor();
  await expect.poll(async () => (await profits())[0]).toBe(Math.max(...(await profits())));
  expect(await opened.axe()).toEqual([]);
  await opened.close();
});
