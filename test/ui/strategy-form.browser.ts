import { beforeAll, expect, test } from 'vitest';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import type { Market } from '../../src/core/market/market.js';
import { type RunningApp, STRATEGIES, STRATEGY, startApp } from '../support/app.js';
import { anOrderContext, usdc } from '../support/builders.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { expectNoFaults, loaded, openShared, overhang, show, type WatchedPage } from './watched-page.js';

const GAME: Partial<Market> = {
  sport: 'nba',
  league: 'nba',
  kind: 'moneyline',
  role: 'home',
  event: { id: 'game-1', slug: 'nba-mil-okc', title: 'Bucks against Thunder' },
};

let app: RunningApp;
let user = 0;

beforeAll(async () => {
  const clock = new ManualTimeline();
  const market = new ScriptedMarket(
    aMarket({}, { ...GAME, startsAt: new Date(clock.now().getTime() + 7_200_000) }),
    clock,
  );
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  const context = anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  app = await startApp({ ui: 'paper', streams: {}, markets: market, context });
});

/** A person who has no strategy yet, on this page. */
async function begin(
  path: string,
  options: object = {},
): Promise<WatchedPage & { readonly rows: () => Promise<Row[]> }> {
  user += 1;
  const headers = { 'x-dev-user': `person-${user}` };
  const opened = await openShared(app.url, path, { extraHTTPHeaders: headers, ...options });
  const client = app.client.as(headers);
  const rows = async () => (await client.get(STRATEGIES)).json<{ data: Row[] }>().data;
  return { ...opened, rows };
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly paper_only: boolean;
  readonly rules: object;
}

/** Fills in what every strategy has. */
async function fillIn({ page }: WatchedPage, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Sport', { exact: true }).fill('nba');
  await page.getByLabel('Outcome to bet on').selectOption('role');
  await page.getByLabel('Role').selectOption('home');
}

test('the last characters of an id lead to its form, and to that of a clone', async () => {
  const { id } = (await app.client.post(STRATEGIES, { ...STRATEGY, name: 'Shortened' })).json<Row>();
  const opened = await openShared(app.url, `/ui/strategies/${id.slice(-8)}/edit`);
  const { page } = opened;
  await page.getByRole('button', { name: 'Save as version 2' }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/ui/strategies/${id}/edit`);
  await page.goto(`${app.url}/ui/strategies/new?from=${id.slice(-8)}`);
  await page.getByRole('button', { name: 'Create strategy' }).waitFor();
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Shortened, a copy');
  await expect.poll(() => page.url()).toBe(`${app.url}/ui/strategies/new?from=${id}`);
  await opened.close();
});

test('a reason not to bet leads to the field that decided', async () => {
  const opened = await begin('/ui/strategies/new');
  const { page } = opened;
  await page.getByRole('button', { name: 'Create strategy' }).waitFor();
  await fillIn(opened, 'Later');
  await page.getByText('When', { exact: true }).click();
  const phase = page.getByLabel('Before or during the game');
  await phase.selectOption('in_play');
  await page.getByRole('button', { name: 'What would it bet now?' }).click();
  await page.getByText(/the rules bet during it only/).waitFor();
  await page.getByRole('button', { name: 'Before or during the game' }).click();
  await expect.poll(() => phase.evaluate((one) => one === document.activeElement)).toBe(true);
  await opened.close();
});

test('a strategy is made from nothing, changed, cloned and archived without JSON', async () => {
  const opened = await begin('/ui/strategies');
  const { page, rows } = opened;
  await loaded(opened, 'Strategies');
  await page.getByRole('link', { name: 'New strategy' }).click();
  await page.getByText('once it has a name, a sport and an outcome to bet on').waitFor();
  await fillIn(opened, 'Home teams');
  await page.getByText('Bets for the home team.').waitFor();
  await page.getByText('At what price').click();
  await page.getByLabel('Min odds').fill('1.9');
  await page.getByText('Only at net decimal odds of 1.9 or longer.').waitFor();
  await page.getByRole('button', { name: 'What would it bet now?' }).click();
  await page.getByText('1 bet for 5.00 USDC, of 1 outcome.').waitFor();
  await page.getByRole('button', { name: 'Create strategy' }).click();
  await page.getByRole('button', { name: 'Create it' }).click();
  await page.getByRole('heading', { name: /Home teams nba, version 1/ }).waitFor();
  const [made] = await rows();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/ui/strategies/${made?.id}`);
  expect(made).toMatchObject({ paper_only: true, rules: { outcome: { role: 'home' }, filter: { min_odds: 1.9 } } });

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Min odds').fill('+110');
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await page.getByRole('dialog').getByText('Min odds: 1.9 → 2.1').waitFor();
  await page.getByRole('button', { name: 'Save it' }).click();
  await page.getByRole('heading', { name: /Home teams nba, version 2/ }).waitFor();
  await page.getByText('Only at net decimal odds of 2.1 or longer.').waitFor();
  expect(await rows()).toMatchObject([{ version: 2, rules: { filter: { min_odds: 2.1 } } }]);

  await page.getByRole('link', { name: 'Clone' }).click();
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Home teams, a copy');
  await page.getByRole('button', { name: 'Create strategy' }).click();
  await page.getByRole('button', { name: 'Create it' }).click();
  await page.getByRole('heading', { name: /Home teams, a copy nba, version 1/ }).waitFor();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Archive it' }).click();
  await page.getByText('There is no strategy with this id').waitFor();
  expect((await rows()).map(({ name }) => name)).toEqual(['Home teams']);
  expectNoFaults(opened);
  await opened.close();
});

test('a strategy that does nothing by itself is changed without an outcome to bet on', async () => {
  const opened = await begin('/ui/strategies');
  const { page, rows } = opened;
  const client = app.client.as({ 'x-dev-user': `person-${user}` });
  const { id } = (await client.post(STRATEGIES, STRATEGY)).json<{ id: string }>();
  await page.goto(`${app.url}/ui/strategies/${id}/edit`);
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await page.getByRole('button', { name: 'Save it' }).click();
  await page.getByRole('heading', { name: /Renamed/ }).waitFor();
  expect(await rows()).toMatchObject([{ name: 'Renamed', version: 2 }]);
  await opened.close();
});

test('what is wrong is said beside its field, and nothing is sent', async () => {
  const opened = await begin('/ui/strategies/new');
  const { page, rows } = opened;
  await loaded(opened, 'Strategies');
  await fillIn(opened, 'Wrong');
  await page.getByText('At what price').click();
  const odds = page.getByLabel('Min odds');
  await odds.fill('0.5');
  await page.getByText('must be decimal odds greater than 1').first().waitFor();
  await expect.poll(() => odds.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Create strategy' }).click();
  expect(await page.getByRole('button', { name: 'Create it' }).isDisabled()).toBe(true);
  expect(await rows()).toEqual([]);
  await opened.close();
});

test('a stake above its bounds is said to be cut, with links to the fields', async () => {
  const opened = await begin('/ui/strategies/new', { viewport: { width: 390, height: 800 } });
  const { page } = opened;
  await loaded(opened, 'Strategies');
  await fillIn(opened, 'Ten dollars a bet');
  await page.getByLabel('Sizing value').fill('10');
  const bounds = page.getByRole('status').filter({ hasText: 'A stake of 10.00 is made smaller: at most 5.00' });
  await bounds.getByRole('button', { name: 'Most a bet, in USDC' }).click();
  await page.keyboard.type('1');
  expect(await page.getByLabel('Most a bet, in USDC').inputValue()).toMatch(/1/);
  await page.getByLabel('Most a bet, in USDC').fill('10');
  const review = page.getByRole('complementary', { name: 'What it means' });
  const warning = review.locator('.warn').filter({ hasText: 'is 10, above Event loss' });
  await warning.getByRole('button', { name: 'Event loss' }).click();
  // Its section was closed.
  const hasFocus = () => page.getByLabel('Event loss').evaluate((one) => one === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.type('10');
  await warning.waitFor({ state: 'detached' });
  await page.getByText('A stake of 10.00 is made smaller').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'What would it bet now?' }).click();
  await review.getByRole('listitem').filter({ hasText: 'Bucks against Thunder: Bucks' }).getByText('10.00').waitFor();
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  expectNoFaults(opened);
  await opened.close();
});

test('the JSON of a strategy fills the form, and the form is JSON', async () => {
  const opened = await begin('/ui/strategies/new');
  const { page } = opened;
  await loaded(opened, 'Strategies');
  await page.getByText('As JSON').click();
  const text = page.getByLabel('The strategy as JSON');
  await text.fill('{"name":');
  await page.getByRole('button', { name: 'Use this JSON' }).click();
  await page.getByText('This is not the JSON of a strategy').waitFor();
  const body = { name: 'From elsewhere', sport: 'nba', bankroll_cap: '50', stake_cap: '2', automation: 'auto' };
  const rules = { outcome: 'each', sizing: { method: 'to_win', value: '3' }, match: { league: ['nba', 'wnba'] } };
  await text.fill(JSON.stringify({ ...body, rules }));
  await page.getByRole('button', { name: 'Use this JSON' }).click();
  await expect.poll(() => page.getByLabel('League').inputValue()).toBe('nba, wnba');
  expect(await page.getByLabel('Sizing method').inputValue()).toBe('to_win');
  await page.getByLabel('League').fill('nba');
  const filledIn = { ...body, rules: { ...rules, match: { league: 'nba' } } };
  await expect.poll(async () => JSON.parse(await text.inputValue())).toEqual(filledIn);
  await page.getByText('Stakes what wins 3 USDC.').waitFor();
  expectNoFaults(opened);
  await opened.close();
});

test('the form passes the accessibility check, wide and narrow, light and dark', async () => {
  const opened = await begin('/ui/strategies/new');
  const { page } = opened;
  await loaded(opened, 'Strategies');
  await fillIn(opened, 'Seen');
  await page.getByText('Bets for the home team.').waitFor();
  await page.evaluate("for (const one of document.querySelectorAll('details.section')) one.open = true");
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await show(opened, { colorScheme, viewport: { width, height: 800 } });
      expect([width, colorScheme, await opened.axe()]).toEqual([width, colorScheme, []]);
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  }
  expectNoFaults(opened);
  await opened.close();
});

test('an order has an address, back closes it, and an unknown address is a page', async () => {
  const opened = await begin('/ui/nowhere');
  const { page } = opened;
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
  await page.getByRole('link', { name: 'Markets' }).click();
  await loaded(opened, 'Markets');
  await page.getByRole('rowheader').first().getByRole('link').click();
  await page.waitForURL(/\/ui\/markets\/[^/]+\/[^/]+$/);
  await page.getByRole('region', { name: 'Paper order' }).waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Paper order' }).waitFor();
  await page.goBack();
  await page.getByRole('region', { name: 'Paper order' }).waitFor({ state: 'detached' });
  await opened.close();
});
