import type { Cell } from './cells.js';
import type { Column, Members, Parts, Shape } from './columns.js';
import type { ColumnType, Dialect } from './dialect.js';
import { RowCodec } from './row-codec.js';

/** Rows of a table, and how one is read as a record: its cells are `columns`, in their order, and then the parts. */
export interface Rows<T> {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly parts: readonly Parts<unknown>[];
  readonly decode: (cells: readonly Cell[]) => T;
}

/** One table, and how a record becomes a row of it and back. */
export interface Table<T> extends Rows<T> {
  /** The columns that are written, in the order of the cells. */
  readonly stored: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** The columns that storing a record again replaces; none for a table that only grows. */
  readonly replaced: readonly string[];
  readonly encode: (record: T) => readonly Cell[];
}

/** What the members of a table do not define. */
export interface TableOptions<T> {
  /** Columns, in the order of the key. */
  readonly key: readonly string[];
  /** What storing a record again replaces: all but the key, unless these columns are named; nothing where it only grows. */
  readonly replaces?: readonly string[] | 'nothing';
  /** Columns for filtering: their values are derived from the record, and not read. */
  readonly also?: Readonly<Record<string, readonly [Column<string>, (record: T) => string]>>;
  /** Reads a row in place of the decoder that the members give, and as it would. */
  readonly decode?: Rows<T>['decode'];
}

/** Defines a table by its records' members. */
export function table<T extends object>(name: string, shape: Shape<T>, options: TableOptions<T>): Table<T> {
  const codec = new RowCodec<T>(shape as Members);
  const { key, replaces, also = {}, decode = codec.decode } = options;
  const extra = Object.entries(also);
  const types = extra.map(([column, [{ type }]]) => [column, type] as const);
  const stored = { ...codec.columns, ...Object.fromEntries(types) };
  const names = Object.keys(stored);
  const free = names.filter((column) => !key.includes(column));
  const replaced = replaces === 'nothing' ? [] : (replaces ?? free);
  const missing = [...key, ...replaced].find((column) => !names.includes(column));
  if (missing !== undefined) throw new Error(`The table ${name} has no column ${missing}.`);
  const encode = (record: T) => [...codec.encode(record), ...extra.map(([, [, columnOf]]) => columnOf(record))];
  return { ...rowsOf(name, codec), decode, stored, key, replaced, encode: extra.length === 0 ? codec.encode : encode };
}

/** Rows that are read and not stored in this form; `decode` as for a table. */
export function rows<T extends object>(name: string, shape: Shape<T>, decode?: Rows<T>['decode']): Rows<T> {
  const own = rowsOf(name, new RowCodec<T>(shape as Members));
  return decode === undefined ? own : { ...own, decode };
}

function rowsOf<T>(name: string, { columns, parts, decode }: RowCodec<T>): Rows<T> {
  return { name, columns, parts, decode };
}

/** Rows that belong to each row: those in which every named column equals the column beside it. */
export function partsOf<P, V>(
  { name, columns, decode }: Rows<P>,
  same: Readonly<Record<string, string>>,
  gather: (parts: readonly P[]) => V,
): Parts<V> {
  return {
    kind: 'parts',
    select(dialect: Dialect, owner: string) {
      const part = dialect.array(Object.keys(columns).map((column) => `part.${column}`));
      const own = Object.entries(same).map(([column, of]) => `part.${column} = ${owner}.${of}`);
      return dialect.nested(`select ${dialect.gathered(part)} from ${name} as part where ${own.join(' and ')}`);
    },
    decode: (found) => gather(found.map(decode)),
  };
}
