import type { Cell } from './cells.js';
import type { ColumnType, Dialect } from './dialect.js';
import type { Rows, Table } from './table.js';

/** A piece of SQL around one parameter, which is a JSON array of rows or keys. */
export type Template = (parameter: string) => string;

/** Stores rows given as one JSON array of arrays. */
export function storing<T>(table: Table<T>, dialect: Dialect): Template {
  const columns = Object.entries(table.stored);
  const values = columns.map(([, type], index) => dialect.member(index, type));
  const names = columns.map(([name]) => name).join(', ');
  const set = table.replaced.map((name) => `${name} = excluded.${name}`);
  const upsert = set.length === 0 ? '' : ` on conflict (${table.key.join(', ')}) do update set ${set.join(', ')}`;
  const insert = `insert into ${table.name} (${names}) select ${values.join(', ')} from`;
  return (parameter) => `${insert} ${dialect.elements(parameter)} where true${upsert}`;
}

/** As `storing`, but a row whose key exists already stays unchanged. */
export function introducing<T>(table: Table<T>, dialect: Dialect): Template {
  const insert = storing({ ...table, replaced: [] }, dialect);
  return (parameter) => `${insert(parameter)} on conflict do nothing`;
}

/** Reads, as one JSON text, all rows whose columns `by` equal an element of a JSON array of arrays. */
export function reading<T>(table: Table<T>, dialect: Dialect, by: readonly string[]): Template {
  const equal = by.map((name, index) => `${table.name}.${name} = ${dialect.member(index, typeOf(table, name))}`);
  const where = `cross join ${table.name} where ${equal.join(' and ')}`;
  // `cross join` makes SQLite look the elements up in the table, regardless of its estimate of their number.
  return (parameter) => `select ${rowsAsText(table, dialect)} as found from ${dialect.elements(parameter)} ${where}`;
}

function typeOf<T>({ name, stored }: Table<T>, column: string): ColumnType {
  const type = stored[column];
  if (type === undefined) throw new Error(`The table ${name} has no column ${column}.`);
  return type;
}

/** All rows of the table as one JSON text, for the select list of a query. */
export function rowsAsText<T>(table: Rows<T>, dialect: Dialect): string {
  return dialect.text(dialect.gathered(arrayOf(table, dialect)));
}

/** One row of the table as JSON text, for the select list of a query. */
export function rowOf<T>(table: Rows<T>, dialect: Dialect): string {
  return dialect.text(arrayOf(table, dialect));
}

function arrayOf<T>(table: Rows<T>, dialect: Dialect): string {
  const names = Object.keys(table.columns).map((name) => `${table.name}.${name}`);
  return dialect.array([...names, ...table.parts.map((part) => part.select(dialect, table.name))]);
}

/** Rows to be read, by their keys; `take` gets them. */
export interface Wanted {
  readonly template: Template;
  readonly json: string;
  take(rows: readonly (readonly Cell[])[]): void;
}

/** Requests rows by keys, each given as JSON, and once; none when there are no keys. */
export type RowsWanted<T> = (keys: readonly string[], take: (records: readonly T[]) => void) => readonly Wanted[];

/** Requests rows of one table by the values of some columns. */
export function wanting<T>(table: Table<T>, dialect: Dialect, by: readonly string[]): RowsWanted<T> {
  return wantingBy(table, reading(table, dialect, by));
}

/** The same with a custom template. */
export function wantingBy<T>(table: Rows<T>, template: Template): RowsWanted<T> {
  return (keys, take) =>
    keys.length === 0
      ? []
      : [{ template, json: `[${keys.join(',')}]`, take: (rows) => take(rows.map((row) => table.decode(row))) }];
}

/** Rows to be stored: the table's name, and the rows as one JSON array of arrays. */
export type Change = readonly [table: string, json: string];

/** The change that stores these records; none when there are none. */
export function changed<T>(table: Table<T>, records: readonly T[]): readonly Change[] {
  return records.length === 0 ? [] : [[table.name, JSON.stringify(records.map(table.encode))]];
}

/** One statement that reads everything requested: a column of JSON text for each. */
export function readingAll(wanted: readonly Wanted[], dialect: Dialect): string {
  const parts = wanted.map(({ template }, index) => `(${template(dialect.parameter(index))})`);
  return `select ${parts.map((part, index) => `${part} as part_${index}`).join(', ')}`;
}
