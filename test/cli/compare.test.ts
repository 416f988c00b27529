import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRun } from '../../src/backtest/files.js';
import { backtestResultOf } from '../../src/backtest/result.js';
import { createProgram } from '../../src/cli/cli.js';
import { aRun, aRunHeader } from '../support/backtest-runs.js';
import { outcomeOf } from './in-process.js';

const workspace = mkdtempSync(join(tmpdir(), 'stakeport-compare-'));
const [before, after] = ['before', 'after'].map((name) => join(workspace, name)) as [string, string];

beforeAll(async () => {
  const runs = [aRun(40), aRun(40, { seed: 2, edge: 0.05, header: aRunHeader({ id: 'ab'.repeat(32) }) })];
  for (const [at, folder] of [before, after].entries()) {
    const run = runs[at] ?? aRun(0);
    await writeRun(run, backtestResultOf(run), folder);
  }
});

afterAll(() => rmSync(workspace, { recursive: true }));

const compare = (...args: readonly string[]) =>
  outcomeOf(async () => (await createProgram()).parseAsync(['backtest', 'compare', ...args], { from: 'user' }));

describe('stakeport backtest compare', () => {
  it('shows both runs side by side, and their paired difference', async () => {
    const { printed, code } = await compare(before, after);
    expect(code).toBe(0);
    expect(printed).toMatch(/^verdict +not enough bets +not enough bets$/m);
    expect(printed).toMatch(/^A less B, per event: .*, over 40 events, 40 of them in both: /m);
  });

  it('prints one JSON document with the same figures', async () => {
    const { printed } = await compare(before, after, '--json');
    const { runs, results } = JSON.parse(printed);
    expect(runs.map(({ path }: { path: string }) => path)).toEqual([before, after]);
    expect(Object.keys(results[0])).toEqual(['strategy', 'a', 'b', 'difference']);
    expect(results[0].difference).toMatchObject({ events: 40, shared: 40 });
    expect(results[0].a.measures.turnover_usdc.value).toMatch(/^\d+(\.\d+)?$/);
  });

  it('refuses a folder that no run wrote, in one line', async () => {
    const { code, error } = await compare(before, workspace);
    expect(code).toBe(64);
    expect(error).toBe(
      `${workspace}: ${join(workspace, 'result.json')} is missing. Name a folder that stakeport backtest --out wrote.`,
    );
  });
});
