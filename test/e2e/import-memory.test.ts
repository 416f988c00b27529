import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { writeArchiveHour } from '../../bench/archive-hour.js';
import { fresh, removeFiles } from '../adapters/import/importing.js';
import { ROOT } from '../support/build.js';
import { EVENT, MARKET, SERIES } from '../support/fake-kalshi/records.js';
import { written } from '../support/pmxt-files.js';
import { type KalshiArchiveRow, pmxtKalshiHour } from '../support/pmxt-kalshi-files.js';

const run = promisify(execFile);
afterAll(removeFiles);

/** Changes of forty markets of Kalshi in batches of a thousand, a whole book of each at the beginning. */
function hourOfKalshi(rows: number): Uint8Array {
  const began = Date.UTC(2027, 0, 16, 18);
  const tickers = Array.from({ length: 40 }, (_, n) => `M-${n}`);
  const books = tickers.map(
    (ticker): KalshiArchiveRow => ({ at: began, ticker, yes: [['0.4', '9']], no: [['0.5', '9']] }),
  );
  const deltas = Array.from({ length: rows - tickers.length }, (_, n): KalshiArchiveRow => {
    const source = began + Math.floor((n * 3_500_000) / rows);
    const at = began + Math.floor((Math.floor(n / 1000) * 3_500_000_000) / rows);
    return { at, micros: source * 1000, ticker: `M-${n % 40}`, side: 'yes', price: `0.${10 + (n % 9)}`, delta: '1' };
  });
  return pmxtKalshiHour([...books, ...deltas], { groupSize: rows });
}

const MEGABYTE = 1_048_576;

/** How many changes an import finds in a process of its own, and the most memory that it takes. */
async function peakOf(
  kind: string,
  options: { readonly files: readonly string[]; readonly meta: string; readonly out: string },
  flags: readonly string[] = [],
) {
  const program = `
    import { IMPORTERS, importTape } from ${JSON.stringify(join(ROOT, 'dist/adapters/import/import-tape.js'))};
    const importer = IMPORTERS.find(({ kind }) => kind === ${JSON.stringify(kind)});
    const options = ${JSON.stringify({ ...options, markets: 'all', anySize: true })};
    const { counts } = await importTape({ importer, ...options });
    console.log(JSON.stringify([counts.changes, process.resourceUsage().maxRSS * 1024]));`;
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as [changes: number, most: number];
}

test('a part of 200,000 rows is imported in 240 megabytes of memory', async () => {
  const [file, meta, out] = [fresh('hour-2026-06-26T02.parquet'), fresh('markets.jsonl'), fresh('tape.jsonl')];
  await writeArchiveHour({ file, meta }, { markets: 40, rows: 200_000 });
  const [changes, most] = await peakOf('pmxt', { files: [file], meta, out });
  expect(changes).toBe(99_000);
  expect(most).toBeLessThan(240 * MEGABYTE);
});

test('a part of 200,000 rows of Kalshi is imported in a heap of 160 megabytes', async () => {
  const file = written(fresh('hour-2027-01-16T18.parquet'), hourOfKalshi(200_000));
  const markets = Array.from({ length: 40 }, (_, n) => ({ ...MARKET, ticker: `M-${n}` }));
  const meta = written(fresh('markets.json'), JSON.stringify([{ markets }, { event: EVENT }, { series: SERIES }]));
  // What is garbage until it is collected is no measure: beyond its limit the process ends.
  const little = ['--max-old-space-size=160'];
  const [changes] = await peakOf('pmxt-kalshi', { files: [file], meta, out: fresh('tape.jsonl') }, little);
  expect(changes).toBe(199_960);
});
