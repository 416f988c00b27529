import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvRows } from '../../src/adapters/http/csv.js';
import { sweep } from '../../src/backtest/index.js';
import { aPlan, aSeason } from '../support/sweeps.js';
import { expectNoFaults, openPage, openShared, overhang, show, type WatchedPage } from './watched-page.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-sweep-page-'));
const GRID = { '/rules/match/league': ['good', 'fair'], '/rules/filter/min_odds': [1.2, 1.5, 2.2] };
const season = aSeason(160, { seed: 3, edge: 0.35 });
const PLANS = {
  walked: aPlan({ tapes: [season], grid: GRID, windows: { rolling: { train_days: 5, test_days: 3 } } }),
  unjudged: aPlan({ tapes: [season], grid: { '/rules/filter/min_odds': [9, 10] } }),
};
const NAMES = Object.keys(PLANS);

beforeAll(async () => {
  for (const [name, plan] of Object.entries(PLANS)) await sweep({ plan, folder: join(folder, name) });
});

afterAll(() => rmSync(folder, { recursive: true }));

const opened = (name: string): Promise<WatchedPage> => openShared(`file://${folder}`, `/${name}/sweep.html`);

describe.each(NAMES)('the page of a sweep that is %s', (name) => {
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

  test('fits on 320 pixels without sideways scrolling', async () => {
    await show(report, { viewport: { width: 320, height: 640 } });
    expect(await overhang(report)).toBe(0);
    await report.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await overhang(report)).toBe(0);
    expect(await report.axe()).toEqual([]);
  });
});

test('the surface of a sweep has the medians of its leaderboard', async () => {
  const { page, close } = await openPage(`file://${folder}`, '/walked/sweep.html', { javaScriptEnabled: false });
  const [head = [], ...rows] = csvRows(readFileSync(join(folder, 'walked', 'leaderboard.csv'), 'utf8'));
  const at = (name: string) => head.indexOf(name);
  const objectiveOf = (league: string, odds: number): string => {
    const own = rows.filter((row) => row[1] === league && row[2] === `${odds}` && row[at('side')] === 'train');
    const sorted = own.map((row) => Number(row[at('yield_z')])).sort((a, b) => a - b);
    const middle = sorted.length / 2;
    const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
    return median.toFixed(2).replace('-', '\u2212');
  };
  const surface = page.getByRole('table').first().getByRole('row');
  const shown = await surface.evaluateAll((all) =>
    all.map((row) => Array.from(row.children, (cell) => cell.textContent)),
  );
  expect(shown).toEqual([
    ['/rules/match/league', '1.2', '1.5', '2.2'],
    ...['good', 'fair'].map((league) => [league, ...[1.2, 1.5, 2.2].map((odds) => objectiveOf(league, odds))]),
  ]);
  await close();
});
