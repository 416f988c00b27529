import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const TWO_MEGABYTES = 2_000_000;

test('the recording of the demo is what its script makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  try {
    execFileSync(process.execPath, ['scripts/example-demo.mjs', join(folder, 'made.jsonl')]);
    expect(readFileSync(join(folder, 'made.jsonl'), 'utf8')).toBe(readFileSync('examples/demo.jsonl', 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the example season is what its script makes, below 2 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'season-'));
  try {
    const made = join(folder, 'made.jsonl.gz');
    execFileSync(process.execPath, ['scripts/example-season.mjs', made]);
    const kept = readFileSync('examples/season.jsonl.gz');
    expect(kept.length).toBeLessThan(TWO_MEGABYTES);
    expect(gunzipSync(kept).equals(gunzipSync(readFileSync(made)))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
