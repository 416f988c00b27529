import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cutTape, mergeTapes, TapeRefused } from '../../../src/adapters/tape/tape-cut.js';
import { readTape } from '../../../src/adapters/tape/tape-reader.js';
import { surveyTape } from '../../../src/adapters/tape/tape-survey.js';
import type { BacktestRun } from '../../../src/backtest/backtest-run.js';
import { type BacktestOptions, backtest } from '../../../src/backtest/index.js';
import { aBody, afternoonOf, games } from '../../support/backtests.js';
import {
  alive,
  all,
  book,
  described,
  fileOf,
  freshPath,
  line,
  pastNoon,
  RAIN,
  SNOW,
  tape,
  textOf,
  textProving,
} from './tapes.js';

const GAMES = games(4);
const LINES = afternoonOf(GAMES);
const CUP = aBody('cup', { match: { league: 'cup' } });
const RESTS = aBody('rests', {
  match: { league: 'cup' },
  outcome: 'each',
  order: { time_in_force: 'GTC', give_up_after: '5m' },
  sizing: { method: 'flat', value: 50 },
});

/** Orders with their fills, bets, and what was decided; the age of books may be left out. */
const traded = ({ played, decisions }: BacktestRun, withoutAge = false): string =>
  JSON.stringify([played[0]?.orders, played[0]?.bets, [...(decisions as Iterable<unknown>)]], (name, value) => {
    if (name === 'eventHash' || (withoutAge && (name === 'book_at' || value?.rule === 'filter/max_book_age')))
      return null;
    return typeof value === 'bigint' ? `${value}` : value;
  });
const play = (tapes: BacktestOptions['tapes'], more: Partial<BacktestOptions> = {}) =>
  backtest({ tapes, strategies: [CUP, RESTS], latencyMs: 5500, ...more });

describe('The same decisions, orders and fills as on the whole tape', () => {
  const whole = tape(...LINES);
  const ofCup = GAMES.filter(({ league }) => league === 'cup').map(({ id }) => `${id}`);

  it('come of the markets that strategies name', async () => {
    const out = freshPath('.jsonl.gz');
    const { markets } = await cutTape(whole, out, { markets: ofCup });
    expect(markets).toBe(2);
    const run = await play(whole);
    expect(run.played[0]?.orders.length).toBeGreaterThan(4);
    expect(traded(await play(out))).toBe(traded(run));
  });

  it('come of the time that is played, where first books are of its beginning', async () => {
    const span = { from: pastNoon(300_000), to: pastNoon(700_000) };
    const out = freshPath();
    await cutTape(whole, out, span);
    const run = await play(whole, span);
    expect(run.played[0]?.orders.length).toBeGreaterThan(2);
    expect(traded(await play(out), true)).toBe(traded(run, true));
  });

  it('come of its parts, in any order of files, and of these merged', async () => {
    const others = GAMES.filter(({ league }) => league !== 'cup').map(({ id }) => `${id}`);
    const parts: [string, string] = [freshPath(), freshPath('.jsonl.gz')];
    await cutTape(whole, parts[0], { markets: ofCup });
    await cutTape(whole, parts[1], { markets: others });
    const merged = freshPath();
    await mergeTapes([parts[1], parts[0]], merged);
    const expected = traded(await play(whole));
    for (const tapes of [parts, parts.toReversed(), merged]) expect(traded(await play(tapes))).toBe(expected);
    expect(await surveyTape(merged)).toMatchObject({ markets: 4, results: 4, gaps: 0 });
  });
});

describe('A part of a tape', () => {
  it('begins with what was known, and is silent where the whole is', async () => {
    const lines = [
      line(0, described(RAIN)),
      line(0, described(SNOW), SNOW),
      line(0, book('0.5', '0.6')),
      line(5000, book('0.4', '0.6'), SNOW),
      line(9000, book('0.5', '0.7')),
      line(50_000, book('0.3', '0.6'), SNOW),
      line(60_000, book('0.4', '0.7')),
    ];
    const out = freshPath();
    await cutTape(tape(...lines), out, { from: pastNoon(2000), markets: [SNOW.slug ?? ''] });
    expect(await all(readTape(out))).toEqual([
      line(2000, described(SNOW), SNOW),
      alive(2000),
      line(5000, book('0.4', '0.6'), SNOW),
      alive(9000),
      line(50_000, book('0.3', '0.6'), SNOW),
      alive(60_000),
    ]);
  });

  it('can be kept where a later line cannot be read', async () => {
    const broken = fileOf(`${textOf(line(0, described(RAIN)), line(7, book('0.5', '0.6')))}rain\n`);
    await expect(cutTape(broken, freshPath())).rejects.toThrow(/line 4 of the tape/);
    const out = freshPath();
    await cutTape(broken, out, { to: pastNoon(7) });
    expect((await surveyTape(out)).to).toEqual(pastNoon(7));
  });

  it.each([
    ['markets that it does not have', { markets: ['hail'] }],
    ['a time after it', { from: pastNoon(60_000) }],
  ])('is not made of %s', async (_what, cut) => {
    const out = freshPath();
    await expect(cutTape(tape(line(0, described(RAIN))), out, cut)).rejects.toBeInstanceOf(TapeRefused);
    expect(existsSync(out)).toBe(false);
    expect(existsSync(`${out}.part`)).toBe(false);
  });

  it('takes the place of no file', async () => {
    const out = fileOf('a letter');
    await expect(cutTape(tape(line(0, described(RAIN))), out)).rejects.toThrow(/exists already: name a new file/);
    expect(readFileSync(out, 'utf8')).toBe('a letter');
  });
});

describe('Tapes that are merged', () => {
  it('are of one source', async () => {
    const one = tape(line(0, described(RAIN)));
    const other = fileOf(textProving('snapshots', line(0, described(SNOW), SNOW)));
    await expect(mergeTapes([one, other], freshPath())).rejects.toThrow(
      /is of another evidence \(snapshots\) than .* \(l2\): .* a backtest both, it takes several tapes/,
    );
  });

  it('keep the gap of a market whose tape was silent', async () => {
    const silent = tape(line(0, described(RAIN)), line(0, book('0.5', '0.6')));
    const other = tape(line(0, described(SNOW), SNOW), ...[10, 20, 30, 40, 50].map((second) => alive(second * 1000)));
    const out = freshPath();
    await mergeTapes([silent, other], out);
    expect(await all(readTape(out))).toContainEqual(
      line(30_000, { type: 'gap', reason: 'nothing was recorded for 30 seconds' }),
    );
  });

  it('name the one that cannot be read', async () => {
    const [good, bad] = [tape(line(0, described(RAIN))), fileOf(`${textOf(line(0, described(SNOW), SNOW))}rain\n`)];
    await expect(mergeTapes([good, bad], freshPath())).rejects.toMatchObject({ path: bad, line: 3 });
  });
});

it('A survey counts lines, silences and what was known', async () => {
  const path = tape(
    line(0, described(RAIN)),
    line(0, book('0.5', '0.6')),
    alive(10_000),
    line(60_000, book('0.5', '0.6')),
    line(80_000, described({ ...RAIN, status: 'closed' })),
  );
  expect(await surveyTape(path)).toMatchObject({
    from: pastNoon(0),
    to: pastNoon(80_000),
    lines: 5,
    kinds: { market: 2, book: 2, alive: 1, trade: 0 },
    markets: 1,
    games: 1,
    results: 0,
    gaps: 1,
    coverage: 0.75,
  });
});
