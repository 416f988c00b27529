import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweep } from '../../src/backtest/index.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import type { SweepVerdict } from '../../src/sweep/outcome.js';
import { pastNoon, textOf } from '../adapters/tape/tapes.js';
import { afterEachFile } from '../support/after-file.js';
import { numbersFrom } from '../support/backtest-runs.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { runs } from '../support/runs.js';
import { aPlan } from '../support/sweeps.js';

const workspace = mkdtempSync(join(tmpdir(), 'stakeport-chance-'));
afterEachFile(() => rmSync(workspace, { recursive: true, force: true }));

/** More in `npm run soak`. */
const [VARIANTS, TAPES] = runs(1) === 1 ? [20, 16] : [200, 500];
const GAMES = 45;
/** Games that a variant bets on. */
const BETS = 31;

/** Plays a sweep whose variants each bet on a side of games drawn by lot; the first team wins so much more often than its price says. */
async function verdictOn(seed: number, edge = 0): Promise<SweepVerdict | undefined> {
  const next = numbersFrom(seed * 7919 + 1);
  const games = Array.from({ length: GAMES }, (_, n) => aMatch(`c${n}`, { startsAt: pastNoon(60_000) }));
  const lines = games.flatMap((game, n) => {
    const bid = 40 + Math.floor(next() * 19);
    const won = next() < (bid + 0.5) / 100 + edge;
    return [says(game, 0), shows(game, 1, `0.${bid}`, `0.${bid + 1}`), ends(game, 61 + n, won ? YES_WON : NO_WON)];
  });
  const tape = join(workspace, `${seed}-${edge}.jsonl`);
  writeFileSync(tape, textOf(...inTime(lines, 70 + GAMES)));
  const drawn = () => games.map(({ event }) => [next(), event?.id ?? ''] as const).sort(([one], [two]) => one - two);
  const lists = Array.from({ length: VARIANTS / 2 }, () =>
    drawn()
      .slice(0, BETS)
      .map(([, id]) => id),
  );
  const grid = { '/rules/match/events': lists, '/rules/outcome/index': [0, 1] };
  const folder = `${tape}.sweep`;
  const outcome = await sweep({ plan: aPlan({ tapes: [tape], grid, group: VARIANTS }), folder });
  rmSync(folder, { recursive: true });
  rmSync(tape);
  return outcome?.verdict;
}

it('the best of played coin flips seldom is more than chance', { timeout: 36_000_000 }, async () => {
  const verdicts = new Map<string, number>();
  for (let seed = 0; seed < TAPES; seed += 1) {
    const verdict = `${await verdictOn(seed)}`;
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (seed % 100 === 99)
      process.stdout.write(`${VARIANTS} variants, tape ${seed + 1}: ${JSON.stringify([...verdicts])}\n`);
  }
  expect([...verdicts.keys()].sort()).not.toContain('not enough bets');
  expect((verdicts.get('more than chance') ?? 0) / TAPES).toBeLessThanOrEqual(
    0.05 + 2 * Math.sqrt((0.05 * 0.95) / TAPES),
  );
});

it('a findable edge is found among played coin flips', async () => {
  for (let seed = 0; seed < 3; seed += 1) expect(await verdictOn(seed, 0.35)).toBe('more than chance');
});
