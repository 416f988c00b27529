import { appendFileSync, existsSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import { lineText } from '../../src/adapters/tape/tape-line.js';
import { fresh, hourFile, removeFiles, WHOLE } from '../adapters/import/importing.js';
import { alive, fileOf, freshPath, tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, games } from '../support/backtests.js';
import { pmxtMarket, written } from '../support/pmxt-files.js';
import { aPlan, aSeason } from '../support/sweeps.js';
import { command } from './in-process.js';

afterAll(removeFiles);

const GAMES = games(3);
const LINES = afternoonOf(GAMES);
const afternoon = (): string => tape(...LINES);
const stakeport = (...args: string[]) => command({}, ...args);
const homes = (): string => fileOf(JSON.stringify(aBody('homes', { match: { league: 'cup' } })), '.json');

describe('stakeport tape', () => {
  it('says what a tape holds and what it can prove', async () => {
    const path = afternoon();
    const { code, output } = await stakeport('tape', 'info', path);
    expect(code).toBe(0);
    expect(output).toMatch(/^evidence +l2$/m);
    expect(output).toMatch(/^from +2026-03-01 12:00:00Z$/m);
    expect(output).toMatch(/^markets +3$/m);
    expect(output).toMatch(/^results +3$/m);
    const { output: json } = await stakeport('tape', 'info', path, '--json');
    expect(JSON.parse(json)).toMatchObject({ lines: LINES.length, markets: 3, games: 3, results: 3, gaps: 0 });
  });

  it('names the first line that cannot be played', async () => {
    const whole = afternoon();
    expect((await stakeport('tape', 'check', whole)).output).toBe(
      `${whole}: all of its ${LINES.length} lines can be played.\n`,
    );
    const torn = afternoon();
    appendFileSync(torn, '{"t":\n');
    const { code, output } = await stakeport('tape', 'check', whole, torn);
    expect(code).toBe(78);
    expect(output).toContain(`${torn}: line ${LINES.length + 2}`);
    expect(output).toContain('What is before it can be kept: stakeport tape cut with --to');
  });

  it('cuts a market out, and merges what was cut', async () => {
    const path = afternoon();
    const [first, rest, merged] = [freshPath(), freshPath('.jsonl.gz'), freshPath()];
    const others = GAMES.slice(1)
      .map(({ id }) => id)
      .join(',');
    expect((await stakeport('tape', 'cut', path, '--markets', `${GAMES[0]?.id}`, '--out', first)).code).toBe(0);
    expect((await stakeport('tape', 'cut', path, '--markets', others, '--out', rest)).code).toBe(0);
    const { output } = await stakeport('tape', 'merge', first, rest, '--out', merged);
    expect(output).toMatch(/: \d+ lines on 3 markets\.\n$/);
    expect((await stakeport('tape', 'cut', path, '--markets', ',', '--out', freshPath())).output).toContain(
      '--markets names no market',
    );
  });

  it('writes an index, and a backtest by it prints the same', async () => {
    const path = afternoon();
    const run = ['backtest', path, '--strategy', homes(), '--json'];
    const plain = await stakeport(...run);
    const { code, output } = await stakeport('tape', 'index', path);
    expect([code, output]).toEqual([0, `${path}.index: ${LINES.length} lines on 3 markets.\n`]);
    expect(existsSync(`${path}.index`)).toBe(true);
    expect(await stakeport(...run)).toEqual(plain);
  });

  test.each([
    ['backtest', (path: string) => ['backtest', path, '--strategy', homes(), '--json']],
    ['tape cut', (path: string) => ['tape', 'cut', path, '--markets', `${GAMES[0]?.id}`, '--out', freshPath()]],
  ])('%s warns of an index of another state of the tape', async (_, args) => {
    const path = afternoon();
    await stakeport('tape', 'index', path);
    const warning = `warning: ${path}.index is of another state of the tape and is not used: stakeport tape index ${path}\n`;
    expect((await stakeport(...args(path))).output).not.toContain('warning:');
    appendFileSync(path, `${lineText(alive(3_600_000))}\n`);
    const { code, output } = await stakeport(...args(path));
    expect([code, output.includes(warning)]).toEqual([0, true]);
  });

  it('refuses an index of what is no tape', async () => {
    const path = fileOf('hello\n', '.txt');
    const { code, output } = await stakeport('tape', 'index', path);
    expect([code, existsSync(`${path}.index`)]).toEqual([78, false]);
    expect(output).toContain('Give a tape: its first line says what it is.');
  });
});

describe('The progress of a command', () => {
  const { isTTY } = process.stderr;
  afterEach(() => {
    process.stderr.isTTY = isTTY;
  });

  /** 25,000 lines of silence. */
  const long = (): string => {
    const silence = Array.from({ length: 25_000 }, (_, n) => `${lineText(alive(3_600_000 + n))}\n`);
    const path = afternoon();
    appendFileSync(path, silence.join(''));
    return path;
  };
  const SHOWN = /\r\d+ %, 2026-03-01 \d\d:\d\d UTC, about \d+ s left {3}\r/;

  test.each<[string, (path: string) => string[]]>([
    ['check', (path) => ['tape', 'check', path]],
    ['index', (path) => ['tape', 'index', path]],
    ['cut', (path) => ['tape', 'cut', path, '--out', freshPath()]],
    ['merge', (path) => ['tape', 'merge', path, '--out', freshPath()]],
    ['a backtest', (path) => ['backtest', path, '--strategy', homes()]],
  ])('is a line with the time left for %s, on a terminal only', async (_, args) => {
    const path = long();
    expect((await stakeport(...args(path))).output).not.toContain('\r');
    process.stderr.isTTY = true;
    const { code, output } = await stakeport(...args(path));
    expect([code, output.match(SHOWN)?.[0]]).toEqual([0, expect.any(String)]);
    expect(output).toContain(`\r${' '.repeat(60)}\r`);
  });

  it('says how many groups of a sweep are done', async () => {
    process.stderr.isTTY = true;
    const plan = fileOf(JSON.stringify(aPlan({ tapes: [aSeason(4)] })), '.json');
    const { output } = await stakeport('sweep', plan, '--out', freshPath(''), '--trials', freshPath());
    expect(output).toMatch(/\r\d+ %, \d+ of \d+ groups/);
  });

  it('says how far an import is', async () => {
    process.stderr.isTTY = true;
    const run = ['--in', hourFile([WHOLE]), '--meta', written(fresh('markets.jsonl'), JSON.stringify(pmxtMarket(1)))];
    const { output } = await stakeport('import', 'pmxt', ...run, '--any-size', '--out', fresh('tape.jsonl'));
    expect(output).toMatch(/\r\d+ %/);
  });
});
