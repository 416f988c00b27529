/**
 * The type of a column; amounts and sequence numbers are integers, moments and documents are text. A `delay` in milliseconds
 * is stored as the moment that far from now by the clock of the database, and null as null.
 */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'delay';

/**
 * Where the SQL of the two databases differs. Rows travel as JSON both ways, one parameter or one value per table: many rows
 * cost no more to transfer than one, and both databases return the same numbers and texts.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The moment of the statement, in milliseconds since 1970. */
  readonly now: string;
  /** Skips rows that another process has locked. */
  readonly skipLocked: string;
  /** Keeps other transactions from changing the rows of a subquery until this one ends. */
  readonly shared: string;
  /** The parameter at this place, counted from 0. */
  parameter(index: number): string;
  /** A FROM item `e`: one row for each element of the JSON array that `parameter` is. */
  elements(parameter: string): string;
  /** Member `index` of the array that `e` holds, as a value of the column's type. */
  member(index: number, type: ColumnType): string;
  /** The values of one row as one JSON array. */
  array(expressions: readonly string[]): string;
  /** A JSON value of every row as one JSON array, empty when there is no row. */
  gathered(json: string): string;
  /** The only value of a subquery, still JSON when it becomes a member of an array. */
  nested(subquery: string): string;
  /** A JSON value as text. */
  text(json: string): string;
  /** The condition to be one of a few values, for which an index is searched. */
  among(subquery: string): string;
}

const SQLITE_NOW = `cast(unixepoch('now', 'subsec') * 1000 as integer)`;
// Not the transaction's time: a group that waited for its locks must not grant leases that began before.
const POSTGRES_NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** SQLite: JSON is text that the JSON functions recognise by where it came from. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  now: SQLITE_NOW,
  skipLocked: '',
  shared: '',
  parameter: () => '?',
  elements: (parameter) => `jsonb_each(${parameter}) as e`,
  member: (index, type) => (type === 'delay' ? `${SQLITE_NOW} + (e.value->>${index})` : `e.value->>${index}`),
  array: (expressions) => `json_array(${expressions.join(', ')})`,
  gathered: (json) => `json_group_array(${json})`,
  nested: (subquery) => `json((${subquery}))`,
  text: (json) => json,
  among: (subquery) => `in (${subquery})`,
};

const CAST = { text: '', integer: '::bigint', boolean: '::boolean', delay: '::bigint' } as const;

/** Postgres: JSON is a type; `jsonb` for input, because it finds a member without reading those before it. */
export const postgresDialect: Dialect = {
  name: 'postgres',
  now: POSTGRES_NOW,
  skipLocked: 'for update skip locked',
  shared: 'for share',
  parameter: (index) => `$${index + 1}`,
  elements: (parameter) => `jsonb_array_elements(${parameter}::jsonb) as e(value)`,
  member: (index, type) => {
    const value = `(e.value->>${index})${CAST[type]}`;
    return type === 'delay' ? `${POSTGRES_NOW} + ${value}` : value;
  },
  array: (expressions) => `json_build_array(${expressions.join(', ')})`,
  gathered: (json) => `coalesce(json_agg(${json}), '[]')`,
  nested: (subquery) => `(${subquery})`,
  text: (json) => `(${json})::text`,
  among: (subquery) => `= any (array(${subquery}))`,
};
