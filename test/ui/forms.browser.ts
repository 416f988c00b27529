import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningApp, STRATEGY, startApp } from '../support/app.js';
import { freePort } from '../support/free-port.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { ScriptedSimulator } from '../support/scripted-exchange.js';
import { loaded, openPage, openShared } from './watched-page.js';

const ORDER = { market_id: 'will-it-rain', token: 'YES', price: '0.5', size_usdc: '10' };
const STATE = '/v1/trading/state';

let app: RunningApp;
let client: Client;
let user = 0;

beforeAll(async () => {
  app = await startApp({ ui: 'paper', streams: {}, paper: new ScriptedSimulator() });
});

/** A trader of whom two orders rest. */
beforeEach(async () => {
  user += 1;
  client = app.client.as({ 'x-dev-user': `trader-${user}` });
  for (let orders = 0; orders < 2; orders += 1) await client.post('/v1/exchange/orders', ORDER);
});

const open = async (path: string, title: string) => {
  const opened = await openShared(app.url, path, { extraHTTPHeaders: { 'x-dev-user': `trader-${user}` } });
  await loaded(opened, title);
  return opened;
};
const effective = async () => (await client.get(STATE)).json()['effective'];
const resting = async () => {
  const { data } = (await client.get('/v1/exchange/orders?status=open')).json<{ data: unknown[] }>();
  return data.length;
};

test('a halt form shows its orders and money and allows reducing only', async () => {
  await client.post(STATE, { scope: 'account', state: 'reducing', stops: 'live', reason: 'real money alone' });
  const opened = await open('/ui/overview', 'Overview');
  const { page } = opened;
  // What stops real money is nothing that this server could do.
  await page.getByRole('listitem').getByText('real money alone').waitFor();
  expect(
    await page.locator('section').filter({ hasText: 'What needs you' }).getByText('real money alone').count(),
  ).toBe(0);
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  await page.getByRole('dialog').getByText('PAPER: 2 resting orders for 20.00 USDC').waitFor();
  await page.getByRole('radio', { name: 'Only bets that lower a worst case' }).check();
  await page.getByRole('button', { name: 'Only bets that lower a worst case' }).click();
  await page.getByText(/Only bets that lower a worst case, event \d+/).waitFor();
  expect([await effective(), await resting()]).toEqual(['reducing', 2]);
  await opened.close();
});

test('a halt may cancel what rests, and says how much that was', async () => {
  const opened = await open('/ui/orders', 'Orders');
  const { page } = opened;
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  await page.getByRole('radio', { name: 'No new bets, and cancel what rests' }).check();
  await page.getByRole('button', { name: 'No new bets, and cancel what rests' }).click();
  await page.getByText(/Halted: no new bets, event \d+ .* Cancelled 2 orders, 0 still work/).waitFor();
  expect([await effective(), await resting()]).toEqual(['halted', 0]);
  await opened.close();
});

test('what is shown is cancelled at once', async () => {
  const opened = await open('/ui/orders', 'Orders');
  await opened.page.getByRole('button', { name: 'Cancel what is shown (2)' }).click();
  await opened.page.getByRole('dialog').getByText('2 resting orders for 20.00 USDC').waitFor();
  await opened.page.getByRole('button', { name: 'Cancel 2 orders' }).click();
  await opened.page.getByText('2 are over, 0 still work').waitFor();
  expect(await resting()).toBe(0);
  await opened.close();
});

test('a strategy is paused and resumed, each shown by its version event', async () => {
  const { id } = (await client.post('/v1/strategies', STRATEGY)).json<{ id: string }>();
  const opened = await open('/ui/strategies', 'Strategies');
  const { page } = opened;
  const isPaused = async () => (await client.get(`/v1/strategies/${id}`)).json()['is_paused'];
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Deny its orders' }).click();
  await page.getByText(/event \d+: version 2/).waitFor();
  expect(await isPaused()).toBe(true);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Let it place orders' }).click();
  await page.getByText(/event \d+: version 3/).waitFor();
  expect(await isPaused()).toBe(false);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Halt strategy' }).click();
  // The orders of the account that are not its own are left alone.
  await page.getByRole('dialog').getByText('PAPER: 0 resting orders').waitFor();
  await opened.close();
});

test('an action with a lost answer is resent and happens once', async () => {
  const opened = await open('/ui/overview', 'Overview');
  const { page } = opened;
  let sent = 0;
  await page.route(`**${STATE}`, async (route) => {
    if (route.request().method() !== 'POST' || sent > 0) return route.continue();
    sent += 1;
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  const confirm = page.getByRole('button', { name: 'No new bets', exact: true });
  await confirm.click();
  await page.getByRole('alert').getByText('It may have happened or not').waitFor();
  await confirm.click();
  await page.getByText(/Halted: no new bets, event \d+/).waitFor();
  const { data } = (await client.get('/v1/trading/history')).json<{ data: unknown[] }>();
  expect(data).toHaveLength(1);
  await opened.close();
});

test('what was read a while ago is grey and says its age', async () => {
  const server = await startServer({ env: { DATABASE_URL: 'memory:', PORT: String(await freePort()) } });
  await new Client(server.url).post('/v1/exchange/orders', ORDER);
  const opened = await openPage(server.url, '/ui/overview');
  const { page } = opened;
  await page.clock.install();
  await page.reload();
  await loaded(opened, 'Overview');
  await server.kill('SIGKILL');
  await page.getByRole('alert').getByText('What you see may be old').waitFor();
  await page.clock.fastForward('01:00');
  await page
    .locator('.stale')
    .getByText(/^Read \d+ s ago/)
    .waitFor();
  // Everything is as old as the last word of the server, also that nothing stops bets.
  await page.locator('header .stale').getByText('Trading').waitFor();
  await page.locator('main .stale').getByRole('heading', { name: 'Today' }).waitFor();
  await page.getByText('The service did not answer.').first().waitFor();
  expect(await opened.axe()).toEqual([]);
  await opened.close();
});
