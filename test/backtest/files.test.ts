import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { csvLine, csvRows } from '../../src/adapters/http/csv.js';
import type { BacktestRun } from '../../src/backtest/backtest-run.js';
import { writeRun } from '../../src/backtest/files.js';
import { backtestResultOf, stableJson } from '../../src/backtest/result.js';
import type { MarketId, OrderId } from '../../src/core/ids.js';
import { aBetRow, aPlayedStrategy, aRun } from '../support/backtest-runs.js';
import { anOrderDraft, clockAt, History } from '../support/builders.js';
import { aBet } from '../support/builders-of-bets.js';

const BETS =
  `id,paper,venue,event_id,event,market_id,question,sport,league,kind,line,strategy_id,strategy_version,outcome_label,side,
  first_fill_at,last_fill_at,settled_at,seconds_to_start,phase,shares,stake_usdc,fees_usdc,avg_price,avg_cost,mid_at_decision,
  best_at_decision,mid_at_arrival,best_at_arrival,p_model,close_price,close_reason,payout,sold_for_usdc,proceeds_usdc,profit_usdc,result,liquidity,
  fill_models,evidence,order_ids,equity_at_entry_usdc,at_risk_usdc`.split(/,\s*/);
const FILES = ['bets.csv', 'decisions.jsonl.gz', 'equity.csv', 'orders.csv', 'report.html', 'result.json'];
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Writes a run into a new folder. */
async function written(run: BacktestRun): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'stakeport-files-')), 'run');
  folders.push(join(folder, '..'));
  await writeRun(run, backtestResultOf(run), folder);
  return folder;
}

const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

/** The rows of a file, each by its columns. */
function rowsOf(folder: string, name: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = csvRows(textOf(folder, name));
  return rows.map((cells) => Object.fromEntries(head.map((column, at) => [column, cells[at] ?? ''])));
}

const orderOf = (id: string) =>
  new History(anOrderDraft(), null, clockAt('2026-03-01T12:00:00.000Z'), id as OrderId).order;

describe('the folder of a run', () => {
  it('has the six files, and nothing else', async () => {
    expect(readdirSync(await written(aRun(3))).sort()).toEqual(FILES);
  });

  it('has the same bytes for the same run, unpacked', async () => {
    const run = aRun(60);
    const digests = async () => {
      const folder = await written(run);
      return FILES.map((name) => {
        const bytes = readFileSync(join(folder, name));
        return createHash('sha256')
          .update(name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
          .digest('hex');
      });
    };
    expect(await digests()).toEqual(await digests());
  });

  it('keeps the files of the run before where a new one fails', async () => {
    const folder = await written(aRun(3));
    const before = textOf(folder, 'result.json');
    const failing = aRun(50, {
      decisions: (function* () {
        yield aBet();
        throw new Error('The disk is full.');
      })(),
    });
    await expect(writeRun(failing, backtestResultOf(failing), folder)).rejects.toThrow('The disk is full.');
    expect(readdirSync(folder).sort()).toEqual(FILES);
    expect(textOf(folder, 'result.json')).toBe(before);
  });

  it('has the result as it is printed', async () => {
    const run = aRun(40);
    expect(textOf(await written(run), 'result.json')).toBe(stableJson(backtestResultOf(run)));
  });
});

describe('bets.csv', () => {
  it('has the columns of a bet in the API', async () => {
    expect(csvRows(textOf(await written(aRun(1)), 'bets.csv'))[0]).toEqual(BETS);
  });

  it('has an empty cell for null, and `;` between the items of a list', async () => {
    const bet = aBetRow({
      line: null,
      orderIds: ['order-1', 'order-2'] as OrderId[],
      close: 'no_book',
      probability: null,
    });
    const [row] = rowsOf(await written(aRun(0, { played: [aPlayedStrategy(null, [bet])] })), 'bets.csv');
    expect(row).toMatchObject({
      line: '',
      order_ids: 'order-1;order-2',
      close_price: '',
      close_reason: 'no_book',
      p_model: '',
      avg_price: '0.500000000',
      avg_cost: '0.505000000',
      strategy_id: 'Home favourites',
      settled_at: '2026-03-01T15:00:00.000Z',
    });
  });

  it('reads back what a question has of commas, quotes and lines', async () => {
    const question = 'Will "Arsenal", or\nChelsea, win?';
    const [row] = rowsOf(
      await written(aRun(0, { played: [aPlayedStrategy(null, [aBetRow({ question })])] })),
      'bets.csv',
    );
    expect(row?.['question']).toBe(question);
  });

  it('orders bets of one millisecond as they were decided, then by market and outcome', async () => {
    const bet = (id: string, order: string, market: string, outcome: 'YES' | 'NO' = 'YES') =>
      aBetRow({ id, marketId: market as MarketId, outcome, orderIds: [order as OrderId] });
    const bets = [bet('d', 'o2', 'b', 'NO'), bet('c', 'o2', 'b'), bet('b', 'o2', 'a'), bet('a', 'o1', 'z')];
    const played = aPlayedStrategy(null, bets, { orders: [orderOf('o1'), orderOf('o2')] });
    const rows = rowsOf(await written(aRun(0, { played: [played] })), 'bets.csv');
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the other tables', () => {
  it('have a row for each order, with the members of the API', async () => {
    const played = aPlayedStrategy(null, [], { orders: [orderOf('o1'), orderOf('o2')] });
    const rows = rowsOf(await written(aRun(0, { played: [played] })), 'orders.csv');
    expect(rows.map(({ id, status, settled_at }) => [id, status, settled_at])).toEqual([
      ['o1', 'pending', ''],
      ['o2', 'pending', ''],
    ]);
    expect(Object.keys(rows[0] ?? {}).slice(0, 3)).toEqual(['id', 'market_id', 'market_slug']);
  });

  it('have a row for each mark of equity', async () => {
    const rows = rowsOf(await written(aRun(2)), 'equity.csv');
    expect(rows).toHaveLength(6);
    expect(rows[0]).toEqual({
      at: '2026-03-01T11:00:00.000Z',
      strategy: '',
      equity_usdc: '1000',
      cash_usdc: '1000',
      at_risk_usdc: '0',
    });
    expect(rows.slice(3).map(({ strategy }) => strategy)).toEqual(Array(3).fill('Home favourites'));
  });

  it('have each decision as the API shows it', async () => {
    const decision = aBet();
    const text = gunzipSync(
      readFileSync(join(await written(aRun(0, { decisions: [decision, aBet()] })), FILES[1] ?? '')),
    );
    const lines = text.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: decision.id, verdict: 'bet', size_usdc: '20' });
  });
});

describe('CSV', () => {
  it('is read with either end of a line, with and without an end of the last one', () => {
    expect(csvRows('a,b\r\n1,2\r\n')).toEqual(csvRows('a,b\n1,2'));
    expect(csvRows('a,b\n\n1,\n')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
    expect(csvRows('a,')).toEqual([['a', '']]);
  });

  it('names the line of a quote that nothing closes', () => {
    expect(() => csvRows('a\n"b\n')).toThrow('a quote in line 2 is not closed');
  });

  it('reads back every text that it writes', () => {
    const cells = ['', ',', '"', '""', 'a\nb', 'a\r\nb', 'a"b,c', ' plain '];
    expect(csvRows(csvLine(cells))).toEqual([cells]);
  });
});
