import sqlite3 from 'sqlite3';
import { openSqlLedger } from '../../dist/adapters/sql/index.js';
import { createStakeport } from '../../dist/index.js';
import { sha256 } from '../../dist/memory.js';

/**
 * Fills a new SQLite file with filled and denied orders of one account, with their fills, events, journal, positions and
 * balances, and with as many decisions of its first strategy where they are asked for: `fill-orders FILE COUNT [decisions]`. The first thousand are placed as any order is. The others are copies of their rows under
 * new ids and moments, with hashes of their own, so an audit holds. Events of the account's log are not copied, as for orders
 * older than the log. Sends the ids of the strategies to its parent.
 */
const FILLED = { account: 'dev', markets: 100, strategies: 10, staged: 1000 } as const;

const OPENING = 900_000_000;
/** What is copied, and the column with the order's id. */
const TABLES = { orders: 'id', fills: 'order_id', order_events: 'order_id', journal_lines: 'order_id' } as const;
const SUMS = ['positions', 'balances', 'exposures'];

type TableName = keyof typeof TABLES;
type Cell = string | number | null;
type Row = Record<string, Cell>;
/** Rows of one order, by table. */
type Rows = Readonly<Record<TableName, Row[]>>;

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const AT_ONCE = 2000;

/** Places the orders that the others are copies of; one in fifty is denied. Returns the ids of the strategies. */
async function stage(url: string): Promise<string[]> {
  const { account, markets, strategies: count, staged } = FILLED;
  const stakeport = createStakeport({ ledger: await openSqlLedger(url), openingCash: OPENING });
  const strategies: string[] = [];
  for (let number = 0; number < count; number++) {
    const caps = { bankrollCap: 500_000_000, stakeCap: 1 };
    const rules = { sizing: { method: 'flat', value: 1 } } as const;
    const { id } = await stakeport.strategies.create({ account, name: `S${number}`, sport: 'soccer', rules, ...caps });
    strategies.push(id);
  }
  const place = (number: number) => {
    const strategy = number % 2 === 0 ? undefined : strategies[(number >> 1) % count];
    const terms = { market: `m${number % markets}`, outcome: 'YES', price: '0.52' } as const;
    const usdc = number % 50 === 1 ? 2 : 1;
    return stakeport.orders.place({ account, ...terms, usdc, ...(strategy !== undefined && { strategy }) });
  };
  await Promise.all(Array.from({ length: staged }, (_, number) => place(number)));
  await stakeport.close();
  return strategies;
}

/** The raw file. */
class File {
  readonly #database: sqlite3.Database;

  constructor(path: string) {
    this.#database = new sqlite3.Database(path);
  }

  all<Row>(sql: string, ...parameters: string[]): Promise<Row[]> {
    return new Promise((done, fail) => {
      this.#database.all<Row>(sql, parameters, (error, rows) => (error === null ? done(rows) : fail(error)));
    });
  }

  async columns(table: string): Promise<{ name: string; type: string; pk: number }[]> {
    return this.all(`pragma table_info(${table})`);
  }

  close(): Promise<void> {
    return new Promise((done, fail) => {
      this.#database.close((error) => (error === null ? done() : fail(error)));
    });
  }
}

/** The staged orders, each with its rows. */
async function stagedOrders(file: File): Promise<StagedOrder[]> {
  const byOrder = new Map<string, Rows>();
  for (const [table, idColumn] of Object.entries(TABLES) as [TableName, string][]) {
    for (const row of await file.all<Row>(`select * from ${table} where ${idColumn} is not null`)) {
      const id = `${row[idColumn]}`;
      const rows = byOrder.get(id) ?? { orders: [], fills: [], order_events: [], journal_lines: [] };
      rows[table].push(row);
      byOrder.set(id, rows);
    }
  }
  return [...byOrder].map(([id, rows]) => new StagedOrder(id, rows));
}

/** A UUIDv7 of this millisecond; the number makes it unique. */
function uuidAt(ms: number, number: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** An order with its rows, from which others are made. */
class StagedOrder {
  readonly #entries: readonly string[];

  constructor(
    private readonly id: string,
    private readonly rows: Rows,
  ) {
    this.#entries = [...new Set(rows.journal_lines.map(({ entry }) => `${entry}`))];
  }

  /** The same under another id, at another moment, with hashes of its own. */
  copy(ms: number, number: number): Rows {
    const id = uuidAt(ms, 10 * number);
    const at = new Date(ms).toISOString();
    const entries = new Map(this.#entries.map((entry, index) => [entry, uuidAt(ms, 10 * number + index + 1)]));
    const copied = (cell: Cell): Cell => {
      // Ids and moments are at least this long; most cells are shorter.
      if (typeof cell !== 'string' || cell.length < 24) return cell;
      return entries.get(cell) ?? cell.replaceAll(this.id, id).replace(MOMENT, at);
    };
    const rowsOf = (table: TableName) => this.rows[table].map((row) => mapped(row, copied));
    const [orders, events] = [rowsOf('orders'), rowsOf('order_events')];
    let hash = '';
    for (const event of events) {
      hash = sha256(`${hash}\n${id}\n${event['seq']}\n${at}\n${event['change']}`);
      event['hash'] = hash;
    }
    for (const order of orders) order['event_hash'] = hash;
    return { orders, fills: rowsOf('fills'), order_events: events, journal_lines: rowsOf('journal_lines') };
  }
}

function mapped(row: Row, cell: (cell: Cell) => Cell): Row {
  const copy: Row = {};
  for (const name in row) copy[name] = cell(row[name] ?? null);
  return copy;
}

async function copyAll(file: File, count: number): Promise<void> {
  const staged = await stagedOrders(file);
  const tables = Object.keys(TABLES) as TableName[];
  const inserts = await Promise.all(tables.map(async (table) => [table, await insertInto(file, table)] as const));
  const first = Date.now() - count - 60_000;
  let stored: Promise<unknown> = Promise.resolve();
  for (let number = 0; number < count; number += AT_ONCE) {
    const copies = Array.from({ length: Math.min(AT_ONCE, count - number) }, (_, index) =>
      staged[(number + index) % staged.length]?.copy(first + number + index, number + index),
    );
    const texts = inserts.map(([table, sql]) => {
      const cells = copies.flatMap((rows) => rows?.[table].map((row) => Object.values(row)) ?? []);
      return [sql, JSON.stringify(cells)] as const;
    });
    // The next ones are made while these are stored.
    await stored;
    stored = Promise.all(texts.map(([sql, json]) => file.all(sql, json)));
  }
  await stored;
}

async function insertInto(file: File, table: string): Promise<string> {
  const names = (await file.columns(table)).map(({ name }) => name);
  const members = names.map((_, index) => `e.value ->> ${index}`);
  return `insert into ${table} (${names.join(', ')}) select ${members.join(', ')} from jsonb_each(?) as e`;
}

/** Every sum was made by the staged orders alone, so it grows with their number. */
async function multiplySums(file: File, times: number): Promise<void> {
  for (const table of SUMS) {
    const sums = (await file.columns(table)).filter(({ type, pk }) => pk === 0 && type.toLowerCase() === 'integer');
    const opening = (name: string) => (name === 'cash' ? OPENING * 1_000_000 : 0);
    const set = sums.map(({ name }) => `${name} = ${opening(name)} + (${name} - ${opening(name)}) * ${times}`);
    await file.all(`update ${table} set ${set.join(', ')}`);
  }
}

/** Bets of one strategy, each decided at a moment of its own. */
async function decide(file: File, strategy: string, count: number): Promise<void> {
  const insert = await insertInto(file, 'decisions');
  const first = Date.now() - count - 60_000;
  for (let from = 0; from < count; from += AT_ONCE) {
    const cells = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => {
      const [number, market] = [from + index, `m${(from + index) % FILLED.markets}`];
      const body = { ...DECISION, at: new Date(first + number).toISOString(), strategyId: strategy, marketId: market };
      const id = uuidAt(first + number, 10 * number + 9);
      return [FILLED.account, id, strategy, market, 'bet', null, null, null, JSON.stringify(body)];
    });
    await file.all(insert, JSON.stringify(cells));
  }
}

/** What a decision has beside its moment, strategy and market, with amounts as they are stored. */
const DECISION = {
  ...{ strategyVersion: 1, venue: 'none', token: 'YES', outcomeLabel: 'Arsenal', probability: null },
  ...{ question: 'Arsenal or Chelsea?', event: 'Arsenal against Chelsea', verdict: 'bet', code: null, slot: 1 },
  ...{ price: '520000', size: '1000000', shares: '1920000', cost: '1000000', odds: '1920000', edge: null },
  ...{ boundBy: 'stake_cap', inputs: { best_offer: '0.52', mid: '0.515' } },
  rules: [{ rule: 'filter/min_odds', value: '1.92', bound: '1.5', passed: true }],
} as const;

async function fill(path: string, wanted: number, decisions: boolean): Promise<string[]> {
  const times = Math.max(1, Math.round(wanted / FILLED.staged));
  const strategies = await stage(`sqlite:${path}`);
  const file = new File(path);
  // A file that is half filled after a crash is thrown away, and indexes are quicker to make than to keep.
  for (const setting of ['synchronous = off', 'journal_mode = memory', 'cache_size = -200000'])
    await file.all(`pragma ${setting}`);
  const own = `tbl_name in (${Object.keys(TABLES)
    .map((table) => `'${table}'`)
    .join(', ')})`;
  const indexes = await file.all<{ name: string; sql: string }>(
    `select name, sql from sqlite_master where type = 'index' and sql is not null and ${own}`,
  );
  for (const { name } of indexes) await file.all(`drop index ${name}`);
  await copyAll(file, (times - 1) * FILLED.staged);
  await multiplySums(file, times);
  for (const { sql } of indexes) await file.all(sql);
  if (decisions) await decide(file, strategies[0] ?? '', wanted);
  await file.close();
  return strategies;
}

const [, , path = '', count = '', more] = process.argv;
if (path !== '') process.send?.(await fill(path, Number(count), more === 'decisions'));
process.on('disconnect', () => process.exit());
