import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/cli.js';
import { tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, BODIES, games } from '../support/backtests.js';
import { EACH_DATABASE } from '../support/databases.js';
import { outcomeOf } from './in-process.js';

const workspace = mkdtempSync(join(tmpdir(), 'stakeport-backtest-'));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const AFTERNOON = tape(...afternoonOf(games(2)));
const fileOf = (name: string, content: string): string => {
  writeFileSync(join(workspace, name), content);
  return join(workspace, name);
};
const homes = fileOf('homes.json', JSON.stringify(aBody('homes', {}, { automation: 'approve' })));
const backtest = (...args: readonly string[]) =>
  outcomeOf(async () => (await createProgram()).parseAsync(['backtest', ...args], { from: 'user' }));

describe('stakeport backtest', () => {
  it('prints a summary and writes the files of the run', async () => {
    const out = join(workspace, 'run');
    const { code, printed } = await backtest(AFTERNOON, '--strategy', homes, '--out', out);
    expect([code, printed.split('\n').length]).toEqual([0, expect.any(Number)]);
    expect(printed).toContain('warning: "homes" asks a person to approve its bets');
    expect(readdirSync(out).sort()).toEqual([
      'bets.csv',
      'decisions.jsonl.gz',
      'equity.csv',
      'orders.csv',
      'report.html',
      'result.json',
    ]);
    const { run } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    const { printed: json } = await backtest(AFTERNOON, '--strategy', homes, '--json');
    expect(JSON.parse(json).run).toEqual(run);
  });

  it.each(EACH_DATABASE)('writes the same files beside %s that keeps the record', async (kind, fresh) => {
    const [plain, kept] = [join(workspace, `beside-${kind}`), join(workspace, kind)];
    const files = BODIES.slice(4, 6).map((body) => fileOf(`${body['name']}.json`, JSON.stringify(body)));
    const run = [AFTERNOON, ...files.flatMap((file) => ['--strategy', file])];
    const { url, remove } = await fresh();
    expect((await backtest(...run, '--out', plain)).code).toBe(0);
    expect((await backtest(...run, '--out', kept, '--database', url)).code).toBe(0);
    expect(readdirSync(plain)).toHaveLength(6);
    for (const name of readdirSync(plain))
      expect(readFileSync(join(kept, name)).equals(readFileSync(join(plain, name)))).toBe(true);
    const again = await backtest(...run, '--database', url);
    expect([again.code, again.error]).toEqual([
      64,
      '--database takes a new database, and there are accounts in this one.',
    ]);
    await remove();
  });

  it('writes the same files from two workers as from one', async () => {
    const strategies = [1, 2, 3].map((n) => fileOf(`s${n}.json`, JSON.stringify(aBody(`s${n}`, { outcome: 'each' }))));
    const named = strategies.flatMap((file) => ['--strategy', file]);
    const outs = [join(workspace, 'one'), join(workspace, 'two')] as const;
    await backtest(AFTERNOON, ...named, '--out', outs[0]);
    await backtest(AFTERNOON, ...named, '--out', outs[1], '--workers', '2');
    for (const name of readdirSync(outs[0]))
      expect(readFileSync(join(outs[1], name)).equals(readFileSync(join(outs[0], name)))).toBe(true);
  });

  it.each([
    [78, 'a tape that is not there', () => [join(workspace, 'none.jsonl'), '--strategy', homes]],
    [78, 'a file that is no tape', () => [homes, '--strategy', homes]],
    [64, 'a strategy that is no JSON', () => [AFTERNOON, '--strategy', fileOf('text.json', 'homes')]],
    [64, 'a strategy without a sport', () => [AFTERNOON, '--strategy', fileOf('bare.json', '{"name":"bare"}')]],
    [64, 'two strategies of one name', () => [AFTERNOON, '--strategy', homes, '--strategy', homes]],
    [
      64,
      'a signal without a moment',
      () => [
        AFTERNOON,
        '--strategy',
        homes,
        '--signals',
        fileOf('s.csv', 'name,market_id,known_at,outcome,probability\nelo,0xg0,soon,Home,0.5\n'),
      ],
    ],
    [64, 'a folder that cannot be made', () => [AFTERNOON, '--strategy', homes, '--out', join(homes, 'run')]],
    [64, 'a zone that is none', () => [AFTERNOON, '--strategy', homes, '--zone', 'Mars']],
    [
      1,
      'rules that name no market',
      () => [AFTERNOON, '--strategy', fileOf('chess.json', JSON.stringify(aBody('chess', {}, { sport: 'chess' })))],
    ],
  ])('exits with %i and one line for %s', async (code, _, args) => {
    const { code: exit, error } = await backtest(...args());
    expect([exit, error.split('\n').length]).toEqual([code, 1]);
    expect(error.length).toBeGreaterThan(20);
  });
});
