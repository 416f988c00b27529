import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../support/app.js';
import { freePort } from '../support/free-port.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { ScriptedSimulator } from '../support/scripted-exchange.js';
import { expectNoFaults, loaded, openPage, openShared } from './watched-page.js';

const ORDER = { market_id: 'will-it-rain', token: 'YES', price: '0.5', size_usdc: '10' };

let app: RunningApp;
let client: Client;
let user = 0;
let headers: Record<string, string>;

beforeAll(async () => {
  app = await startApp({ ui: 'paper', streams: {} });
});

beforeEach(() => {
  user += 1;
  headers = { 'x-dev-user': `trader-${user}` };
  client = app.client.as(headers);
});

const open = (path: string) => openShared(app.url, path, { extraHTTPHeaders: headers });
const stateOf = async () => (await client.get('/v1/trading/state')).json<{ effective: string }>().effective;

describe('halting', () => {
  test('works by keyboard alone and shows its event as the result', async () => {
    const opened = await open('/ui/overview');
    const { page } = opened;
    await loaded(opened, 'Overview');
    const focused = () => page.evaluate<string>(`document.activeElement?.textContent ?? ''`);
    for (let presses = 0; (await focused()) !== 'Halt'; presses += 1) {
      expect(presses).toBeLessThan(30);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Halt' }).waitFor();
    for (let presses = 0; (await focused()) !== 'No new bets'; presses += 1) {
      expect(presses).toBeLessThan(10);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText(/Halted: no new bets, event \d+/).waitFor();
    expect(await stateOf()).toBe('halted');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Halt');
    await page.getByText('Halted: no new bets').first().waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  test('works without JavaScript', async () => {
    const opened = await openPage(app.url, '/ui/halt', { extraHTTPHeaders: headers, javaScriptEnabled: false });
    await opened.page.getByRole('button', { name: 'No new bets', exact: true }).click();
    await opened.page.getByText(/Halted since .* no new bets/).waitFor();
    expect(await stateOf()).toBe('halted');
    await opened.close();
  });

  test('is ended by Resume', async () => {
    await client.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'a test' });
    const opened = await open('/ui/overview');
    await loaded(opened, 'Overview');
    await opened.page.getByRole('button', { name: 'Resume' }).click();
    await opened.page.getByRole('button', { name: 'Let it bet again' }).click();
    await opened.page.getByText(/Trading again, event \d+/).waitFor();
    expect(await stateOf()).toBe('active');
    await opened.close();
  });

  test('by a double click and Enter is sent only once', async () => {
    const opened = await open('/ui/overview');
    const { page } = opened;
    await loaded(opened, 'Overview');
    let sent = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/trading/state', async (route) => {
      if (route.request().method() === 'POST') {
        sent += 1;
        await held;
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Halt', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.evaluate(`{
      const form = document.querySelector('dialog form');
      for (let count = 0; count < 5; count += 1) form.requestSubmit();
      const button = form.querySelector('button[type=submit]');
      button.click();
      button.click();
    }`);
    await page.keyboard.press('Enter');
    await page.getByText('Sending…').waitFor();
    answer();
    await page.getByText(/Halted: no new bets, event \d+/).waitFor();
    expect(sent).toBe(1);
    await opened.close();
  });
});

test('a resting order is cancelled, and the result is the event', async () => {
  const resting = await startApp({ ui: 'paper', streams: {}, paper: new ScriptedSimulator() });
  const placed = (await resting.client.post('/v1/exchange/orders', ORDER)).json();
  expect(placed['status']).toBe('open');
  const opened = await openShared(resting.url, '/ui/orders');
  const { page } = opened;
  await loaded(opened, 'Orders');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel this order' }).click();
  await page.getByText(/Order cancelled, event \d+: the order is cancelled/).waitFor();
  expect((await resting.client.get(`/v1/exchange/orders/${placed['id']}`)).json()['status']).toBe('cancelled');
  expectNoFaults(opened);
  await opened.close();
});

/** Long before the page takes a connection for lost that says nothing. */
const SHOWN_MS = 15_000;

describe('what happens', () => {
  test('a fill is on the page without its orders being read again', async () => {
    const opened = await open('/ui/orders');
    await loaded(opened, 'Orders');
    await opened.page.getByText('No orders here').waitFor();
    await opened.page.route('**/v1/exchange/orders?*', (route) => route.abort());
    const placed = await client.post('/v1/exchange/orders', ORDER);
    expect(placed.json()['status']).toBe('filled');
    await opened.page.getByRole('cell', { name: 'filled' }).waitFor();
    await opened.close();
  });

  test('a killed server is shown before a silent one; the page recovers itself', async () => {
    const port = String(await freePort());
    const env = { DATABASE_URL: 'memory:', PORT: port };
    const server = await startServer({ env });
    const opened = await openPage(server.url, '/ui/overview');
    await loaded(opened, 'Overview');
    await server.kill('SIGKILL');
    await opened.page.getByRole('alert').getByText('What you see may be old').waitFor({ timeout: SHOWN_MS });
    await startServer({ env });
    await opened.page.locator('.pulse.still').waitFor();
    await opened.page.getByText('What you see may be old').waitFor({ state: 'detached' });
    await new Client(server.url).post('/v1/exchange/orders', ORDER);
    await opened.page
      .getByText(/filled with/)
      .first()
      .waitFor();
    await opened.close();
  });
});

describe('a page that stays open', () => {
  test('stays usable with 1,000 positions', async () => {
    for (let from = 0; from < 1000; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          client.post('/v1/exchange/orders', { ...ORDER, market_id: `m-${from + at}` }),
        ),
      );
    const opened = await open('/ui/positions');
    const { page } = opened;
    await loaded(opened, 'Positions');
    await page.getByText('1000 positions').waitFor();
    // Usable, because only what is looked at is drawn.
    const drawn = async () => [
      await page.getByRole('rowheader', { name: /m-.*If YES/ }).count(),
      await page.locator('main *').count(),
    ];
    await expect.poll(async () => (await drawn())[0]).toBe(25);
    const [, nodes = 0] = await drawn();
    expect(nodes).toBeLessThan(2000);
    await page.getByRole('button', { name: /Show 25 more/ }).click();
    await page
      .getByRole('rowheader', { name: /m-.*If YES/ })
      .nth(49)
      .waitFor();
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.getByRole('button', { name: 'Older →' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(51);
    await opened.close();
  });

  test('does not grow with an hour of events', async () => {
    const opened = await openPage(app.url, '/ui/overview', { extraHTTPHeaders: headers });
    const { page } = opened;
    await loaded(opened, 'Overview');
    const tools = await page.context().newCDPSession(page);
    const measured = async () => {
      await tools.send('HeapProfiler.collectGarbage');
      const heap = await page.evaluate(
        () => (performance as never as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
      );
      return { heap, nodes: await page.evaluate<number>(`document.querySelectorAll('*').length`) };
    };
    /** Two orders a second are six events; an hour of one order every three seconds. */
    const trade = async (orders: number) => {
      for (let done = 0; done < orders; done += 50)
        await Promise.all(Array.from({ length: 50 }, () => client.post('/v1/exchange/orders', ORDER)));
      const { head } = (await client.get('/v1/events?limit=1')).json<{ head: string }>();
      await page.locator(`[data-head="${head}"]`).waitFor();
    };
    await trade(1000);
    const before = await measured();
    await trade(1200);
    const after = await measured();
    expect(after.nodes).toBeLessThanOrEqual(before.nodes * 1.05);
    expect(after.heap).toBeLessThan(before.heap + 2_000_000);
    expectNoFaults(opened);
    await opened.close();
  });
});

test('with real money on the server, risky actions are disabled, halting stays', async () => {
  const live = await startApp({ ui: 'live', streams: {} });
  await live.client.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'a test' });
  const opened = await openShared(live.url, '/ui/overview');
  await loaded(opened, 'Overview');
  const { page } = opened;
  expect(await page.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Halt', exact: true }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'LIVE' }).click();
  await page.getByRole('button', { name: 'LIVE', pressed: true }).waitFor();
  await opened.close();
});
