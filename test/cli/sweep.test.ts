import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { aPlan, aSeason } from '../support/sweeps.js';
import { stakeport } from './in-process.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'stakeport-sweep-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  writeFileSync(join(FOLDER, name), text);
  return join(FOLDER, name);
};
const planFile = (name: string, changes: Readonly<Record<string, unknown>>): string =>
  written(name, JSON.stringify(aPlan(changes)));

describe('stakeport sweep', () => {
  test('says the verdict, the best variant and the trials, and where it wrote them', async () => {
    const out = join(FOLDER, 'out');
    const plan = planFile('plan.json', { tapes: [aSeason(4)] });
    const { code, printed } = await stakeport('sweep', plan, '--out', out, '--trials', join(FOLDER, 'trials.jsonl'));
    expect(code).toBe(0);
    expect(printed).toMatch(/^Not enough bets: /);
    expect(printed).toMatch(/\nbest {5}homes min_odds=1\.[59]\n/);
    expect(printed).toMatch(/\n2 trials on these tapes since \d{4}-\d{2}-\d{2}, by trials\.jsonl: /);
    expect(printed).toContain(`Written to ${out}: open sweep.html in a browser.`);
    expect(JSON.parse(readFileSync(join(out, 'best.json'), 'utf8'))).toMatchObject({ verdict: 'not enough bets' });
  });

  test.each<[string, () => string, number, RegExp]>([
    ['a plan that is not there', () => 'nowhere.json', 64, /^nowhere\.json: there is no such file or folder/],
    ['a plan that is not JSON', () => written('text.json', '{'), 64, /text\.json.* not JSON/],
    ['a member that no plan has', () => planFile('more.json', { colour: 1 }), 64, /more\.json.*\/colour/],
    [
      'a variant that is no strategy',
      () => planFile('odds.json', { tapes: [aSeason(1)], grid: { '/rules/filter/min_odds': [-1] } }),
      64,
      /odds\.json.*min_odds/,
    ],
    [
      'a tape that is not there',
      () => planFile('lost.json', { tapes: ['lost.jsonl'] }),
      78,
      /lost\.jsonl: there is no such file or folder/,
    ],
    [
      'a tape that is none',
      () => planFile('none.json', { tapes: [written('none.txt', 'hello\n')] }),
      78,
      /none\.txt: line 1 of the tape/,
    ],
    [
      'tapes with nothing that the rules name',
      () => planFile('tennis.json', { tapes: [aSeason(1)], base: { ...Object(aPlan()['base']), sport: 'tennis' } }),
      1,
      /tennis\.json.*/,
    ],
  ])('refuses %s in one line', async (_, plan, code, words) => {
    const outcome = await stakeport('sweep', plan(), '--out', join(FOLDER, 'refused'));
    expect([outcome.code, outcome.error]).toEqual([code, expect.stringMatching(words)]);
    expect(outcome.error).not.toContain('\n');
  });
});
