import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { type RunningApp, STRATEGY, startApp, THIS } from '../support/app.js';
import type { Client } from '../support/http.js';
import { Receiver } from '../support/receiver.js';
import { expectNoFaults, loaded, openPage, type WatchedPage } from './watched-page.js';

const WEBHOOKS = '/v1/webhooks';
const LONG = 60_000;

const ledger = new MemoryLedger();
let app: RunningApp;
let receiver: Receiver;
let trader: Client;
let user = 0;

beforeAll(async () => {
  app = await startApp({ ui: 'paper', streams: {}, authenticator: 'keys', ledger });
  receiver = await Receiver.start();
});

afterAll(() => receiver.close());

beforeEach(async () => {
  user += 1;
  receiver.answering = () => 204;
  trader = await app.keyed(`trader-${user}`, ...AUTH_SCOPES);
});

async function openSystem(client = trader): Promise<WatchedPage> {
  const opened = await openPage(app.url, '/ui/system');
  await opened.page.getByLabel('API key').fill(String(client.headers['authorization']).slice('Bearer '.length));
  await opened.page.keyboard.press('Enter');
  await loaded(opened, 'System');
  return opened;
}

const card = ({ page }: WatchedPage, title: string) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

test('servers on the database are shown with versions and exclusive roles', async () => {
  const other = { owner: 'other-machine:7:cd', version: '0.2.0', automates: true };
  await ledger.leases.announce(other, LONG);
  await ledger.leases.claim('paper', other.owner, LONG);
  const opened = await openSystem();
  const rows = card(opened, 'Servers').getByRole('row');
  await rows.filter({ hasText: THIS.owner }).getByText('this one').waitFor();
  await rows.filter({ hasText: THIS.owner }).getByText('nothing: it waits').waitFor();
  const theirs = rows.filter({ hasText: other.owner });
  for (const text of ['0.2.0', 'may run here', 'paper orders and strategies']) await theirs.getByText(text).waitFor();
  expect(await opened.axe()).toEqual([]);
  expectNoFaults(opened);
  await opened.close();
});

test('keys are shown without secrets, and only to administrators', async () => {
  const opened = await openSystem();
  const key = String(trader.headers['authorization']).slice('Bearer '.length);
  await card(opened, 'API keys').getByText(`trader-${user}`).waitFor();
  expect(await opened.page.content()).not.toContain(key.split('_').at(-1));
  await opened.close();
  const other = await openSystem(await app.keyed(`trader-${user}`, 'orders:read', 'strategies:read'));
  await card(other, 'API keys').getByText('Only a key with the scope admin may see the keys').waitFor();
  await card(other, 'Servers').getByText('Only a key with the scope admin may see the servers').waitFor();
  expect(await other.page.getByRole('alert').count()).toBe(0);
  await other.close();
});

test('changes are listed newest first with their author and update live', async () => {
  await trader.put('/v1/limits', { order_usdc: '50' });
  await trader.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'Lunch' });
  await trader.post('/v1/exchange/orders', { market_id: 'm', token: 'YES', price: '0.5', size_usdc: '10' });
  const opened = await openSystem();
  const rows = card(opened, 'Record of changes').locator('tbody tr');
  const kinds = () => rows.locator('td:nth-child(3)').allTextContents();
  await rows.getByText('HALTED, account: Lunch').waitFor();
  expect(await kinds()).toEqual(['Trading stopped or let go on', 'Limits changed', 'Key created']);
  const { credential } = (await trader.get('/v1/session')).json<{ credential: string }>();
  await rows.filter({ hasText: 'Lunch' }).getByText(credential, { exact: true }).waitFor();
  await rows.getByText('Limits of the account: one order 50').waitFor();
  await trader.post('/v1/strategies', STRATEGY);
  await rows.getByText('Strategy Home favourites v1: created').waitFor();
  expect(await kinds()).toEqual(['Strategy created', 'Trading stopped or let go on', 'Limits changed', 'Key created']);
  await opened.close();
});

test('a record of rare kinds goes on through pages without any', async () => {
  await trader.put('/v1/limits', { order_usdc: '50' });
  const opened = await openSystem();
  const { page } = opened;
  const asked: (string | null)[] = [];
  await page.route('**/v1/events?*before=*', async (route) => {
    const before = new URL(route.request().url()).searchParams.get('before');
    asked.push(before);
    const empty = { data: [], head: '9', next_before: `${7 - asked.length}` };
    await (asked.length < 3 ? route.fulfill({ json: empty }) : route.continue());
  });
  await card(opened, 'Record of changes').getByRole('combobox').selectOption('all that happened');
  await expect.poll(() => asked).toEqual(['head', '6', '5']);
  await card(opened, 'Record of changes').getByText('Limits of the account: one order 50').waitFor();
  await opened.close();
});

test('halts of the account and the service are shown, newest first', async () => {
  const operator = await app.keyed('operator', 'admin');
  const set = (client: Client, scope: string, reason: string) =>
    client.post('/v1/trading/state', { scope, state: 'halted', reason });
  await set(trader, 'account', 'Lunch');
  await set(operator, 'sport:curling', 'Ice melts');
  const opened = await openSystem();
  const rows = card(opened, 'Stops and releases').locator('tbody tr');
  await rows.getByText('Ice melts').waitFor();
  expect((await rows.allTextContents()).map((text) => /Ice melts|Lunch/.exec(text)?.[0])).toEqual([
    'Ice melts',
    'Lunch',
  ]);
  await opened.close();
});

test('a webhook is pinged, disabled and enabled, each with its result', async () => {
  const { id } = (await trader.post(WEBHOOKS, { url: receiver.url })).json<{ id: string }>();
  const opened = await openSystem();
  const { page } = opened;
  const hooks = card(opened, 'Webhooks');
  const state = async () => (await trader.get(`${WEBHOOKS}/${id}`)).json()['state'];
  await hooks.getByText('unverified').waitFor();
  receiver.answering = () => 500;
  await hooks.getByRole('button', { name: 'Ping' }).click();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText('Its receiver did not take it: status 500').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  receiver.answering = () => 204;
  await hooks.getByRole('button', { name: 'Ping' }).click();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText('Its receiver took the test message').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await hooks.getByText('active').waitFor();
  await hooks.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Send nothing to it' }).click();
  await page.getByText(/Webhook disabled, event \d+/).waitFor();
  expect(await state()).toBe('disabled');
  await page.getByRole('button', { name: 'Close' }).click();
  await hooks.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Send to it again' }).click();
  await page.getByText(/Webhook enabled, event \d+/).waitFor();
  expect(await state()).toBe('active');
  expect(await opened.axe()).toEqual([]);
  expectNoFaults(opened);
  await opened.close();
});

test('failed webhook deliveries are shown, and events can be resent', async () => {
  const { id } = (await trader.post(WEBHOOKS, { url: receiver.url })).json<{ id: string }>();
  await trader.post(`${WEBHOOKS}/${id}/ping`);
  await trader.put('/v1/limits', { order_usdc: '50' });
  const opened = await openSystem();
  const { page } = opened;
  const hooks = card(opened, 'Webhooks');
  await hooks.getByRole('button', { name: 'Show', exact: true }).click();
  await hooks.getByText('Nothing waits for another try').waitFor();
  await trader.post(`${WEBHOOKS}/${id}/replay`, { seq: '1' });
  await hooks.getByRole('button', { name: 'Hide', exact: true }).click();
  await hooks.getByRole('button', { name: 'Show', exact: true }).click();
  await hooks.getByRole('row').filter({ hasText: '1 Key created' }).getByText('waits').waitFor();
  await hooks.getByRole('button', { name: 'Replay' }).click();
  await page.getByLabel('Everything it wants after event number').fill('0');
  await page.getByRole('button', { name: 'Send them once more' }).click();
  await page.getByText('What follows event 0 is sent').waitFor();
  expectNoFaults(opened);
  await opened.close();
});
