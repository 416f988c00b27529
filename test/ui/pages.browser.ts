import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plotsWire } from '../../src/adapters/http/result-wire.js';
import { betPlotsOf } from '../../src/core/performance/bet-plots.js';
import { someBets } from '../support/backtest-runs.js';
import { ROOT } from '../support/build.js';
import { startServer } from '../support/processes.js';
import { makeLively } from './lively.js';
import { expectNoFaults, loaded, openPage, openShared, overhang, show, type WatchedPage } from './watched-page.js';

const PAGES = ['Overview', 'Positions', 'Orders', 'Strategies', 'Markets', 'Signals', 'Approvals', 'Results', 'System'];
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 320];
const LOOKS = SCHEMES.flatMap((colorScheme) =>
  WIDTHS.map((width) => ({ colorScheme, width, viewport: { width, height: 800 } })),
);

let url = '';
beforeAll(async () => {
  const env = {
    MARKET_DATA: 'tape:examples/two-markets.jsonl',
    DATABASE_URL: 'memory:',
    EQUITY_EVERY: '1s',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  ({ url } = await startServer({ env, cwd: ROOT }));
  await makeLively(url);
});

/** Runs in a page: names what sticks out of it, and what is cut off within it. Only boxes that scroll may be wider. */
const LOST = `[...document.querySelectorAll('body *')]
  .filter((one) => !one.closest('.hidden, .skip, svg, .scroll, option'))
  .filter((one) => {
    const { right, width } = one.getBoundingClientRect();
    const { overflowX, display } = getComputedStyle(one);
    const isCut = display !== 'inline' && overflowX !== 'auto' && one.scrollWidth > one.clientWidth + 1;
    return width > 0 && (right > innerWidth + 1 || (isCut && one.matches('button, a, h1, h2, dt, dd, li, p, span, label')));
  })
  .map((one) => one.outerHTML.slice(0, 100))`;

/** What WCAG 1.4.12 lets a reader set. The policy allows no style of a tag, but one of the page itself. */
const SPACED = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
  document.adoptedStyleSheets = [sheet];
}`;

const SIZES: [string, { width: number; height: number }, boolean][] = [
  ['at 1920 pixels', { width: 1920, height: 1080 }, false],
  ['at 200 % zoom', { width: 640, height: 400 }, false],
  ['with spaced text', { width: 1280, height: 800 }, true],
  ['with spaced text at 320 pixels', { width: 320, height: 640 }, true],
];

/** Nothing sticks out of a page or is cut off within it, also where its text is spaced. */
async function expectNothingLost({ page }: WatchedPage, isSpaced: boolean): Promise<void> {
  if (isSpaced) await page.evaluate(SPACED);
  expect(await page.evaluate<string[]>(LOST)).toEqual([]);
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  if (isSpaced) await page.evaluate('document.adoptedStyleSheets = []');
}

/** It passes the accessibility check, and is no wider than its window. */
async function expectAccessible(opened: WatchedPage): Promise<void> {
  expect(await opened.axe()).toEqual([]);
  expect(await opened.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

describe.each([...PAGES, 'Log in', 'Halt'])('%s', (title) => {
  let opened: WatchedPage;
  beforeAll(async () => {
    opened = await openShared(url, `/ui/${title.toLowerCase().replace(' ', '')}`);
    if (PAGES.includes(title)) await loaded(opened, title);
    else await opened.page.getByRole('heading', { level: 1, name: title }).waitFor();
    await opened.page.waitForLoadState('domcontentloaded');
  });
  afterAll(() => opened.close());

  test.each(LOOKS)(
    'in $colorScheme colours at $width pixels passes axe and loads nothing foreign',
    async ({ colorScheme, viewport }) => {
      await show(opened, { colorScheme, viewport });
      await expectAccessible(opened);
      expectNoFaults(opened);
    },
  );

  test.each(SIZES)('loses nothing %s', async (_, viewport, isSpaced) => {
    await show(opened, { viewport });
    await expectNothingLost(opened, isSpaced);
  });
});

test('the form of a halt loses nothing, in any size', async () => {
  const opened = await openShared(url, '/ui/overview');
  await loaded(opened, 'Overview');
  await opened.page.getByRole('button', { name: 'Halt', exact: true }).click();
  await opened.page.getByRole('dialog').waitFor();
  for (const [, viewport, isSpaced] of SIZES) {
    await show(opened, { viewport });
    await expectNothingLost(opened, isSpaced);
  }
  await opened.close();
});

test('dialogs and details opened on a page pass the accessibility check', async () => {
  const opened = await openShared(url, '/ui/strategies');
  const { page } = opened;
  const expectPassed = async () => {
    for (const colorScheme of SCHEMES) {
      await show(opened, { colorScheme });
      expect(await opened.axe()).toEqual([]);
    }
  };
  await loaded(opened, 'Strategies');
  await page.getByRole('link', { name: 'Why it bet, and why not' }).first().click();
  await page.getByRole('button', { name: 'Evaluate now' }).click();
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await expectPassed();
  await page.getByRole('link', { name: 'Markets' }).click();
  await loaded(opened, 'Markets');
  await page.getByRole('link', { name: 'Home or away?' }).click();
  await page.getByRole('region', { name: 'Paper order' }).waitFor();
  await expectPassed();
  await page.getByRole('link', { name: 'Orders' }).click();
  await loaded(opened, 'Orders');
  await page.getByRole('rowheader').first().getByRole('link').click();
  await page.getByText('chained by hash').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await expectPassed();
  expectNoFaults(opened);
  await opened.close();
});

test("a market's ticket shows the maximum cost and places one paper order", async () => {
  const opened = await openShared(url, '/ui/markets');
  const { page } = opened;
  await loaded(opened, 'Markets');
  const orders = async () => {
    const { data } = (await (await fetch(`${url}/v1/exchange/orders?limit=100`)).json()) as {
      data: { price: string }[];
    };
    // Strategies place orders meanwhile, at other prices.
    return data.filter(({ price }) => price === '0.02').length;
  };
  const before = await orders();
  await page.getByRole('link', { name: 'Bucks or Thunder?' }).click();
  const ticket = page.getByRole('region', { name: 'Paper order' });
  await ticket.getByLabel('Limit price').fill('0.02');
  await ticket.getByText('Costs at most, fees included').waitFor();
  await ticket.getByRole('button', { name: 'Max' }).click();
  // With the fee it costs all the cash, so that it is less by itself.
  const cost = ticket.locator('.fact').filter({ hasText: 'Costs at most' }).locator('dd');
  const dollars = async () => Number((await cost.textContent())?.replaceAll(',', ''));
  await expect.poll(dollars).toBeGreaterThan(90_000);
  expect(await dollars()).toBeLessThanOrEqual(100_000);
  await ticket.getByLabel('Size in USDC').fill('10');
  await ticket.getByRole('button', { name: 'Review order' }).click();
  await page.getByRole('button', { name: 'Buy on paper' }).dblclick();
  await page.getByText(/Order \w+, event \d+: PAPER BUY .*Bucks.* USDC at 0\.02/).waitFor();
  expect(await orders()).toBe(before + 1);
  expectNoFaults(opened);
  await opened.close();
});

/** Runs in a page: whether nothing of what has the focus can be seen, because the header is above it. */
const HIDDEN = `(() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  const head = document.querySelector('header');
  const isSticky = getComputedStyle(head).position === 'sticky' && !head.contains(document.activeElement);
  return bottom > 0 && isSticky && bottom <= head.getBoundingClientRect().bottom + 1 ? document.activeElement.outerHTML.slice(0, 100) : null;
})()`;

describe('what has the focus is not under the header', () => {
  test.each([
    ['at 1280 pixels', { viewport: { width: 1280, height: 420 } }, false],
    [
      'in a narrow window with spaced text, where the header has several lines',
      { viewport: { width: 780, height: 420 } },
      true,
    ],
  ])('%s', async (_, viewport, isSpaced) => {
    const opened = await openShared(url, '/ui/overview', viewport);
    const { page } = opened;
    for (const title of ['Overview', 'Orders', 'System']) {
      await page.getByRole('link', { name: title }).first().click();
      await loaded(opened, title);
      if (isSpaced) await page.evaluate(SPACED);
      await page.evaluate(`document.querySelector('footer').scrollIntoView()`);
      await page.locator('footer a').first().focus();
      // Backwards: what comes next is above, where the header is.
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Shift+Tab');
        expect([title, await page.evaluate<string | null>(HIDDEN)]).toEqual([title, null]);
        if (await page.evaluate<boolean>(`document.activeElement.closest('nav, header') !== null`)) break;
      }
    }
    await opened.close();
  });
});

describe('an order', () => {
  const open = async (opened: WatchedPage) => {
    await loaded(opened, 'Orders');
    await opened.page.getByRole('rowheader').first().getByRole('link').click();
  };

  test('is shown with its hashes, which the page verifies', async () => {
    const opened = await openShared(url, '/ui/orders');
    await open(opened);
    await opened.page.getByText(/verified \d+ events, each chained/).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  test('with an altered history is reported with the mismatching event', async () => {
    const opened = await openShared(url, '/ui/orders');
    await opened.page.route('**/events?changes=true*', async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace(
        /("change":"[^\n]*?shares\\":\\")(\d)/,
        (_, before, digit) => before + ((Number(digit) + 1) % 10),
      );
      await route.fulfill({ response: answer, body: text });
    });
    await open(opened);
    await opened.page
      .getByRole('alert')
      .getByText(/event 1 does not match its hash/)
      .waitFor();
    await opened.close();
  });
});

test('a plot has a table; Results lists yield by strategy, sport and league', async () => {
  const points = async () => {
    const answer = await fetch(`${url}/v1/portfolio/history`);
    return ((await answer.json()) as { data: unknown[] }).data.length;
  };
  await expect.poll(points).toBeGreaterThan(1);
  const opened = await openPage(url, '/ui/results', { reducedMotion: 'reduce' });
  const { page } = opened;
  await loaded(opened, 'Results');
  await page.getByRole('img', { name: /Equity .* below its highest/ }).waitFor();
  await page.getByRole('img', { name: /At most .* below its highest before/ }).waitFor();
  await page.getByText('Equity as a table').click();
  await page.getByRole('columnheader', { name: 'equity' }).waitFor();
  expect(await page.getByRole('rowheader', { name: /^2\d{3}-\d\d-\d\d/ }).count()).toBeGreaterThan(1);
  for (const by of ['strategy', 'sport', 'league', 'decimal odds'])
    await page.getByRole('region', { name: `Yield by ${by}` }).waitFor();
  await page.getByRole('rowheader', { name: 'epl', exact: true }).waitFor();
  expect(await page.evaluate<number>('document.getAnimations().length')).toBe(0);
  expect(await opened.axe()).toEqual([]);
  await opened.close();
});

/** A telephone at night. */
const NIGHT = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

test('on a telephone tables are exported and prices read by keyboard alone', async () => {
  const opened = await openShared(url, '/ui/overview', NIGHT);
  const { page } = opened;
  await loaded(opened, 'Overview');
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).focus();
  await page.keyboard.press('Enter');
  await loaded(opened, 'Orders');
  await page.locator('summary').filter({ hasText: 'Export PAPER' }).focus();
  for (const key of ['Enter', 'Tab', 'e', 'Tab']) await page.keyboard.press(key);
  const download = page.getByRole('link', { name: 'Download' });
  await expect.poll(() => download.getAttribute('href')).toBe('/v1/export/journal.csv?paper=true');
  await page.getByLabel('Through').fill('2026-12-31');
  const year = '/v1/export/journal.csv?paper=true&to=2027-01-01T00%3A00%3A00Z';
  await expect.poll(() => download.getAttribute('href')).toBe(year);
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  await page.route('**/history?token=*', (route) => {
    const data = Array.from({ length: 40 }, (_, n) => ({
      at: `2026-03-01T12:${59 - n}:00.000Z`,
      bid: `0.${60 - n}`,
      ask: `0.${62 - n}`,
    }));
    return route.fulfill({ json: { data, next_cursor: null } });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Markets' }).focus();
  await page.keyboard.press('Enter');
  await loaded(opened, 'Markets');
  await page.getByRole('link', { name: 'Home or away?' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('slider', { name: /bid 0\.60, ask 0\.62/ }).focus();
  await page.keyboard.press('Home');
  await page.locator('.reading').getByText('2026-03-01 12:20:00').waitFor();
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  expectNoFaults(opened);
  await opened.close();
});

test('Results puts two strategies or versions side by side, under an address', async () => {
  const opened = await openShared(url, '/ui/overview', NIGHT);
  const { page } = opened;
  const measure = (value: string, low: string, high: string) => ({ value, reason: null, n: 60, low, high });
  const row = (key: string, value: string) => ({
    key,
    venue: 'paper',
    bets: 60,
    measures: { yield: measure(value, '-0.05', '0.15'), profit_usdc: measure('10', '0', '20') },
  });
  const data = [row('a-strategy 1', '0.05'), row('a-strategy 2', '0.04')];
  await page.route('**/v1/results?by=version*', (route) => route.fulfill({ json: { data, next_cursor: null } }));
  await page.goto(`${url}/ui/results`);
  await loaded(opened, 'Results');
  await page.getByRole('combobox', { name: /^Compare/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/compare=[^%]+%2C$/);
  for (const key of ['Tab', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page
    .getByText(/more than chance|chance explains it|prove nothing/)
    .last()
    .waitFor();
  expect(page.url()).toMatch(/\/ui\/results\?compare=[^%]+%2C[^%]+$/);
  await page.goto(`${url}/ui/results?compare=STRATEGY.2,strategy.1`);
  const chosen = ['Compare', 'with'].map((name) => page.getByRole('combobox', { name: new RegExp(`^${name}`) }));
  await expect
    .poll(() => Promise.all(chosen.map((one) => one.inputValue())))
    .toEqual(['a-strategy.2.paper', 'a-strategy.1.paper']);
  // It is what the address is for, so that it comes first.
  expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Side by side');
  expect([await opened.axe(), await overhang(opened)]).toEqual([[], 0]);
  await opened.close();
});

describe('Results with bets that had a close', () => {
  const bets = someBets(300, { edge: 0.05 });
  const counted = bets.map((bet) => ({ bet, key: bet.settledAt?.toISOString().slice(0, 10) ?? null, isMarked: true }));
  const answer = { data: betPlotsOf(counted).map(plotsWire), covered: { bets: 300, all: false } };
  const TITLES = ['Profit beside expected profit', 'Calibration', 'Closing line value', 'Slippage'];

  test('draw the plots of the report, each with its table, in any look', async () => {
    const opened = await openShared(url, '/ui/overview');
    const { page } = opened;
    await page.route('**/v1/results/plots*', (route) => route.fulfill({ json: answer }));
    await page.goto(`${url}/ui/results`);
    await loaded(opened, 'Results');
    for (const name of TITLES) await page.getByRole('heading', { level: 2, name }).waitFor();
    for (const name of [/they could expect .* and they earned/, /95 % interval/, /better price than the close/])
      await page.getByRole('img', { name }).waitFor();
    for (const name of ['Profit and expected profit', 'Calibration', 'Closing line value']) {
      await page.getByText(`${name} as a table`).click();
      await page.getByRole('region', { name, exact: true }).waitFor();
    }
    await page.getByRole('region', { name: 'Slippage in its parts' }).waitFor();
    await page.getByText(/^The newest 300 settled bets, read at 2\d{3}-/).waitFor();
    for (const look of LOOKS) {
      await show(opened, look);
      await expectAccessible(opened);
    }
    expectNoFaults(opened);
    await opened.close();
  });

  test('say why there is nothing to draw', async () => {
    const opened = await openShared(url, '/ui/overview');
    const { page } = opened;
    const unclosed = counted.map(({ bet, ...rest }) => ({
      ...rest,
      bet: { ...bet, close: 'in_play' as const, probability: null, atArrival: null },
    }));
    const data = betPlotsOf(unclosed).map(plotsWire);
    await page.route('**/v1/results/plots*', (route) => route.fulfill({ json: { ...answer, data } }));
    await page.goto(`${url}/ui/results`);
    await loaded(opened, 'Results');
    const unpriced = page.getByText('No settled bet has a price of the close: 300 made after the start.');
    await expect.poll(() => unpriced.count()).toBe(2);
    await page.getByText('No probability was stated for a bet that was won or lost.').waitFor();
    await page.getByText('No settled bet has a book at its decision and at its arrival.').waitFor();
    await opened.close();
  });
});

test('a halt says how many strategies it stops', async () => {
  const opened = await openShared(url, '/ui/overview');
  const { page } = opened;
  await loaded(opened, 'Overview');
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  await page.getByRole('dialog').getByText('It stops 2 strategies that bet by themselves, 1 that asks first').waitFor();
  await opened.close();
});
