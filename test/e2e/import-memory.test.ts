import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { writeArchiveHour } from '../../bench/archive-hour.js';
import { fresh, removeFiles } from '../adapters/import/importing.js';
import { ROOT } from '../support/build.js';

const run = promisify(execFile);
afterAll(removeFiles);

const MEGABYTE = 1_048_576;

test('a part of 200,000 rows is imported in 240 megabytes of memory', async () => {
  const [file, meta, out] = [fresh('hour-2026-06-26T02.parquet'), fresh('markets.jsonl'), fresh('tape.jsonl')];
  await writeArchiveHour({ file, meta }, { markets: 40, rows: 200_000 });
  const program = `
    import { IMPORTERS, importTape } from ${JSON.stringify(join(ROOT, 'dist/adapters/import/import-tape.js'))};
    const options = ${JSON.stringify({ files: [file], markets: 'all', meta, out, anySize: true })};
    const { counts } = await importTape({ importer: IMPORTERS[0], ...options });
    console.log(JSON.stringify([counts.changes, process.resourceUsage().maxRSS * 1024]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  const [changes, most] = JSON.parse(stdout) as [number, number];
  expect(changes).toBe(99_000);
  expect(most).toBeLessThan(240 * MEGABYTE);
});
