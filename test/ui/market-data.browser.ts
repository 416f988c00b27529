import { expect, test } from 'vitest';
import type { MarketDataState } from '../../src/core/market/market.js';
import { startApp } from '../support/app.js';
import { expectNoFaults, loaded, openShared } from './watched-page.js';

test.each<[MarketDataState, string, string | null]>([
  ['none', 'No market data', null],
  ['waiting', 'Recording not begun', 'The recording has not begun'],
  ['ended', 'Recording ended', 'The recording has ended'],
])('market data that is %s is not shown as live or faultless', async (state, words, note) => {
  const app = await startApp({ ui: 'paper', streams: { marketData: () => state } });
  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  await page.locator('.pulse.still').getByText(words).waitFor();
  if (note !== null) await page.locator('.note').getByText(note).waitFor();
  await page.getByText('Nothing waits for you.').waitFor();
  for (const promise of ['Live data', 'Nothing is wrong']) expect(await page.getByText(promise).count()).toBe(0);
  expect(await opened.axe()).toEqual([]);
  expectNoFaults(opened);
  await opened.close();
});

test('a playing recording is labelled, and its end shows without a reload', async () => {
  let state: MarketDataState = 'playing';
  const app = await startApp({ ui: 'paper', streams: { marketData: () => state } });
  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  await page.locator('.pulse.open').getByText('Recorded data').waitFor();
  await page.getByText('Nothing is wrong').waitFor();
  state = 'ended';
  await page.locator('.pulse.still').getByText('Recording ended').waitFor();
  await page.getByText('there is nothing to bet on').waitFor();
  await opened.close();
});

test('before any data is read the page shows no figure or state', async () => {
  const app = await startApp({ ui: 'paper', streams: {} });
  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  // The service answers no list and no reading any more, and the page is opened anew.
  await page.route('**/v1/**', (route) => (route.request().url().includes('/stream') ? route.continue() : undefined));
  await page.reload();
  await page.locator('header').getByText('Reading…').waitFor();
  await page.locator('main').getByText('Reading…').waitFor();
  for (const claim of ['Trading', 'Nothing is wrong', '0.00', 'Event 0'])
    expect(await page.getByText(claim, { exact: true }).count(), claim).toBe(0);
  await opened.close();
});

test('readings that are on their way are no zeros', async () => {
  const app = await startApp({ ui: 'paper', streams: {} });
  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  await page.route(/\/v1\/(portfolio|limits\?)/, () => undefined);
  await page.reload();
  await page.getByRole('heading', { name: 'Today (UTC)' }).waitFor();
  const card = (title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title }) });
  expect(await card('Worth').textContent()).toBe('WorthReading…');
  expect(await card('Limits').textContent()).toBe('LimitsReading…');
  expect(await card('Equity').textContent()).toContain('Reading…');
  expect(await card('Today (UTC)').locator('.big').textContent()).toBe('— USDC');
  await opened.close();
});
