import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { type RunningApp, startApp } from '../support/app.js';
import type { Client } from '../support/http.js';
import { aMarket, CONDITION, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openPage, type WatchedPage } from './watched-page.js';

const ORDER = { market_id: 'will-it-rain', token: 'YES', price: '0.5', size_usdc: '10' };
const STATE = '/v1/trading/state';

let laterMs = 0;
let app: RunningApp;
let program: Client;
let key = '';
let user = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + laterMs) };
  app = await startApp({ ui: 'paper', streams: {}, authenticator: 'keys', sessions: { clock } });
});

beforeEach(async () => {
  user += 1;
  laterMs = 0;
  program = await app.keyed(`trader-${user}`, ...AUTH_SCOPES);
  key = keyOf(program);
});

const keyOf = ({ headers }: Client): string => String(headers['authorization']).slice('Bearer '.length);

/** A page at which somebody has logged in. */
async function loggedIn(path = '/ui/overview', title = 'Overview'): Promise<WatchedPage> {
  const opened = await openPage(app.url, path);
  await logIn(opened, title);
  return opened;
}

async function logIn(opened: WatchedPage, title = 'Overview', text = key): Promise<void> {
  await opened.page.getByLabel('API key').fill(text);
  await opened.page.getByRole('button', { name: 'Log in' }).click();
  await loaded(opened, title);
}

describe('a page with a session', () => {
  test('asks for a key first, then shows the requested page, even reloaded', async () => {
    await program.post('/v1/exchange/orders', ORDER);
    const opened = await loggedIn('/ui/orders', 'Orders');
    const { page } = opened;
    await page.getByRole('cell', { name: 'filled' }).waitFor();
    await page.getByText(`Logged in for trader-${user}`).waitFor();
    await page.reload();
    await loaded(opened, 'Orders');
    await page.getByRole('cell', { name: 'filled' }).waitFor();
    expect(await page.evaluate<unknown>('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
      '',
      0,
      0,
    ]);
    expect(await opened.axe()).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  test('reports that a key is unknown', async () => {
    const opened = await openPage(app.url, '/ui/overview');
    await opened.page.getByLabel('API key').fill(`${key.slice(0, -3)}xyz`);
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('alert').getByText('does not know this key').waitFor();
    await opened.close();
  });

  test("ends with its key, says so and hides the account's data", async () => {
    await program.post('/v1/exchange/orders', ORDER);
    const opened = await loggedIn('/ui/orders', 'Orders');
    const admin = await app.keyed('operator', 'admin');
    const { credential } = (await program.get('/v1/session')).json<{ credential: string }>();
    expect((await admin.delete(`/v1/admin/keys/${credential}`)).status).toBe(200);
    await opened.page.getByText('its key was revoked or has expired').waitFor();
    expect(await opened.page.getByText('will-it-rain').count()).toBe(0);
    expect(await opened.page.getByText('Halt', { exact: true }).count()).toBe(0);
    await opened.close();
  });

  test('of another account shows nothing of the one before', async () => {
    await program.post('/v1/exchange/orders', ORDER);
    const opened = await loggedIn('/ui/orders', 'Orders');
    await opened.page.getByRole('cell', { name: 'filled' }).waitFor();
    await opened.page.getByRole('button', { name: 'Log out' }).click();
    await opened.page.getByText('You are logged out').waitFor();
    const other = await app.keyed(`other-${user}`, ...AUTH_SCOPES);
    await logIn(opened, 'Orders', keyOf(other));
    await opened.page.getByText('No orders here').waitFor();
    await other.post('/v1/exchange/orders', ORDER);
    await opened.page.getByRole('cell', { name: 'filled' }).waitFor();
    await opened.close();
  });

  test('that ends in one tab ends in all and hides old data', async () => {
    await program.post('/v1/exchange/orders', ORDER);
    const opened = await loggedIn('/ui/orders', 'Orders');
    const other = await opened.page.context().newPage();
    await other.goto(`${app.url}/ui/positions`);
    await other.getByText('1 position,').waitFor();
    await opened.page.getByRole('button', { name: 'Log out' }).click();
    for (const page of [other, opened.page]) {
      // At once: not only when the stream of the other tab ends.
      await page.getByText('You are logged out.', { exact: true }).waitFor();
      await page.getByLabel('API key').waitFor();
      expect(await page.locator('body').textContent()).not.toMatch(/will-it-rain|trader-|USDC|Event \d/);
    }
    await other.reload();
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
    await opened.close();
  });

  test('warns before 30 idle minutes, continues on activity and otherwise ends', async () => {
    const opened = await openPage(app.url, '/ui/overview');
    const { page } = opened;
    await page.clock.install();
    await page.reload();
    await logIn(opened);
    await page.clock.fastForward('26:00');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.clock.fastForward('01:30');
    await page
      .getByRole('alertdialog')
      .getByText(/ends in 2:\d\d/)
      .waitFor();
    expect(await opened.axe()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.clock.fastForward('26:00');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.clock.fastForward('05:00');
    await page.getByText('Nobody used the page for 30 minutes').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await opened.close();
  });

  test('warns before twelve hours are over, and the key begins another', async () => {
    const opened = await openPage(app.url, '/ui/overview');
    const { page } = opened;
    await page.clock.install();
    await page.reload();
    await logIn(opened);
    for (let minutes = 0; minutes < 690; minutes += 23) {
      await page.clock.fastForward('23:00');
      await page.keyboard.press('Shift');
    }
    await page.clock.fastForward('16:00');
    await page.getByRole('alert').getByText('however much it is used').waitFor();
    await page.getByRole('button', { name: 'Go on with the key' }).click();
    await page.getByRole('dialog').getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Begin a new session' }).click();
    await page.getByText('A new session has begun').waitFor();
    await opened.close();
  });
});

describe('the key is asked for again', () => {
  test('to resume trading after a halt, but not to halt', async () => {
    const opened = await loggedIn();
    const { page } = opened;
    laterMs = 6 * 60_000;
    await page.getByRole('button', { name: 'Halt', exact: true }).click();
    await page.getByRole('button', { name: 'No new bets', exact: true }).click();
    await page.getByText(/Halted: no new bets, event \d+/).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Let it bet again' }).click();
    await dialog.getByText('needs the API key again').waitFor();
    const other = await app.keyed(`other-${user}`, ...AUTH_SCOPES);
    await dialog.getByLabel('API key').fill(keyOf(other));
    await dialog.getByRole('button', { name: 'Let it bet again' }).click();
    await dialog.getByText(`This key is of other-${user}`).waitFor();
    expect((await program.get(STATE)).json()['effective']).toBe('halted');
    await dialog.getByLabel('API key').fill(key);
    laterMs = 0;
    await page.keyboard.press('Enter');
    await dialog.getByText(/Trading again, event \d+/).waitFor();
    expect((await program.get(STATE)).json()['effective']).toBe('active');
    expect(await opened.axe()).toEqual([]);
    await opened.close();
  });

  test('for a higher limit, not for a lower one', async () => {
    await program.put('/v1/limits', { order_usdc: '50' });
    const opened = await loggedIn('/ui/system', 'System');
    const { page } = opened;
    laterMs = 6 * 60_000;
    const set = async (value: string) => {
      await page.getByRole('button', { name: 'Change limits' }).click();
      await page.getByRole('dialog').getByLabel('One order').fill(value);
      await page.getByRole('button', { name: 'Set 1 limit' }).click();
    };
    await set('40');
    await page.getByText(/Limits changed, event \d+/).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await set('60');
    await page.getByText('needs the API key again').waitFor();
    expect((await program.get('/v1/limits')).json()['order_usdc']).toBe('40');
    await opened.close();
  });
});

const EVERY_PAGE = [
  'Overview',
  'Positions',
  'Orders',
  'Strategies',
  'Markets',
  'Signals',
  'Approvals',
  'Results',
  'System',
];
/** Buttons that show something else, and change nothing: headings that sort have an arrow. */
const READS = /[↕▼▲←→]|^(A day|A week|All|Search|Download|Read again|By event|Show \d+ more.*)$/;

describe('a key of few scopes', () => {
  test('that may only read is offered nothing else', async () => {
    await program.post('/v1/exchange/orders', ORDER);
    const reader = await app.keyed(`trader-${user}`, 'orders:read', 'strategies:read');
    const opened = await openPage(app.url, '/ui/overview');
    const { page } = opened;
    await logIn(opened, 'Overview', keyOf(reader));
    await page.getByText('This key lacks strategies:write, orders:paper, orders:cancel').waitFor();
    for (const title of EVERY_PAGE) {
      await page.getByRole('navigation').getByRole('link', { name: title }).click();
      await loaded(opened, title);
      const buttons = await page.locator(':is(header, main) :is(button, a.button)').allTextContents();
      expect([title, buttons.filter((name) => !READS.test(name))]).toEqual([title, []]);
    }
    expect(await opened.axe()).toEqual([]);
    await opened.close();
  });

  test('that may place no orders is told what a ticket takes', async () => {
    const markets = new ScriptedMarket(aMarket(), new ManualTimeline());
    const other = await startApp({ ui: 'paper', streams: {}, authenticator: 'keys', markets });
    const reader = await other.keyed('reader', 'orders:read', 'strategies:read');
    const opened = await openPage(other.url, `/ui/markets/${markets.venue}/${CONDITION}`);
    const { page } = opened;
    await logIn(opened, 'Markets', keyOf(reader));
    await page.getByText('To place a paper order takes a key with the scope orders:paper.').first().waitFor();
    expect(await page.getByRole('region', { name: 'Paper order' }).count()).toBe(0);
    await opened.close();
  });

  test('that may not read orders is told which scope it lacks', async () => {
    const other = await app.keyed(`trader-${user}`, 'strategies:read');
    const opened = await openPage(app.url, '/ui/overview');
    const { page } = opened;
    await page.getByLabel('API key').fill(keyOf(other));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('main').getByText('This needs the scope orders:read.').waitFor();
    await page.locator('header').getByText('Not allowed').waitFor();
    expect(await page.getByText('No connection').count()).toBe(0);
    await opened.close();
  });
});
