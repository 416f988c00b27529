import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anOrderContext, usdc } from '../support/builders.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openShared } from './watched-page.js';

let app: RunningApp;
let market: ScriptedMarket;

interface Placed {
  readonly side: string;
  readonly price: string;
}

const show = (bids: string, asks: string) => {
  market.shown = { bids: levels(bids), asks: levels(asks) };
};
const orders = async () => (await app.client.get('/v1/exchange/orders')).json<{ data: Placed[] }>().data;

/** Answers the first order with a 503, and lets every other one through. */
async function refuseFirst(page: Page): Promise<void> {
  const body = JSON.stringify({ type: '/problems/unavailable', title: 'Unavailable', status: 503, detail: 'Not now.' });
  let isFirst = true;
  await page.route('**/v1/exchange/orders', (route) => {
    if (!isFirst || route.request().method() !== 'POST') return route.fallback();
    isFirst = false;
    return route.fulfill({ status: 503, contentType: 'application/problem+json', body });
  });
}

beforeEach(async () => {
  const clock = new ManualTimeline();
  market = new ScriptedMarket(aMarket(), clock);
  show('0.48x1000', '0.50x1000');
  const context = anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  app = await startApp({ ui: 'paper', streams: {}, markets: market, context });
});

test('an order review stays as read until the book moves past it', async () => {
  const opened = await openShared(app.url, '/ui/markets');
  const { page } = opened;
  await loaded(opened, 'Markets');
  await page.getByRole('rowheader').first().getByRole('link').click();
  const ticket = page.getByRole('region', { name: 'Paper order' });
  await ticket.getByText('20.00', { exact: true }).first().waitFor();
  await ticket.getByRole('button', { name: 'Review order' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Buy on paper' });
  await dialog.getByText('for 10 USDC at 0.5 or better').waitFor();
  const read = await dialog.locator('.fact').allTextContents();

  // Cheaper is within what was read.
  show('0.47x1000', '0.49x1000');
  await page.getByText('0.49', { exact: true }).first().waitFor();
  expect([await dialog.locator('.fact').allTextContents(), await confirm.isEnabled()]).toEqual([read, true]);

  show('0.58x1000', '0.60x1000');
  await dialog.getByRole('alert').getByText('The book has moved past this').waitFor();
  expect([await dialog.locator('.fact').allTextContents(), await confirm.isEnabled()]).toEqual([read, false]);
  expect(await opened.axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Review again' }).click();
  await dialog.getByText('for 10 USDC at 0.6 or better').waitFor();
  await confirm.click();
  await dialog.getByText(/Order \w+, event \d+: PAPER BUY .* at 0\.60/).waitFor();
  expect(await orders()).toMatchObject([{ side: 'BUY', price: '0.6' }]);
  expectNoFaults(opened);
  await opened.close();
});

test('a sale review stays as read until the bids move past it', async () => {
  await app.client.post('/v1/exchange/orders', {
    market_id: market.market.id,
    token: 'YES',
    price: '0.5',
    size_usdc: '10',
  });
  const opened = await openShared(app.url, '/ui/positions');
  const { page } = opened;
  await loaded(opened, 'Positions');
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Sell on paper' });
  const price = dialog.getByLabel('Limit price');
  await dialog.getByText('Brings at least, if it fills').waitFor();
  const read = await dialog.locator('.fact').allTextContents();
  expect([await price.inputValue(), await confirm.isEnabled()]).toEqual(['0.48', true]);

  show('0.40x1000', '0.42x1000');
  await dialog.getByRole('alert').getByText('The book has moved past this').waitFor();
  expect(await dialog.locator('.fact').allTextContents()).toEqual(read);
  expect([await price.inputValue(), await confirm.isEnabled()]).toEqual(['0.48', false]);
  await dialog.getByRole('button', { name: 'Review again' }).click();
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  expect(await price.inputValue()).toBe('0.4');
  await confirm.click();
  await dialog.getByText(/Order \w+, event \d+: PAPER SELL .* at 0\.40/).waitFor();
  expect((await orders()).filter(({ side }) => side === 'SELL')).toMatchObject([{ price: '0.4' }]);
  expectNoFaults(opened);
  await opened.close();
});

test('a refused order needs a new review once the book moved on', async () => {
  const opened = await openShared(app.url, '/ui/markets');
  const { page } = opened;
  await refuseFirst(page);
  await loaded(opened, 'Markets');
  await page.getByRole('rowheader').first().getByRole('link').click();
  const ticket = page.getByRole('region', { name: 'Paper order' });
  await ticket.getByText('20.00', { exact: true }).first().waitFor();
  await ticket.getByRole('button', { name: 'Review order' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Buy on paper' });
  await confirm.click();
  await dialog.getByText('Not now.').waitFor();
  await expect.poll(() => confirm.isEnabled()).toBe(true);

  show('0.58x1000', '0.60x1000');
  await dialog.getByText('The book has moved past this').waitFor();
  expect(await confirm.isEnabled()).toBe(false);
  await dialog.getByRole('button', { name: 'Review again' }).click();
  await confirm.click();
  await dialog.getByText(/Order \w+, event \d+: PAPER BUY .* at 0\.60/).waitFor();
  expect(await orders()).toMatchObject([{ side: 'BUY', price: '0.6' }]);
  await opened.close();
});

test('a refused sale needs a new review once the bids moved on', async () => {
  await app.client.post('/v1/exchange/orders', {
    market_id: market.market.id,
    token: 'YES',
    price: '0.5',
    size_usdc: '10',
  });
  const opened = await openShared(app.url, '/ui/positions');
  const { page } = opened;
  await refuseFirst(page);
  await loaded(opened, 'Positions');
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Sell on paper' });
  await dialog.getByText('Brings at least, if it fills').waitFor();
  await confirm.click();
  await dialog.getByText('Not now.').waitFor();

  show('0.40x1000', '0.42x1000');
  await dialog.getByText('The book has moved past this').waitFor();
  expect(await confirm.isEnabled()).toBe(false);
  await dialog.getByRole('button', { name: 'Review again' }).click();
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.click();
  await dialog.getByText(/Order \w+, event \d+: PAPER SELL .* at 0\.40/).waitFor();
  expect((await orders()).filter(({ side }) => side === 'SELL')).toMatchObject([{ price: '0.4' }]);
  await opened.close();
});

test('a book that arrives leaves a price alone that is being typed', async () => {
  const opened = await openShared(app.url, '/ui/markets');
  const { page } = opened;
  await loaded(opened, 'Markets');
  let deliver: () => void = () => {};
  const isDelivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route('**/book?**', async (route) => {
    await isDelivered;
    await route.fallback();
  });
  await page.getByRole('rowheader').first().getByRole('link').click();
  const ticket = page.getByRole('region', { name: 'Paper order' });
  const price = ticket.getByLabel('Limit price');
  await price.focus();
  deliver();
  await page.getByText('0.50', { exact: true }).first().waitFor();
  await page.keyboard.type('0.02');
  expect(await price.inputValue()).toBe('0.02');
  await ticket.getByText('Costs at most, fees included').waitFor();
  await opened.close();
});

test('reading all anew, after events that were missed, keeps what is typed', async () => {
  const opened = await openShared(app.url, '/ui/markets');
  const { page } = opened;
  await loaded(opened, 'Markets');
  await page.getByRole('rowheader').first().getByRole('link').click();
  const price = page.getByRole('region', { name: 'Paper order' }).getByLabel('Limit price');
  await price.fill('0.02');
  const reset = 'event: reset\ndata: {"floor":"1","head":"0"}\n\n';
  await page.route('**/v1/events/stream**', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: reset, headers: { 'cache-control': 'no-cache' } }),
  );
  let answer: () => void = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v1/limits', async (route) => {
    await isAnswered;
    await route.fallback();
  });
  const isAsked = page.waitForRequest('**/v1/limits');
  // A page that is shown again begins its stream anew.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await isAsked;
  await page.unroute('**/v1/events/stream**');
  show('0.47x1000', '0.49x1000');
  await page.getByText('0.49', { exact: true }).first().waitFor();
  answer();
  await page.locator('.pulse.open').waitFor();
  expect(await price.inputValue()).toBe('0.02');
  await opened.close();
});
