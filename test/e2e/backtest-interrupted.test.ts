import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import type { AccountId } from '../../src/core/ids.js';
import { tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, games } from '../support/backtests.js';
import { freshPostgres } from '../support/databases.js';
import { SERVER, startProgram } from '../support/processes.js';
import { until } from './trading.js';

test('^C ends a backtest with 130 and the files of what it reached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-interrupted-'));
  const out = join(folder, 'run');
  const strategy = join(folder, 'homes.json');
  writeFileSync(strategy, JSON.stringify(aBody('homes', { outcome: 'each' })));
  const database = await freshPostgres();
  const season = tape(...afternoonOf(games(30)));
  const run = ['backtest', season, '--strategy', strategy, '--out', out, '--database', database.url];
  const program = startProgram(process.execPath, { args: [SERVER, ...run] });
  const ledger = await openSqlLedger(database.url);
  const account = 'backtest-1' as AccountId;
  const placed = () => ledger.listOrders(account, {}, { limit: 10 });
  await until(async () => (await placed()).some(({ filled }) => filled.shares > 0n));
  expect(await program.kill('SIGINT')).toEqual({ code: 130, signal: null });
  expect(readdirSync(out).sort()).toEqual([
    'bets.csv',
    'decisions.jsonl.gz',
    'equity.csv',
    'orders.csv',
    'report.html',
    'result.json',
  ]);
  const { run: header, results } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  expect(header.partial).toBe(true);
  expect(results[0].open).toBeGreaterThan(0);
  expect(program.output()).toContain('ended early');
  await ledger.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});
