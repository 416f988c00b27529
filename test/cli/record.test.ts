import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { command } from './in-process.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'stakeport-record-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

test('a tape of another class is not recorded as if it proved more', async () => {
  const path = join(FOLDER, 'mids.jsonl');
  const source = {
    evidence: 'mid',
    vendor: 'other',
    version: null,
    licence: null,
    clock: 'source',
    metadata: 'as_of_now',
  };
  writeFileSync(
    path,
    `${JSON.stringify({ stakeport_tape: 2, recorded_at: '2026-03-01T12:00:00.000Z', venue: 'polymarket', source })}\n`,
  );
  const { code, output } = await command(
    { MARKET_DATA: `tape:${path}` },
    'record',
    '--market',
    'x',
    '--out',
    join(FOLDER, 'x.jsonl'),
  );
  expect(code).toBe(78);
  expect(output).toContain(
    `${path} holds mid of other, and a recording would not say so. Take parts of it with stakeport tape cut.`,
  );
});

test('markets of several venues are not recorded as if they were of the first', async () => {
  const env = {
    MARKET_DATA: 'polymarket,kalshi',
    KALSHI_KEY_ID: 'k',
    KALSHI_PRIVATE_KEY_FILE: join(FOLDER, 'key.pem'),
  };
  const { code, output } = await command(env, 'record', '--market', 'x', '--out', join(FOLDER, 'y.jsonl'));
  expect([code, output]).toEqual([78, expect.stringContaining('names several venues, and a tape is of one.')]);
});
