import { InvariantBroken } from '../../core/errors.js';
import type { Counted, DaySpent, DayStart, KeptLosses, LossMarks, LossRecord } from '../../core/limits/counted.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Risk, WorkingRisk } from '../../core/limits/risk.js';
import { isoText } from '../../core/moment.js';
import type { Price, Shares, Usdc } from '../../core/money.js';
import type { CountedOrder } from '../../core/order/order.js';
import type { DayOrders, StrategyCounted } from '../../core/strategy/strategy.js';

/** How a value is kept in one column. Its name is the member's in snake_case, unless `as` gives another. */
export interface Column<V> {
  readonly kind: 'column';
  readonly type: ColumnType;
  encode(value: V): Cell;
  decode(cell: Cell): V;
  readonly name?: string;
  /** Another column: while that one holds a value, this column belongs to another member. */
  readonly unless?: string;
}

/** Members of a record that lie in columns of the same row; a nullable one is null where its first column is. */
export interface Group<V> {
  readonly kind: 'group';
  readonly shape: Members;
  readonly nullable: boolean;
  /** Never present: it ties the shape to its type. */
  of?(value: V): V;
}

/** Other rows that belong to this one, read with it; they are stored by themselves. */
export interface Parts<V> {
  readonly kind: 'parts';
  /** All of them as one JSON array; `owner` is the table that they belong to. */
  select(dialect: Dialect, owner: string): string;
  decode(rows: readonly (readonly Cell[])[]): V;
}

/** How one member of a record is kept. */
export type Member<V> = Column<V> | Group<V> | Parts<V>;

/** The members of any record. */
export type Members = Readonly<Record<string, Member<unknown>>>;

/** A line for each member of a record: a member without one does not compile. */
export type Shape<T> = { readonly [Name in keyof T]-?: Member<T[Name]> };

/** A text. */
export const textColumn = <V extends string>(): Column<V> => ({
  kind: 'column',
  type: 'text',
  encode: (value) => value,
  decode: textIn<V>,
});

/** A whole number below 2^53. */
export const wholeColumn = (): Column<number> => ({
  kind: 'column',
  type: 'integer',
  encode: (value) => value,
  decode: wholeIn,
});

/** Micro-units of any kind. */
export const microColumn = <V extends bigint>(): Column<V> => ({
  kind: 'column',
  type: 'integer',
  encode: (value) => Number(value),
  decode: microIn<V>,
});

/** True or false. */
export const flagColumn = (): Column<boolean> => ({
  kind: 'column',
  type: 'boolean',
  encode: (value) => value,
  decode: flagIn,
});

/** A moment, as text that sorts. */
export const momentColumn = (): Column<Date> => ({ kind: 'column', type: 'text', encode: stamp, decode: momentIn });

/** A moment, given in milliseconds from now by the clock of the database; it is never read back. */
export const fromNow = (): Column<number | null> => ({
  kind: 'column',
  type: 'delay',
  encode: (ms) => ms,
  decode: () => null,
});

/** A document as text. */
export const document = <V>(encode: (value: V) => string, decode: (text: string) => V): Column<V> => ({
  kind: 'column',
  type: 'text',
  encode,
  decode: (cell) => decode(textIn(cell)),
});

/** A column whose value may be null. */
export const orNull = <V>(column: Column<V>): Column<V | null> => ({
  ...column,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (cell) => (cell === null ? null : column.decode(cell)),
});

/** A column that is null where the member is absent. */
export const orAbsent = <V>(column: Column<V>): Column<V | undefined> => ({
  ...column,
  encode: (value) => (value === undefined ? null : column.encode(value)),
  decode: (cell) => (cell === null ? undefined : column.decode(cell)),
});

/** A column of text or null, which is stored as the empty text: a column of a key cannot be null. */
export const orEmpty = <V extends string>(column: Column<V>): Column<V | null> => ({
  ...column,
  encode: (value) => value ?? '',
  decode: (cell) => (cell === '' ? null : column.decode(cell)),
});

/** A column under a name of its own. */
export const as = <V>(name: string, column: Column<V>): Column<V> => ({ ...column, name });

/** A column that belongs to another member while the column `owner` holds a value, and to this member otherwise. */
export const unless = <V>(owner: string, column: Column<V | null>): Column<V | null> => ({ ...column, unless: owner });

/** Members of a record within the record. */
export const group = <V extends object>(shape: Shape<V>): Group<V> => ({ kind: 'group', shape, nullable: false });

/** Members of a record within the record, or null where the first of them is null in its column. */
export const either = <V extends object>(shape: Shape<V>): Group<V | null> => ({
  kind: 'group',
  shape,
  nullable: true,
});

/** One value of a row as JSON carries it. */
export type Cell = string | number | boolean | null | readonly Cell[];

type Stored = Cell | undefined;

/** A text. @throws InvariantBroken when something else is stored, as for every reader here. */
export function textIn<V extends string = string>(cell: Stored): V {
  if (typeof cell !== 'string') throw new InvariantBroken('a stored text is a text');
  return cell as V;
}

/** A whole number below 2^53. */
export function wholeIn(cell: Stored): number {
  if (typeof cell !== 'number' || !Number.isSafeInteger(cell)) {
    throw new InvariantBroken('a stored number is whole and below 2^53');
  }
  return cell;
}

/** Micro-units of any kind. */
export function microIn<V extends bigint>(cell: Stored): V {
  return BigInt(wholeIn(cell)) as V;
}

/** A boolean; SQLite keeps 0 and 1. */
export function flagIn(cell: Stored): boolean {
  if (cell === true || cell === 1) return true;
  if (cell === false || cell === 0) return false;
  throw new InvariantBroken('a stored flag is true or false');
}

/** A moment, from ISO 8601 text. */
export function momentIn(cell: Stored): Date {
  const date = new Date(textIn(cell));
  if (Number.isNaN(date.getTime())) throw new InvariantBroken('a stored moment is ISO 8601');
  return date;
}

/** The members of a nested list. */
export function listIn(cell: Stored): readonly (readonly Cell[])[] {
  if (!Array.isArray(cell)) throw new InvariantBroken('a stored list is a list');
  return cell.filter((member) => Array.isArray(member));
}

/** The rows in the JSON text that a reading statement returns. */
export function rowsIn(json: string): readonly (readonly Cell[])[] {
  return JSON.parse(json) as readonly (readonly Cell[])[];
}

/** The one row in the JSON text of a list's row. */
export function rowIn(json: string): readonly Cell[] {
  return JSON.parse(json) as readonly Cell[];
}

/** A moment as it is stored. */
export const stamp = isoText;

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
  /** A column of JSON texts of every row as the text of one JSON array, empty when there is no row. */
  listed(column: string): string;
  /** A JSON value of every row, one a line; empty when there is no row. */
  lines(json: string): string;
  /** The only value of a subquery, still JSON when it becomes a member of an array. */
  nested(subquery: string): string;
  /** A JSON value as text. */
  text(json: string): string;
  /** The condition to be one of a few values, for which an index is searched. */
  among(subquery: string): string;
}

/**
 * A limit that is a parameter. SQLite would compile a statement anew at each run for the value of a parameter that stands there alone, which
 * takes longer than a page from its indexes.
 */
export const LIMITED = 'limit ? + 0';

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
  // Neither parsed nor quoted: half of the time of an array of them.
  listed: (column) => `'[' || coalesce(group_concat(${column}, ','), '') || ']'`,
  lines: (json) => `coalesce(group_concat(${json}, char(10)), '')`,
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
  listed: (column) => `'[' || coalesce(string_agg(${column}, ','), '') || ']'`,
  lines: (json) => `coalesce(string_agg((${json})::text, chr(10)), '')`,
  nested: (subquery) => `(${subquery})`,
  text: (json) => `(${json})::text`,
  among: (subquery) => `= any (array(${subquery}))`,
};

/** Micro-units as text: a JSON number could lose their last digits. */
export const withDigits = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}` : member));

/** Limits as `withDigits` writes them: amounts are text, counts are numbers. */
export function limitsIn(text: string): Limits {
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? BigInt(value) : value)) as Limits;
}

type Written<T> = { readonly [Name in keyof T]: T[Name] extends bigint ? string : T[Name] };

interface WrittenWorking extends Omit<Written<WorkingRisk>, 'bids' | 'asks'> {
  readonly bids: readonly (readonly [string, number])[];
  readonly asks: readonly (readonly [string, number])[];
}

function riskIn(text: string): Risk {
  const { group, working } = JSON.parse(text) as Pick<Risk, 'group'> & { readonly working: WrittenWorking };
  const { orders, selling, lost, split, won, bids, asks } = working;
  const counts = (written: WrittenWorking['bids']) =>
    written.map(([price, count]) => [BigInt(price) as Price, count] as const);
  return {
    group,
    working: {
      orders,
      selling: BigInt(selling) as Shares,
      lost: BigInt(lost) as Usdc,
      split: BigInt(split) as Usdc,
      won: BigInt(won) as Usdc,
      bids: counts(bids),
      asks: counts(asks),
    },
  };
}

type WrittenDay = Omit<DaySpent, 'spent' | 'reserved'> & { readonly spent: string; readonly reserved?: string };
type WrittenCounted = Omit<Written<Counted>, 'days'> & { readonly days: readonly WrittenDay[] };

// Members stay in the order in which they are written: what is remembered is compared with what is stored as text.
function countedIn(text: string): Counted {
  const { days, booked, ...rest } = JSON.parse(text) as WrittenCounted;
  const daysIn = days.map(({ day, spent, reserved, ...first }) => ({
    day,
    spent: BigInt(spent) as Usdc,
    ...(reserved !== undefined && { reserved: BigInt(reserved) as Usdc }),
    ...first,
  }));
  return { days: daysIn, booked: BigInt(booked) as Usdc, ...rest };
}

type WrittenMarks = { readonly days: readonly Written<DayStart>[]; readonly peak: string | null };

const marksIn = ({ days, peak }: WrittenMarks): LossMarks => ({
  days: days.map(({ day, start }) => ({ day, start: BigInt(start) as Usdc })),
  peak: amountOrNull(peak),
});

const amountOrNull = (text: string | null): Usdc | null => (text === null ? null : (BigInt(text) as Usdc));

function lossesIn(text: string): KeptLosses {
  const { paper, live } = JSON.parse(text) as Partial<Record<keyof KeptLosses, WrittenMarks>>;
  return { ...(paper && { paper: marksIn(paper) }), ...(live && { live: marksIn(live) }) };
}

/** What losses are measured from, as `withDigits` writes it in an event. */
export const lossRecordIn = ({ paper, day, start, peak }: WrittenRecord): LossRecord => ({
  paper,
  day,
  start: BigInt(start) as Usdc,
  peak: amountOrNull(peak),
});

type WrittenRecord = Omit<Written<LossRecord>, 'peak'> & { readonly peak: string | null };

/** What an account may risk; null where nobody ever set it. */
export const limitsColumn = (): Column<Limits | undefined> => orAbsent(document(withDigits, limitsIn));
/** What losses are measured from; null where none is limited. */
export const lossesColumn = (): Column<KeptLosses | undefined> => orAbsent(document(withDigits, lossesIn));
/** What is counted of the trading with one sum of cash; null before anything was. */
export const countedColumn = (): Column<Counted | undefined> => orAbsent(document(withDigits, countedIn));
/** Why a position may still lose money; null where nothing is kept about that. */
export const riskColumn = (): Column<Risk | undefined> => orAbsent(document(withDigits, riskIn));

type WrittenCounts = Omit<Written<StrategyCounted>, 'days'> & {
  readonly days: readonly (Omit<DayOrders, 'start'> & { readonly start: string | null })[];
};

function strategyCountedIn(text: string): StrategyCounted {
  const written = JSON.parse(text) as WrittenCounts;
  const days = written.days.map((one) => ({ ...one, start: amountOrNull(one.start) }));
  return { ...written, days, booked: BigInt(written.booked) as Usdc };
}

/** What is counted of the trading of a strategy. */
export const strategyCountedColumn = (): Column<StrategyCounted> => document(withDigits, strategyCountedIn);

/** How an order of a strategy was counted, as `withDigits` writes it. */
export function countedOrderIn(text: string): CountedOrder {
  const written = JSON.parse(text) as Omit<CountedOrder, 'start'> & { readonly start: string | null };
  return { ...written, start: amountOrNull(written.start) };
}

/** How an order of a strategy was counted; null for all other orders. */
export const countedOrderColumn = (): Column<CountedOrder | undefined> =>
  orAbsent(document(withDigits, countedOrderIn));
