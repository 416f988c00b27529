import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../../src/adapters/http/csv.js';
import { type SweepOptions, sweep } from '../../src/backtest/index.js';
import { fileOf } from '../adapters/tape/tapes.js';
import { afterEachFile } from '../support/after-file.js';
import { aPlan, aSeason } from '../support/sweeps.js';

const workspace = mkdtempSync(join(tmpdir(), 'stakeport-sweep-'));
afterEachFile(() => rmSync(workspace, { recursive: true, force: true }));

let folders = 0;
/** A sweep into a folder of its own, which counts its own trials. */
async function swept(plan: Readonly<Record<string, unknown>>, options: Partial<SweepOptions> = {}) {
  folders += 1;
  const folder = join(workspace, `${folders}`);
  const trials = join(workspace, `${folders}.trials.jsonl`);
  const outcome = await sweep({ plan, folder, trials, ...options });
  const textOf = (name: string) => readFileSync(join(options.folder ?? folder, name), 'utf8');
  return { outcome, folder, trials: options.trials ?? trials, textOf };
}

const SEASON = aSeason(160, { seed: 3, edge: 0.35 });
const LEAGUES = { '/rules/match/league': ['good', 'fair'], '/rules/filter/min_odds': [1.2, 1.5] };
const WINDOWS = [
  {
    name: 'spring',
    train: { from: '2026-03-01', to: '2026-03-11' },
    test: { from: '2026-03-11', to: '2026-04-01' },
  },
];
const PLAN = aPlan({ tapes: [SEASON], grid: LEAGUES, windows: WINDOWS, group: 2 });
let done: ReturnType<typeof swept> | undefined;
/** That plan, swept once. */
const sweptOnce = () => {
  done ??= swept(PLAN);
  return done;
};

describe('a sweep', () => {
  it('finds an edge that is there, and says what to go on with', async () => {
    const { outcome, textOf } = await sweptOnce();
    expect(outcome?.verdict).toBe('more than chance');
    const best = JSON.parse(textOf('best.json'));
    expect(best).toMatchObject({
      verdict: 'more than chance',
      strategy: { name: 'homes league=good min_odds=1.2', rules: { match: { league: 'good' } } },
      trials: { count: 4, variants: 4 },
      test: { bets: expect.any(Number) },
    });
    expect(Number(best.chance)).toBeLessThan(0.05);
    expect(textOf('sweep.html')).toContain(best.sentence);
  });

  it('writes a row for each variant, window and side', async () => {
    const { textOf } = await sweptOnce();
    const [head, ...rows] = csvRows(textOf('leaderboard.csv'));
    expect(head?.slice(0, 5)).toEqual(['name', '/rules/match/league', '/rules/filter/min_odds', 'window', 'side']);
    expect(rows).toHaveLength(8);
    expect(rows.slice(0, 2).map((row) => row.slice(1, 6))).toEqual([
      ['good', '1.2', 'spring', 'train', expect.stringMatching(/^\d+$/)],
      ['good', '1.2', 'spring', 'test', expect.stringMatching(/^\d+$/)],
    ]);
  });

  it('has the same bytes by two workers, and where it goes on', async () => {
    const whole = await sweptOnce();
    const two = await swept(PLAN, { workers: 2 });
    const part = await swept(PLAN);
    rmSync(join(part.folder, 'parts', '0002.json'));
    writeFileSync(join(part.folder, 'parts', '0001.json'), '{"id":');
    await swept(PLAN, { folder: part.folder, trials: part.trials });
    for (const name of ['leaderboard.csv', 'best.json', 'sweep.html']) {
      const said = (text: string) => text.replaceAll(/\d+\.trials\.jsonl/g, 'trials');
      expect(said(two.textOf(name)) === said(whole.textOf(name)), name).toBe(true);
      expect(said(part.textOf(name)) === said(whole.textOf(name)), name).toBe(true);
    }
  });

  it('keeps what is done where it is ended, and goes on', async () => {
    const ending = new AbortController();
    const onProgress = ({ groups: [done] }: { readonly groups: readonly [number, number] }) => {
      if (done === 1) ending.abort();
    };
    const { outcome, folder, trials } = await swept(PLAN, { signal: ending.signal, onProgress });
    expect([outcome, readdirSync(join(folder, 'parts'))]).toEqual([null, ['0001.json']]);
    const again = await swept(PLAN, { folder, trials });
    expect(again.outcome?.trials.count).toBe(4);
  });

  it('does not go on in the folder of another plan', async () => {
    const { folder } = await sweptOnce();
    await expect(swept({ ...PLAN, cash: 500 }, { folder })).rejects.toThrow(
      `${folder} holds a sweep of another plan, of other tapes or signals: name another folder`,
    );
  });

  it('walks forward: each test is bet by what its train window chose', async () => {
    const rolling = { rolling: { train_days: 5, test_days: 3 } };
    const { outcome, textOf } = await swept({ ...PLAN, windows: rolling });
    const { walkForward, ranked, windows } = outcome ?? { walkForward: null, ranked: [], windows: [] };
    expect(walkForward?.steps.map(({ window }) => window)).toEqual(windows.map(({ name }) => name));
    for (const [at, { name, test }] of (walkForward?.steps ?? []).entries()) {
      const trains = ranked.map(({ figures }) => figures.windows[at]?.train.objective ?? Number.NEGATIVE_INFINITY);
      const chosen = ranked.find(({ variant }) => variant.name === name)?.figures.windows[at];
      expect(chosen?.train.objective).toBe(Math.max(...trains));
      expect(test).toEqual(chosen?.test);
    }
    const earned = (walkForward?.bets ?? []).reduce((sum, [, profit]) => sum + profit, 0);
    const staked = (walkForward?.bets ?? []).reduce((sum, [, , stake]) => sum + stake, 0);
    expect(walkForward?.testYield).toBeCloseTo(earned / staked, 12);
    expect(walkForward?.efficiency).toBeCloseTo(earned / staked / (walkForward?.trainYield ?? 0), 12);
    expect(textOf('sweep.html')).toContain('Walk-forward');
  });
});

describe('trials', () => {
  it('of the same rules count once, over all sweeps of a tape', async () => {
    const first = await sweptOnce();
    const trials = join(workspace, 'more.trials.jsonl');
    writeFileSync(trials, readFileSync(first.trials));
    const grid = { '/rules/match/league': ['good', 'none'], '/rules/filter/min_odds': [1.2] };
    const more = await swept({ ...PLAN, grid }, { trials });
    expect(more.outcome?.trials).toMatchObject({ count: 5, file: basename(trials) });
    expect(more.outcome?.chance).toBeGreaterThan(first.outcome?.chance ?? 1);
  });

  it('are counted since the first of them, also after a line that was cut off', async () => {
    const first = await sweptOnce();
    const [line = '', ...others] = readFileSync(first.trials, 'utf8').split('\n');
    const old = line.replace(/"at":"[^"]*"/, '"at":"2025-01-02T03:04:05.000Z"');
    const trials = join(workspace, 'cut.trials.jsonl');
    writeFileSync(trials, [old, ...others].join('\n').slice(0, -20));
    const again = await swept(PLAN, { trials });
    expect(again.outcome?.trials).toMatchObject({ count: 4, since: '2025-01-02' });
  });

  it('are beside the first tape unless another file is named', async () => {
    const own = aSeason(4);
    await sweep({ plan: { ...PLAN, tapes: [own], windows: undefined }, folder: join(workspace, 'beside') });
    expect(readFileSync(`${own}.trials.jsonl`, 'utf8').split('\n')).toHaveLength(5);
  });
});

describe('a sweep is refused', () => {
  it.each([
    [
      'variants',
      { grid: { '/rules/filter/min_ods': [1.5] } },
      'the plan: the strategy "homes min_ods=1.5" is refused: /rules/filter/min_ods',
    ],
    ['signals', { signals: fileOf('name\nx\n', '.csv') }, '.csv: '],
    ['limits', { limits: { max: 1 } }, 'the plan: the body of the limits is refused'],
  ])('with the place in its %s', async (_, changes, words) => {
    await expect(swept({ ...PLAN, ...changes })).rejects.toThrow(words);
  });

  it('on tapes on which nothing can be filled', async () => {
    const text = readFileSync(SEASON, 'utf8');
    const source = `"source":{"evidence":"mid","vendor":"x","version":"1","licence":null,"clock":"source","metadata":"as_of_then"}`;
    const mids = fileOf(text.replace('{"stakeport_tape":1', `{"stakeport_tape":2,${source}`));
    await expect(swept({ ...PLAN, tapes: [mids] })).rejects.toThrow(
      'is of the kind mid, on which nothing can be filled',
    );
    await expect(swept({ ...PLAN, tapes: [SEASON, mids] })).rejects.toThrow('/tapes/1');
  });
});
