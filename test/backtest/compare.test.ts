import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BacktestRun } from '../../src/backtest/backtest-run.js';
import { compareRuns, comparisonText, readRun, type WrittenRun } from '../../src/backtest/compare.js';
import { writeRun } from '../../src/backtest/files.js';
import { backtestResultOf } from '../../src/backtest/result.js';
import type { MarketId, StrategyId } from '../../src/core/ids.js';
import type { BetRow } from '../../src/core/performance/bet.js';
import { aBetRow, aPlayedStrategy, aRun, aRunHeader, someBets } from '../support/backtest-runs.js';
import { usdc } from '../support/builders.js';

const workspace = mkdtempSync(join(tmpdir(), 'stakeport-compare-'));
let made = 0;

afterAll(() => rmSync(workspace, { recursive: true }));

/** Writes a run and reads it back. */
async function readBack(run: BacktestRun): Promise<WrittenRun> {
  made += 1;
  const folder = join(workspace, `run-${made}`);
  await writeRun(run, backtestResultOf(run), folder);
  return readRun(folder);
}

/** A run of these bets alone. Each has an id of its own. */
const runOf = (bets: readonly BetRow[], ...strategies: readonly string[]) => {
  made += 1;
  const named = strategies.map((name) =>
    aPlayedStrategy(
      name,
      bets.filter(({ strategy }) => strategy?.id === name),
    ),
  );
  const id = `${made}`.padStart(64, '0');
  return aRun(0, { header: aRunHeader({ id }), played: [aPlayedStrategy(null, bets), ...named] });
};

const betOn = (event: string, profit: string, changes: Partial<BetRow> = {}) =>
  aBetRow({
    id: `${event} ${profit}`,
    event: { id: event, slug: null, title: null },
    profit: usdc(profit),
    ...changes,
  });

const differenceOf = async (a: readonly BetRow[], b: readonly BetRow[]) => {
  const { results } = compareRuns(await readBack(runOf(a)), await readBack(runOf(b)));
  return results[0]?.difference;
};

describe('the difference of two runs', () => {
  it('is the mean over events of what the first earned more', async () => {
    const a = [betOn('x', '3'), betOn('x', '2'), betOn('y', '1')];
    const b = [betOn('x', '1'), betOn('y', '4')];
    // x: 5 − 1, y: 1 − 4
    expect(await differenceOf(a, b)).toMatchObject({ events: 2, shared: 2, profit_per_event_usdc: '0.500000000' });
  });

  it('counts 0 for the run that did not bet on an event', async () => {
    const difference = await differenceOf([betOn('x', '3'), betOn('y', '1')], [betOn('y', '1'), betOn('z', '6')]);
    expect(difference).toMatchObject({ events: 3, shared: 1, profit_per_event_usdc: '-1.000000000' });
  });

  it('pairs by the market where a market has no event', async () => {
    const lone = (market: string, profit: string) => betOn('', profit, { event: null, marketId: market as MarketId });
    const difference = await differenceOf([lone('m', '3'), lone('n', '1')], [lone('m', '2')]);
    expect(difference).toMatchObject({ events: 2, shared: 1, profit_per_event_usdc: '1.000000000' });
  });

  it('leaves open bets out', async () => {
    const open = betOn('y', '9', { result: 'open', settledAt: null, payout: null });
    expect(await differenceOf([betOn('x', '3'), open], [betOn('x', '3')])).toMatchObject({ events: 1, shared: 1 });
  });

  it('of a run and itself is 0 without doubt, and no evidence', async () => {
    const bets = someBets(60);
    expect(await differenceOf(bets, bets)).toEqual({
      events: 60,
      shared: 60,
      profit_per_event_usdc: '0.000000000',
      low: '0.000000000',
      high: '0.000000000',
      verdict: 'no evidence',
    });
  });

  it('needs 30 events', async () => {
    const bets = (count: number, profit: string) => Array.from({ length: count }, (_, at) => betOn(`${at}`, profit));
    expect((await differenceOf(bets(29, '2'), bets(29, '1')))?.verdict).toBe('not enough events');
    expect((await differenceOf(bets(30, '2'), bets(30, '1')))?.verdict).toBe('a earned more');
    expect((await differenceOf(bets(30, '1'), bets(30, '2')))?.verdict).toBe('b earned more');
  });

  it('has a narrower interval than its parts, where both bet on the same events', async () => {
    const base = someBets(200);
    const better = base.map((bet): BetRow => ({ ...bet, profit: (bet.profit + 100_000n) as BetRow['profit'] }));
    expect(await differenceOf(better, base)).toMatchObject({
      profit_per_event_usdc: '0.100000000',
      low: '0.100000000',
      high: '0.100000000',
    });
  });
});

describe('two runs side by side', () => {
  const named = (name: string, seed: number) => someBets(40, { seed, strategy: name });
  let a: WrittenRun;
  let b: WrittenRun;

  beforeAll(async () => {
    a = await readBack(runOf([...named('Both', 1), ...named('First', 2)], 'Both', 'First'));
    b = await readBack(runOf([...named('Both', 3), ...named('Second', 4)], 'Both', 'Second'));
  });

  it('are all of each, and the strategies that both have by one name', () => {
    expect(compareRuns(a, b).results.map(({ strategy }) => strategy)).toEqual([null, 'Both']);
  });

  it('show every measure of both', () => {
    const [all] = compareRuns(a, b).results;
    expect(all?.a.measures).toEqual(a.result.results[0]?.measures);
    expect(all?.b.verdict).toBe(b.result.results[0]?.verdict);
    const text = comparisonText(compareRuns(a, b));
    expect(text).toMatch(/^A {2}.*run-\d+ \(run 0000/);
    expect(text).toMatch(/^Turnover +[\d.,]+ USDC +[\d.,]+ USDC$/m);
    expect(text).toMatch(/^A less B, per event: .* USDC, 95 % interval .* over 40 events, 40 of them in both: /m);
  });

  it('have the same intervals each time', () => {
    expect(compareRuns(a, b)).toEqual(compareRuns(a, b));
  });

  it('of different tapes come with a warning', async () => {
    const other = aRunHeader({ tapes: aRunHeader().tapes.map((tape) => ({ ...tape, sha256: 'cd'.repeat(32) })) });
    const run = await readBack({ ...aRun(3), header: other });
    expect(compareRuns(a, run).warnings).toEqual([expect.stringContaining('different tapes')]);
  });
});

describe('a folder that no run wrote', () => {
  const folderWith = (files: Readonly<Record<string, string>>) => {
    const folder = mkdtempSync(join(workspace, 'bad-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };
  const result = JSON.stringify(backtestResultOf(aRun(1)));

  it.each([
    ['without a result', {}, 'result.json is missing'],
    ['with a result that is no JSON', { 'result.json': '{' }, 'result.json is not JSON'],
    ['with another result', { 'result.json': '{"run":{}}' }, 'result.json is not of this version: run.id'],
    ['without bets', { 'result.json': result }, 'bets.csv is missing'],
    ['with other bets', { 'result.json': result, 'bets.csv': 'venue\n' }, 'has no column market_id, event_id'],
  ])('is refused %s', async (_, files, words) => {
    await expect(readRun(folderWith(files))).rejects.toThrow(words);
  });

  it('is read by the name of its result.json too', async () => {
    const { path } = await readBack(aRun(3));
    const read = await readRun(join(path, 'result.json'));
    expect(read.bets).toHaveLength(3);
  });
});

describe('the strategy of a bet', () => {
  it('is read back, and null where a client placed it', async () => {
    const { bets } = await readBack(
      runOf([
        betOn('x', '1', { strategy: { id: 'a, "b"' as StrategyId, version: 1 } }),
        betOn('y', '1', { strategy: null }),
      ]),
    );
    expect(bets.map(({ strategy }) => strategy)).toEqual(['a, "b"', null]);
  });
});
