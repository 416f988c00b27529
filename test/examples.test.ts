import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ROOT } from './support/build.js';
import { startServer } from './support/processes.js';

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

  it('quickstart.sh takes a strategy and an order around a running server', async () => {
    const { url } = await startServer({ env: { DATABASE_URL: 'memory:' } });
    const env = { ...process.env, BASE: url };
    const { stdout } = await run('sh', [resolve(ROOT, 'examples/quickstart.sh')], { env });
    const [created, changed, placed, read, events] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(created).toMatchObject({ name: 'Home favourites', stake_cap: '50', version: 1 });
    expect(changed).toMatchObject({ id: created.id, stake_cap: '25', version: 2 });
    expect(placed).toMatchObject({ strategy_id: created.id, strategy_version: 2, status: 'filled', size_usdc: '20' });
    expect(read).toEqual(placed);
    expect(events.data.map(({ type }: { type: string }) => type)).toEqual(['requested', 'accepted', 'fill']);
  });

  it('backtest.ts trades a rule on a whole tape, books the result of a market, and ends by itself', async () => {
    const told = [
      '00:01.150  bucks-thunder: bought 35.08 shares for 14.3828',
      '00:20.150  home-away: bought 30 shares for 16.8',
      '01:05.000  home-away: result, orders settled 1',
      ...['cash 998.02331', 'value 13.6812', 'realised 13.2', 'unrealised -0.7016', 'fees 0.79389'],
    ];
    expect(await runExample('backtest.ts')).toEqual(told);
    expect(await runExample('backtest.ts')).toEqual(told);
  });

  it('own-exchange.ts keeps the promises of every venue', async () => {
    const lines = await runExample('own-exchange.ts');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  });
});
