import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { csvLine } from '../adapters/http/csv.js';
import { presentDecision } from '../adapters/http/decision-wire.js';
import { BETS_CSV, type CsvTable, ORDERS_CSV } from '../adapters/http/export-wire.js';
import { makeFolder } from '../adapters/tape/tape-folder.js';
import { isoText } from '../core/moment.js';
import { formatMicro } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { BetRow } from '../core/performance/bet.js';
import { reportHtml } from '../report/report.js';
import type { BacktestRun, PlayedStrategy } from './backtest-run.js';
import { type BacktestResult, hasMoney, stableJson } from './result.js';

type Lines = Iterable<string> | AsyncIterable<string>;

const CHUNK = 65_536;
const PART = '.part';
const EQUITY_COLUMNS = ['at', 'strategy', 'equity_usdc', 'cash_usdc', 'at_risk_usdc'];

/**
 * Writes the files of a run into a folder, which is made where it is absent. Each has its name only once all are whole: what is
 * left of a run that failed has names that end in `.part`, or nothing. Where nothing can be filled there are no tables of bets, orders and
 * equity.
 */
export async function writeRun(run: BacktestRun, result: BacktestResult, folder: string): Promise<void> {
  const all = run.played.find(({ strategy }) => strategy === null);
  const orders = all?.orders ?? run.played.flatMap((one) => one.orders);
  const bets = all?.bets ?? run.played.flatMap((one) => one.bets);
  const tables = [
    ['bets.csv', tableLines(BETS_CSV, inOrder(bets, orders))],
    ['orders.csv', tableLines(ORDERS_CSV, orders)],
    ['equity.csv', equityLines(run.played)],
  ] as const;
  const files: readonly (readonly [name: string, lines: Lines])[] = [
    ['result.json', [stableJson(result)]],
    ...(hasMoney(run) ? tables : []),
    ['decisions.jsonl.gz', decisionLines(run)],
    ['report.html', [reportHtml(run, result)]],
  ];
  await makeFolder(folder);
  const partOf = (name: string) => join(folder, `${name}${PART}`);
  try {
    for (const [name, lines] of files) await writeLines(partOf(name), lines);
  } catch (error) {
    for (const [name] of files) await rm(partOf(name), { force: true });
    throw error;
  }
  for (const [name] of files) await rename(partOf(name), join(folder, name));
  // Those of a run before this one would be taken for its own.
  if (!hasMoney(run)) for (const [name] of tables) await rm(join(folder, name), { force: true });
}

async function writeLines(path: string, lines: Lines): Promise<void> {
  const from = Readable.from(chunks(lines));
  if (path.endsWith(`.gz${PART}`)) await pipeline(from, createGzip(), createWriteStream(path));
  else await pipeline(from, createWriteStream(path));
}

/** Joins lines: a write for each of a million would take seconds. */
async function* chunks(lines: Lines): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function* tableLines<Row>({ head, line }: CsvTable<Row>, rows: readonly Row[]): Generator<string> {
  yield head;
  for (const row of rows) yield line(row);
}

/** By the first fill; those of one millisecond in the order in which they were decided, then by market and outcome. */
function inOrder(bets: readonly BetRow[], orders: readonly Order[]): readonly BetRow[] {
  const places = new Map(orders.map(({ id }, at) => [id, at]));
  const placeOf = ({ orderIds: [first] }: BetRow) => (first === undefined ? undefined : places.get(first)) ?? -1;
  return [...bets].sort(
    (a, b) =>
      a.firstFillAt.getTime() - b.firstFillAt.getTime() ||
      placeOf(a) - placeOf(b) ||
      compared(a.marketId, b.marketId) ||
      compared(b.outcome, a.outcome),
  );
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function* equityLines(played: readonly PlayedStrategy[]): Generator<string> {
  yield csvLine(EQUITY_COLUMNS);
  for (const { strategy, marks } of played) {
    for (const { at, equity, cash, atRisk } of marks)
      yield csvLine([isoText(at), strategy, formatMicro(equity), formatMicro(cash), formatMicro(atRisk)]);
  }
}

async function* decisionLines({ decisions }: BacktestRun): AsyncGenerator<string> {
  for await (const decision of decisions) yield `${JSON.stringify(presentDecision(decision))}\n`;
}
