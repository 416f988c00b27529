import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ROOT } from './support/build.js';

const run = promisify(execFile);
const TSX = resolve(ROOT, 'node_modules/tsx/dist/cli.mjs');

async function runExample(file: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [TSX, resolve(ROOT, 'examples', file)], { cwd: ROOT });
  return stdout.trim().split('\n');
}

describe('The example', () => {
  beforeAll(() => {
    expect(inject('buildFailure')).toBe('');
  });

  it('embed.ts places an order under a strategy, and tells its history', async () => {
    expect(await runExample('embed.ts')).toEqual([
      'strategy "Home favourites", version 1, at most 100 USDC',
      'order filled: 17.54 shares for 9.9978 USDC',
      '  1. requested',
      '  2. accepted',
      '  3. fill',
    ]);
  });

  it('own-exchange.ts keeps the promises of every venue', async () => {
    const lines = await runExample('own-exchange.ts');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  });
});
