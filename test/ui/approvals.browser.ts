import { beforeAll, expect, test } from 'vitest';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import type { AccountId, StrategyId } from '../../src/core/ids.js';
import type { Market } from '../../src/core/market/market.js';
import type { SignalName } from '../../src/core/signal/signal.js';
import { type RunningApp, startApp } from '../support/app.js';
import { ALICE, anOrderContext, usdc } from '../support/builders.js';
import { aBet, anApproval } from '../support/builders-of-bets.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { aSignal } from '../support/signals.js';
import { expectNoFaults, loaded, openPage, openShared, overhang, show } from './watched-page.js';

const DEV = 'dev' as AccountId;
const GAME: Partial<Market> = {
  sport: 'nba',
  league: 'nba',
  kind: 'moneyline',
  role: 'home',
  startsAt: new Date('2026-03-01T14:00:00.000Z'),
  event: { id: 'game-1', slug: 'nba-mil-okc', title: 'Bucks against Thunder' },
};
const STRATEGY = {
  name: 'Home',
  sport: 'nba',
  bankroll_cap: 1000,
  stake_cap: 50,
  automation: 'approve',
  rules: { outcome: { role: 'home' }, filter: { min_odds: 1.8 }, sizing: { method: 'flat', value: 10 } },
};

let app: RunningApp;
let strategyId: StrategyId;
const clock = new ManualTimeline();
const market = new ScriptedMarket(aMarket({}, GAME), clock);

beforeAll(async () => {
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  const context = anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  app = await startApp({ ui: 'paper', streams: {}, markets: market, context });
  strategyId = (await app.client.post('/v1/strategies', STRATEGY)).json<{ id: StrategyId }>().id;
});

/** A strategy asks, at 0.50. */
async function ask(label: string, of = strategyId, startsAt = GAME.startsAt, where = { app, account: DEV }) {
  const { id: marketId, venue } = market.market;
  const starts_at = startsAt?.toISOString() ?? null;
  const inputs = { best_ask: '0.5', first_price: '0.5', most_cost: '10', starts_at };
  const { account } = where;
  const bet = {
    account,
    strategyId: of,
    marketId,
    venue,
    at: clock.now(),
    inputs,
    orderId: null,
    outcomeLabel: label,
    question: 'Bucks or Thunder?',
    event: 'Bucks against Thunder',
  };
  const expiresAt = new Date(clock.now().getTime() + 600_000);
  const approval = anApproval({ account, decision: aBet(bet), expiresAt });
  const decisions = [{ ...approval.decision, approvalId: approval.id }];
  await where.app.ledger.write({ account }, () => ({ result: null, approvals: [approval], decisions }));
  return approval.id;
}

test('a pending bet is announced on every page and approved once', async () => {
  const opened = await openShared(app.url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  await ask('Bucks');
  await page.getByText('10 min left').waitFor();
  await page.getByRole('link', { name: 'Approve or reject' }).click();
  await loaded(opened, 'Approvals');
  const card = page.locator('section').filter({ hasText: 'Bucks, by Home' });
  const fact = (name: string) =>
    card
      .locator('.fact')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');
  await fact('Best offer now').getByText('0.50', { exact: true }).waitFor();
  expect(await fact('Best offer then').textContent()).toBe('0.50');
  expect(await fact('Pays at most, a share').textContent()).toBe('0.57');
  expect(await fact('Odds').textContent()).toBe('1.743');
  expect(await fact('Gains, if it wins').textContent()).toBe('+14.96');
  expect(await fact('Loses, if it does not').textContent()).toBe('20.12');
  expect(await card.getByText(/^Buys 35\.08 shares of Bucks for 20\.123457 USDC/).count()).toBe(1);
  expect(await card.getByRole('heading').textContent()).toMatch(/^Bucks against Thunder: Bucks, by Home/);
  expect(await fact('Market').textContent()).toBe('Bucks or Thunder?');
  // By the time of the market, which stands still here, whatever the clock of this machine says.
  expect(await fact('State').textContent()).toBe('waits, expires in 10 min, at 12:10:00');
  expect(await opened.axe()).toEqual([]);
  await card.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('0.50 when it asked, 0.50 when you opened this').waitFor();
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.51x1000') };
  await dialog.getByText('The price has moved since: the best offer is 0.51 now.').waitFor();
  await dialog.getByText(/for 20\.12 USDC at 0\.57 or better/).waitFor();
  expect(await opened.axe()).toEqual([]);
  await page.getByRole('button', { name: 'Place this bet' }).dblclick();
  const placed = dialog.getByText(/Bet approved, event \d+: .* USDC at 0\.51 or better\. It asked for 20\.12 USDC/);
  await placed.waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => card.getByRole('button').count()).toBe(0);
  expect(await fact('Costs, fees included').textContent()).toBe('20.12');
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  const { data } = (await app.client.get('/v1/exchange/orders')).json<{ data: unknown[] }>();
  expect(data).toHaveLength(1);
  expectNoFaults(opened);
  await opened.close();
});

test('an approval has an address, which shows it alone', async () => {
  const opened = await openShared(app.url, '/ui/approvals');
  const { page } = opened;
  await loaded(opened, 'Approvals');
  await page.getByRole('rowheader').first().getByRole('link').click();
  await page.getByRole('link', { name: 'All approvals' }).waitFor();
  await page.waitForURL(/\/ui\/approvals\/[0-9a-f-]{36}$/);
  expect(await page.getByRole('rowheader').count()).toBe(1);
  await page.goto(`${app.url}/ui/approvals/nothing`);
  await page.getByText('There is no approval with this id.').waitFor();
  await opened.close();
});

test('a rejected bet orders nothing and stays visible with its answer', async () => {
  const opened = await openShared(app.url, '/ui/approvals');
  const { page } = opened;
  await loaded(opened, 'Approvals');
  const over = page.getByRole('row').filter({ hasText: 'Bucks against Thunder: Bucks' });
  await over.getByText('filled', { exact: true }).waitFor();
  const before = (await app.client.get('/v1/exchange/orders')).json<{ data: unknown[] }>().data.length;
  await ask('Thunder');
  const card = page.locator('section').filter({ hasText: 'Thunder, by Home' });
  await card.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('button', { name: 'Order nothing' }).click();
  await page.getByText(/Bet rejected, event \d+/).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await card.getByText('rejected', { exact: true }).waitFor();
  await page.goto(`${app.url}/ui/strategies/${strategyId}`);
  // A bet is one row with its state, whether it was asked for and ordered, or rejected.
  const decisions = page.getByRole('region', { name: 'Decisions, newest first' });
  await decisions.getByText('rejected', { exact: true }).waitFor();
  await decisions.getByText('bet, filled', { exact: true }).waitFor();
  expect(await decisions.locator(':scope > table > tbody > tr').count()).toBe(2);
  const marked = decisions.locator(':scope > table > tbody > tr.marked');
  await expect.poll(() => marked.count()).toBe(1);
  expect(await marked.textContent()).toContain('bet, filled');
  expect((await app.client.get('/v1/exchange/orders')).json<{ data: unknown[] }>().data).toHaveLength(before);
  expectNoFaults(opened);
  await opened.close();
});

test('a bet that waits says that its game has begun', async () => {
  const late = await ask('Late', strategyId, clock.now());
  const inPlay = await ask('In play', strategyId, new Date(clock.now().getTime() - 60_000));
  const opened = await openShared(app.url, '/ui/approvals');
  const { page } = opened;
  await loaded(opened, 'Approvals');
  const card = page.locator('section').filter({ hasText: 'Late, by Home' });
  await card.getByRole('status').getByText('The game has begun.').waitFor();
  const other = page.locator('section').filter({ hasText: 'In play, by Home' });
  await other.getByText('waits, expires in 10 min').waitFor();
  expect(await other.getByText('The game has begun.').count()).toBe(0);
  expect(await opened.axe()).toEqual([]);
  await page.getByRole('link', { name: 'Overview' }).click();
  await loaded(opened, 'Overview');
  await page.getByRole('link', { name: /^Approve until .* Late/ }).waitFor();
  expect(await page.getByText('stakeport approve').count()).toBe(0);
  for (const id of [late, inPlay]) await app.client.post(`/v1/approvals/${id}/reject`);
  await opened.close();
});

test('a paper position is sold once from its row, showing the event', async () => {
  const order = { market_id: market.market.id, token: 'YES', price: '0.5', size_usdc: '10' };
  expect((await app.client.post('/v1/exchange/orders', order)).json()['status']).toBe('filled');
  const opened = await openShared(app.url, '/ui/positions');
  const { page } = opened;
  await loaded(opened, 'Positions');
  await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Shares').fill('5');
  await dialog.getByLabel('Limit price').fill('0.4');
  await expect
    .poll(() => dialog.locator('.fact').allTextContents())
    .toEqual([
      'Shares5.00',
      'Fills at once, by this book5.00',
      'Worst price of those0.48',
      'Fee of those0.00',
      'Brings at least, if it fills2.00',
      'What does not fill at onceNothing is left over.',
    ]);
  expect(await opened.axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Sell on paper' }).dblclick();
  await dialog.getByText(/Order \w+, event \d+: PAPER SELL .* at 0\.40/).waitFor();
  const { data } = (await app.client.get('/v1/exchange/orders')).json<{ data: { side: string; shares: string }[] }>();
  expect(data.filter(({ side }) => side === 'SELL').map(({ shares }) => shares)).toEqual(['5']);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await loaded(opened, 'Overview');
  const feed = page.locator('.fact').filter({ hasText: 'Oldest book of a market held' });
  await feed.getByText(/^\d+ s$/).waitFor();
  expectNoFaults(opened);
  await opened.close();
});

test('what became of a sale of all stays to be read', async () => {
  const headers = { 'x-dev-user': 'seller-of-all' };
  const order = { market_id: market.market.id, token: 'YES', price: '0.5', size_usdc: '10' };
  await app.client.as(headers).post('/v1/exchange/orders', order);
  const opened = await openShared(app.url, '/ui/approvals', { extraHTTPHeaders: headers });
  const { page } = opened;
  // Without readings of prices nothing but the end of the form draws the page anew.
  await page.route('**/v1/events/stream*', (route) =>
    route.continue({ url: route.request().url().replace('&readings=1', '') }),
  );
  await page.goto(`${app.url}/ui/positions`);
  await loaded(opened, 'Positions');
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sell on paper' }).click();
  await dialog.getByText(/Order filled, event \d+/).waitFor();
  // The position is read anew, and its row stays under the form.
  await page.getByText(/^1 position, .* worth 0\.00 USDC/).waitFor();
  await page.route('**/v1/portfolio?*', () => undefined);
  await show(opened, {});
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('You hold nothing.').waitFor();
  expectNoFaults(opened);
  await opened.close();
});

test('all that is held on paper is sold once, after a review', async () => {
  const sales = async () => {
    const answer = await app.client.get('/v1/exchange/orders?limit=100');
    const { data } = answer.json<{ data: { side: string; market_id: string; token: string }[] }>();
    return data.filter(({ side }) => side === 'SELL').map(({ market_id, token }) => `${market_id} ${token}`);
  };
  for (const token of ['YES', 'NO'])
    await app.client.post('/v1/exchange/orders', { market_id: market.market.id, token, price: '0.6', size_usdc: '6' });
  const before = (await sales()).length;
  const opened = await openShared(app.url, '/ui/overview', { viewport: { width: 390, height: 800 } });
  const { page } = opened;
  await loaded(opened, 'Overview');
  await page.getByRole('button', { name: 'Sell everything' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/They bring at least [\d.]+ USDC after fees/).waitFor();
  const offered = await dialog.getByRole('row').count();
  expect(await opened.axe()).toEqual([]);
  await dialog.getByRole('button', { name: /Sell \d positions? on paper/ }).dblclick();
  await dialog.getByText(`${offered - 1} of ${offered - 1} orders filled`).waitFor();
  expect(await dialog.getByRole('link', { name: 'filled' }).count()).toBe(offered - 1);
  const sold = (await sales()).slice(0, offered - 1);
  expect((await sales()).length - before).toBe(offered - 1);
  expect(new Set(sold).size).toBe(offered - 1);
  expectNoFaults(opened);
  await opened.close();
});

test('a position shows its newest mark, grey with its age when stale', async () => {
  const { id: market_id } = market.market;
  const order = { market_id, token: 'NO', price: '0.55', size_usdc: '11' };
  expect((await app.client.post('/v1/exchange/orders', order)).json()['status']).toBe('filled');
  const opened = await openShared(app.url, '/ui/positions');
  const { page } = opened;
  await loaded(opened, 'Positions');
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^Thunder/ }) });
  const cells = async () => (await row.getByRole('cell').allTextContents()).slice(2, 6);
  await expect.poll(cells).toEqual(['0.50', '11.00', '10.00', '−1.00']);
  const before = market.shown;
  market.shown = { bids: levels('0.38x1000'), asks: levels('0.40x1000') };
  await expect.poll(cells).toEqual(['0.60', '11.00', '12.00', '+1.00']);
  market.bookAt = new Date(clock.now().getTime() - 240_000);
  await row.locator('.stale').getByText('4 min old').waitFor();
  expect(await opened.axe()).toEqual([]);
  Object.assign(market, { shown: before, bookAt: null });
  await row.locator('.stale').waitFor({ state: 'detached' });
  expectNoFaults(opened);
  await opened.close();
});

test('the form says which bets are withdrawn before a strategy bets by itself', async () => {
  await ask('Later');
  const opened = await openShared(app.url, `/ui/strategies/${strategyId}/edit`, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = opened;
  await loaded(opened, 'Strategies');
  const said = page.getByText('1 bet that waits for you is withdrawn. It decides on them anew, by itself.');
  expect(await said.count()).toBe(0);
  await page.getByLabel('Bets by itself').check();
  await said.waitFor();
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await page.getByRole('button', { name: 'Save it' }).click();
  await page.getByRole('heading', { name: /Home nba, version 2/ }).waitFor();
  await page.getByRole('link', { name: 'Approvals' }).click();
  await loaded(opened, 'Approvals');
  const row = page.getByRole('row').filter({ hasText: 'Later' });
  for (const text of ['refused', 'service']) await row.getByText(text, { exact: true }).waitFor();
  await row.getByText(/its automation was changed/).waitFor();
  expectNoFaults(opened);
  await opened.close();
});

test('a key that may only cancel is offered to reject a bet, and not to approve it', async () => {
  const context = anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  const keyed = await startApp({ ui: 'paper', streams: {}, markets: market, context, authenticator: 'keys' });
  const owner = await keyed.keyed(ALICE, 'strategies:write', 'strategies:read');
  const { id } = (await owner.post('/v1/strategies', STRATEGY)).json<{ id: StrategyId }>();
  await ask('Guarded', id, GAME.startsAt, { app: keyed, account: ALICE });
  const guard = await keyed.keyed(ALICE, 'orders:read', 'strategies:read', 'orders:cancel');
  const opened = await openPage(keyed.url, '/ui/approvals');
  const { page } = opened;
  await page.getByLabel('API key').fill(String(guard.headers['authorization']).slice('Bearer '.length));
  await page.keyboard.press('Enter');
  await loaded(opened, 'Approvals');
  await page.getByRole('button', { name: 'Reject' }).click();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Order nothing' }).click();
  await page.getByText(/Bet rejected, event \d+/).waitFor();
  await opened.close();
});

test('the card of a strategy says which of its bets wait', async () => {
  const { id } = (await app.client.post('/v1/strategies', { ...STRATEGY, name: 'Asks' })).json<{ id: StrategyId }>();
  await ask('Sooner', id);
  const opened = await openShared(app.url, '/ui/strategies');
  const { page } = opened;
  await loaded(opened, 'Strategies');
  const card = (name: string) =>
    page.locator('section.card').filter({ has: page.getByRole('link', { name, exact: true }) });
  await card('Asks').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Its bets that wait for you, 1, are withdrawn.').waitFor();
  await page.keyboard.press('Escape');
  expect(await card('Home nba').getByText('waits for you').count()).toBe(0);
  await card('Asks').getByRole('link', { name: '1 bet waits for you' }).click();
  await loaded(opened, 'Approvals');
  await page.locator('section').filter({ hasText: 'Sooner, by Asks' }).waitFor();
  expectNoFaults(opened);
  await opened.close();
});

test('signals are listed by model with their market, and one is deleted', async () => {
  const { id: marketId, venue } = market.market;
  const said = (name: string, minutes: number) =>
    aSignal({
      account: DEV,
      name: name as SignalName,
      venue,
      marketId,
      expiresAt: new Date(clock.now().getTime() + minutes * 60_000),
    });
  await app.ledger.signals.put([said('elo-2', 60), said('old', -1)]);
  const opened = await openShared(app.url, '/ui/signals', { viewport: { width: 390, height: 844 } });
  const { page } = opened;
  await loaded(opened, 'Signals');
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await row('elo-2').getByText('Bucks against Thunder').waitFor();
  expect(await row('elo-2').getByRole('link').getAttribute('href')).toBe(`/ui/markets/${venue}/${marketId}`);
  expect(await row('elo-2').locator('.line').allTextContents()).toEqual(['Bucks 0.57', 'Thunder 0.43']);
  // By the time of the market, whatever the clock of this machine says.
  await row('old').getByText('expired').waitFor();
  await expect.poll(() => row('elo-2').getByText('expired').count()).toBe(0);
  await page.getByLabel('Model').fill('elo-2');
  await page.keyboard.press('Enter');
  await row('old').waitFor({ state: 'detached' });
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  await row('elo-2').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete this signal' }).click();
  await page.getByText('Deleted: elo-2 says nothing of this market any more.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Nothing is said like this.').waitFor();
  expect((await app.ledger.signals.list(DEV, {}, { limit: 9 })).map(({ name }) => name)).toEqual(['old']);
  expectNoFaults(opened);
  await opened.close();
});
