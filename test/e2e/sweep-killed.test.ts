import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterEachFile } from '../support/after-file.js';
import { SERVER, startProgram } from '../support/processes.js';
import { runs } from '../support/runs.js';
import { aPlan, aSeason } from '../support/sweeps.js';
import { until } from './trading.js';

const workspace = mkdtempSync(join(tmpdir(), 'stakeport-killed-sweep-'));
afterEachFile(() => rmSync(workspace, { recursive: true, force: true }));

const FILES = ['leaderboard.csv', 'best.json', 'sweep.html'];
const GROUPS = 10;
/** Every second group, or each in the soak. */
const APART = runs(1) === 1 ? 2 : 1;
const plan = join(workspace, 'plan.json');
/** From all games to none: what one group found is not what another found. */
const odds = Array.from({ length: GROUPS }, (_, n) => (1.6 + n / 10).toFixed(1));
writeFileSync(plan, JSON.stringify(aPlan({ tapes: [aSeason(8)], grid: { '/rules/filter/min_odds': odds }, group: 1 })));

const start = (name: string, workers: number) => {
  const counted = ['--trials', join(workspace, name, 'trials.jsonl')];
  const args = [SERVER, 'sweep', plan, '--out', join(workspace, name), '--workers', `${workers}`, ...counted];
  return startProgram(process.execPath, { args });
};
const textsOf = (name: string) => FILES.map((file) => readFileSync(join(workspace, name, file), 'utf8'));
/** How many files of groups there are, half-written ones too. */
const partsOf = (name: string): number => {
  const parts = join(workspace, name, 'parts');
  return existsSync(parts) ? readdirSync(parts).length : -1;
};

test('a sweep killed at several moments ends in the same bytes', async () => {
  const whole = start('whole', 1);
  expect(await whole.ended, whole.output()).toEqual({ code: 0, signal: null });
  let unfinished = 0;
  for (let moment = 0; moment < GROUPS; moment += APART) {
    const [name, workers] = [`killed-${moment}`, 1 + ((moment / APART) % 2)];
    const killed = start(name, workers);
    await until(async () => partsOf(name) >= moment);
    await killed.kill('SIGKILL');
    const kept = partsOf(name);
    if (kept < GROUPS) unfinished += 1;
    const again = start(name, 3 - workers);
    expect(await again.ended, again.output()).toEqual({ code: 0, signal: null });
    for (const [at, text] of textsOf(name).entries())
      expect(text === textsOf('whole')[at], `${FILES[at]} after ${kept} groups`).toBe(true);
  }
  expect(unfinished).toBeGreaterThanOrEqual(GROUPS / APART / 2);
});
