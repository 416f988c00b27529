import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAfternoon } from '../../bench/afternoon-tape.js';
import { ROOT } from '../support/build.js';

const run = promisify(execFile);
const MEGABYTE = 1_048_576;
const folder = mkdtempSync(join(tmpdir(), 'stakeport-tape-memory-'));
const named = (name: string) => JSON.stringify(join(folder, name));

afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await writeAfternoon(join(folder, 'long.jsonl'), 20, 15_000);
});

/** What it came to, and the most bytes of memory of a process that did this with the parts of the package. */
async function mostOf<Came>(program: string): Promise<readonly [came: Came, most: number]> {
  const parts = [
    ['cutTape, mergeTapes', 'tape-cut'],
    ['surveyTape', 'tape-survey'],
    ['writeTapeIndex', 'tape-index-file'],
  ];
  const imports = parts.map(
    ([names, file]) => `import { ${names} } from ${JSON.stringify(join(ROOT, `dist/adapters/tape/${file}.js`))};`,
  );
  const text = `${imports.join('\n')}\nconst came = ${program};
    console.log(JSON.stringify([came, process.resourceUsage().maxRSS * 1024]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', text]);
  return JSON.parse(stdout);
}

const half = (of: 0 | 1) => Array.from({ length: 10 }, (_, n) => `"game-${2 * n + of}"`).join(', ');

test('300,000 lines are cut, merged, checked and indexed in 160 megabytes', async () => {
  for (const of of [0, 1] as const) {
    const cut = `await cutTape(${named('long.jsonl')}, ${named(`${of}.jsonl`)}, { markets: [${half(of)}] })`;
    const [{ markets }, most] = await mostOf<{ markets: number }>(cut);
    expect(markets).toBe(10);
    expect(most).toBeLessThan(160 * MEGABYTE);
  }
  const merge = `await mergeTapes([${named('0.jsonl')}, ${named('1.jsonl')}], ${named('both.jsonl')})`;
  const [merged, mergeMost] = await mostOf<{ lines: number }>(merge);
  expect(merged.lines).toBeGreaterThan(300_000);
  expect(mergeMost).toBeLessThan(160 * MEGABYTE);
  const [{ lines }, checkMost] = await mostOf<{ lines: number }>(`await surveyTape(${named('both.jsonl')})`);
  expect(lines).toBe(merged.lines);
  expect(checkMost).toBeLessThan(160 * MEGABYTE);
  const [indexed, indexMost] = await mostOf<{ markets: number }>(`await writeTapeIndex(${named('both.jsonl')})`);
  expect(indexed.markets).toBe(20);
  expect(indexMost).toBeLessThan(160 * MEGABYTE);
});
