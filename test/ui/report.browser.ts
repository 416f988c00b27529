import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestRun } from '../../src/backtest/backtest-run.js';
import { backtestResultOf } from '../../src/backtest/result.js';
import { reportHtml } from '../../src/report/report.js';
import { aBetRow, aPlayedStrategy, aRun, aRunHeader, someBets } from '../support/backtest-runs.js';
import { expectNoFaults, openPage, openShared, overhang, show, type WatchedPage } from './watched-page.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-report-'));
const LONG = 'A-strategy-with-a-name-that-has-no-blank-and-does-not-fit-on-a-telephone';
const [good, bad] = [someBets(300, { edge: 0.1, strategy: LONG }), someBets(60, { seed: 9, strategy: 'Second' })];

/** Runs that fill the page in their own way. */
const RUNS: Readonly<Record<string, BacktestRun>> = {
  one: aRun(400, { edge: 0.06 }),
  several: aRun(0, {
    header: aRunHeader({
      strategies: [LONG, 'Second'].map((name) => ({ name, rules: { note: LONG } })),
      partial: true,
    }),
    warnings: [{ code: 'late_signals', detail: 'Two signals came late.' }],
    played: [aPlayedStrategy(null, [...good, ...bad]), aPlayedStrategy(LONG, good), aPlayedStrategy('Second', bad)],
  }),
  none: aRun(0, { played: [aPlayedStrategy(null, [], { skips: new Map(), marks: [] })], markets: [] }),
  open: aRun(0, { played: [aPlayedStrategy(null, [aBetRow({ result: 'open', settledAt: null, payout: null })])] }),
};
const NAMES = Object.keys(RUNS);

beforeAll(() => {
  for (const [name, run] of Object.entries(RUNS))
    writeFileSync(join(folder, `${name}.html`), reportHtml(run, backtestResultOf(run)));
});

afterAll(() => rmSync(folder, { recursive: true }));

const opened = (name: string): Promise<WatchedPage> => openShared(`file://${folder}`, `/${name}.html`);

describe.each(NAMES)('the report of %s', (name) => {
  let report: WatchedPage;
  beforeAll(async () => {
    report = await opened(name);
  });
  afterAll(() => report.close());

  test.each(['light', 'dark'] as const)('in %s colours passes axe, and asks for nothing', async (colorScheme) => {
    await show(report, { colorScheme });
    expect(await report.axe()).toEqual([]);
    expectNoFaults(report);
  });

  test('is printed in dark ink on white, within the page, without what is folded', async () => {
    const { page } = report;
    // A page of A4 between margins of a centimetre.
    await show(report, { colorScheme: 'dark', viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect(await overhang(report)).toBe(0);
    expect(await page.locator('details').filter({ visible: true }).count()).toBe(0);
    expect(await report.axe()).toEqual([]);
  });

  test('fits on 320 pixels without sideways scrolling', async () => {
    await show(report, { viewport: { width: 320, height: 640 } });
    expect(await overhang(report)).toBe(0);
    await report.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await overhang(report)).toBe(0);
    expect(await report.axe()).toEqual([]);
  });
});

test('each plot of the report has its sentence, and opens its table by keyboard', async () => {
  const { page, close } = await opened('one');
  const figures = page.locator('figure');
  expect(await figures.count()).toBe(4);
  for (const figure of await figures.all()) {
    const [caption = ''] = await figure.locator('figcaption').allTextContents();
    expect(caption).toMatch(/\d.*\.$/);
    for (const plot of await figure.getByRole('img').all())
      expect(await plot.getAttribute('aria-label')).toMatch(/\d|never/);
    await figure.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await figure.getByRole('row').count()).toBeGreaterThan(5);
  }
  await close();
});

test('the report needs no script', async () => {
  const { page, close } = await openPage(`file://${folder}`, '/one.html', { javaScriptEnabled: false });
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Backtest: Home favourites');
  expect(await page.locator('svg .line').first().isVisible()).toBe(true);
  await close();
});
