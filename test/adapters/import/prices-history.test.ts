import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { IMPORTERS, type ImportOptions, importTape } from '../../../src/adapters/import/import-tape.js';
import { pmxtMarket, written } from '../../support/pmxt-files.js';
import { AWAY, fresh, HOME, removeFiles } from './importing.js';

afterAll(removeFiles);

const BEGAN = Date.UTC(2026, 5, 26, 2) / 1000;
const [, HISTORY] = IMPORTERS as [unknown, (typeof IMPORTERS)[number]];
const meta = () => written(fresh('markets.jsonl'), JSON.stringify(pmxtMarket(1)));
/** A price each so many seconds. */
const points = (prices: readonly number[], step = 60) => prices.map((p, n) => ({ t: BEGAN + n * step, p }));
/** An answer about a token, in a folder of its own: a file is named after the token. */
const answer = (token: string, history: unknown) => {
  const folder = fresh('answers');
  mkdirSync(folder);
  return written(join(folder, `${token}.json`), JSON.stringify({ history }));
};

async function imported(files: readonly string[], changes: Partial<ImportOptions> = {}) {
  const out = fresh('prices.jsonl');
  const report = await importTape({ importer: HISTORY, files, markets: 'all', meta: meta(), out, ...changes });
  const lines = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [header] = lines;
  const said = lines.slice(2).filter((line) => !('alive' in line));
  return {
    report,
    header,
    alive: lines.length - 2 - said.length,
    said: said.map(({ t, m: _, ...rest }) => [t / 1000 - BEGAN, rest]),
  };
}

describe('An import of prices', () => {
  test('is a tape of mids, each exact, which says so', async () => {
    const { header, said, report } = await imported([answer(HOME, points([0.535, 0.93, 0.5]))]);
    expect(header.source).toEqual({
      evidence: 'mid',
      vendor: 'polymarket',
      version: 'prices-history',
      licence: null,
      clock: 'source',
      metadata: 'as_of_now',
    });
    expect(said).toEqual([
      [0, { mid: '0.535' }],
      [60, { mid: '0.93' }],
      [120, { mid: '0.5' }],
      [210, { gap: 'no later price' }],
    ]);
    expect(report.warnings.map(({ code }) => code)).toEqual(['mid_only', 'metadata_as_of_now']);
  });

  test('has a gap where prices stop for longer than their step', async () => {
    const { said, alive } = await imported([answer(HOME, [...points([0.5, 0.51]), { t: BEGAN + 7200, p: 0.6 }])]);
    expect(said).toEqual([
      [0, { mid: '0.5' }],
      [60, { mid: '0.51' }],
      [150, { gap: 'no later price' }],
      [7200, { mid: '0.6' }],
      [7290, { gap: 'no later price' }],
    ]);
    expect(alive).toBeLessThan(20);
  });

  test('reads the second outcome as the mirror, where the first lacks', async () => {
    const second = answer(AWAY, points([0.58]));
    expect((await imported([second])).said[0]).toEqual([0, { mid: '0.42' }]);
    expect((await imported([second, answer(HOME, points([0.4]))])).said[0]).toEqual([0, { mid: '0.4' }]);
  });

  test('takes each moment once, of answers that overlap and of the batch form', async () => {
    const batch = written(
      fresh('batch.json'),
      JSON.stringify({ history: { [HOME]: points([0.5, 0.51]), 999: points([0.1]) } }),
    );
    const { said, report } = await imported([answer(HOME, points([0.5, 0.51, 0.52])), batch]);
    expect(said.map(([at]) => at)).toEqual([0, 60, 120, 210]);
    expect(report.counts['other_tokens']).toBe(1);
  });

  test('drops prices of 0 and 1, and counts them', async () => {
    const { said, report } = await imported([answer(HOME, points([0, 0.5, 1]))]);
    expect(said[0]).toEqual([60, { mid: '0.5' }]);
    expect(report.counts['prices_out_of_range']).toBe(2);
  });

  test.each<[string, () => string, RegExp]>([
    ['is no JSON', () => written(fresh('a.json'), '<html>'), /a\.json: is not JSON: save the answer as it came$/],
    ['has no history', () => written(fresh('b.json'), '{"error":"x"}'), /b\.json: has no history: an answer of/],
    ['is about another token', () => answer('999', points([0.5])), /^no file is named after a token of the markets/],
    ['has a price that is no number', () => answer(HOME, [{ t: BEGAN, p: '0.5' }]), /row 0: has a price that is not/],
  ])('is refused where an answer %s', async (_, file, words) => {
    await expect(imported([file()])).rejects.toThrow(words);
  });
});
