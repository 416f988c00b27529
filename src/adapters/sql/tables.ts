import { type Cell, rowsIn } from './cells.js';
import type { ColumnType, Dialect } from './dialect.js';
import type { Transaction } from './store.js';

/** One table, and how a record becomes a row of it and back. The order of `columns` is that of the cells. */
export interface Table<T> {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** The columns that storing a record again replaces; `never` for a table that only grows. */
  readonly replaced: readonly string[] | 'never';
  /** A cell read after the columns: rows of another table that belong to this one. */
  readonly parts?: (dialect: Dialect) => string;
  readonly encode: (record: T) => readonly Cell[];
  readonly decode: (cells: readonly Cell[]) => T;
}

/** The statement that stores rows given as one JSON array of arrays. */
export function storing<T>(table: Table<T>, dialect: Dialect): string {
  const columns = Object.entries(table.columns);
  const values = columns.map(([, type], index) => dialect.member(index, type));
  const names = columns.map(([name]) => name).join(', ');
  const insert = `insert into ${table.name} (${names}) select ${values.join(', ')} from ${dialect.elements} where true`;
  if (table.replaced === 'never') return insert;
  const set = table.replaced.map((name) => `${name} = excluded.${name}`).join(', ');
  return `${insert} on conflict (${table.key.join(', ')}) do update set ${set}`;
}

/** As `storing`, but a row whose key is there already stays as it is. */
export function introducing<T>(table: Table<T>, dialect: Dialect): string {
  return `${storing({ ...table, replaced: 'never' }, dialect)} on conflict do nothing`;
}

/** The statement that reads, as one JSON text, all rows whose columns `by` equal an element of a JSON array of arrays. */
export function reading<T>(table: Table<T>, dialect: Dialect, by: readonly string[]): string {
  const equal = by.map(
    (name, index) => `${table.name}.${name} = ${dialect.member(index, table.columns[name] ?? 'text')}`,
  );
  const rows = dialect.text(dialect.gathered(arrayOf(table, dialect)));
  // `cross join` makes SQLite look the elements up in the table, whatever it guesses about their number.
  return `select ${rows} as found from ${dialect.elements} cross join ${table.name} where ${equal.join(' and ')}`;
}

/** One row of the table as JSON text, for the select list of a query. */
export function rowOf<T>(table: Table<T>, dialect: Dialect): string {
  return dialect.text(arrayOf(table, dialect));
}

function arrayOf<T>(table: Table<T>, dialect: Dialect): string {
  const names = Object.keys(table.columns).map((name) => `${table.name}.${name}`);
  return dialect.array(table.parts === undefined ? names : [...names, table.parts(dialect)]);
}

/** Reads the rows with these keys, each once, locked or not; asks the database nothing when there are no keys. */
export type Reader<T> = (tx: Transaction, keys: readonly (readonly Cell[])[]) => Promise<readonly T[]>;

/** A reader of the rows whose columns `by` have the values of a key. */
export function reader<T>(table: Table<T>, dialect: Dialect, by: readonly string[]): Reader<T> {
  const sql = reading(table, dialect, by);
  return async (tx, keys) => {
    if (keys.length === 0) return [];
    const distinct = new Set(keys.map((key) => JSON.stringify(key)));
    return rowsIn(await tx.read(sql, `[${[...distinct].join(',')}]`)).map(table.decode);
  };
}

/** Stores records; tells the database nothing when there are none. */
export type Writer<T> = (tx: Transaction, records: readonly T[]) => Promise<void>;

/** A writer of records by a statement of `storing` or `introducing`. */
export function writer<T>(table: Table<T>, sql: string): Writer<T> {
  return async (tx, records) => {
    if (records.length > 0) await tx.write(sql, JSON.stringify(records.map(table.encode)));
  };
}
