import { type Cell, flagIn, microIn, momentIn, stamp, textIn, wholeIn } from './cells.js';
import type { ColumnType, Dialect } from './dialect.js';

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

/** The same column, or null. */
export const orNull = <V>(column: Column<V>): Column<V | null> => ({
  ...column,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (cell) => (cell === null ? null : column.decode(cell)),
});

/** The same column, null where the member is absent. */
export const orAbsent = <V>(column: Column<V>): Column<V | undefined> => ({
  ...column,
  encode: (value) => (value === undefined ? null : column.encode(value)),
  decode: (cell) => (cell === null ? undefined : column.decode(cell)),
});

/** The same text, or null, which is stored as the empty text: a column of a key cannot be null. */
export const orEmpty = <V extends string>(column: Column<V>): Column<V | null> => ({
  ...column,
  encode: (value) => value ?? '',
  decode: (cell) => (cell === '' ? null : column.decode(cell)),
});

/** The same column under a name of its own. */
export const as = <V>(name: string, column: Column<V>): Column<V> => ({ ...column, name });

/** A column that belongs to another member while the column `owner` holds a value, and to this member otherwise. */
export const unless = <V>(owner: string, column: Column<V | null>): Column<V | null> => ({ ...column, unless: owner });

/** Members of a record within the record. */
export const group = <V extends object>(shape: Shape<V>): Group<V> => ({ kind: 'group', shape, nullable: false });

/** The same, or null: where the first of them is null in its column. */
export const either = <V extends object>(shape: Shape<V>): Group<V | null> => ({
  kind: 'group',
  shape,
  nullable: true,
});
