import {
  type Cell,
  type Column,
  type ColumnType,
  type Dialect,
  type Group,
  listIn,
  type Member,
  type Members,
  type Parts,
  type Shape,
} from './columns.js';

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

type Read = (cells: readonly Cell[]) => unknown;
type Write = (value: unknown, cells: Cell[]) => void;
interface Codec {
  readonly read: Read;
  readonly write: Write;
}

/** Converts rows to records and back, by position. Everything that can be prepared before the first row is. */
class RowCodec<T> {
  /** Each column's type, in the order of the cells. */
  readonly columns: Record<string, ColumnType> = {};
  /** What is read after the columns. */
  readonly parts: Parts<unknown>[] = [];
  readonly #names: string[] = [];
  readonly #codec: Codec;
  readonly #late: ((width: number) => void)[] = [];

  constructor(shape: Members) {
    this.#codec = this.#group({ kind: 'group', shape, nullable: false });
    for (const settle of this.#late) settle(this.#names.length);
  }

  readonly decode = (cells: readonly Cell[]): T => this.#codec.read(cells) as T;

  readonly encode = (record: T): readonly Cell[] => {
    const cells: Cell[] = this.#names.map(() => null);
    this.#codec.write(record, cells);
    return cells;
  };

  #member(name: string, member: Member<unknown>): Codec {
    if (member.kind === 'column') return this.#column(member.name ?? snakeCase(name), member);
    if (member.kind === 'group') return this.#group(member);
    let at = 0;
    const nth = this.parts.push(member) - 1;
    this.#late.push((width) => {
      at = width + nth;
    });
    return { read: (cells) => member.decode(listIn(cells[at])), write() {} };
  }

  #column(name: string, column: Column<unknown>): Codec {
    const { type, unless } = column;
    if (this.columns[name] === undefined) this.#names.push(name);
    this.columns[name] ??= type;
    const at = this.#indexOf(name);
    if (unless === undefined)
      return {
        read: (cells) => column.decode(cells[at] ?? null),
        write: (value, cells) => {
          cells[at] = column.encode(value);
        },
      };
    const owner = this.#indexOf(unless);
    return {
      read: (cells) => (cells[owner] === null ? column.decode(cells[at] ?? null) : null),
      write: (value, cells) => {
        if (value !== null) cells[at] = column.encode(value);
      },
    };
  }

  #group({ shape, nullable }: Group<unknown>): Codec {
    const first = this.#names.length;
    const members = Object.entries(shape).map(([name, member]) => ({ name, ...this.#member(name, member) }));
    // A copy has all its members from the start; an object that grows member by member becomes slow to read.
    const blank = JSON.parse(`{${members.map(({ name }) => `${JSON.stringify(name)}:null`).join(',')}}`) as object;
    return {
      read: (cells) => {
        if (nullable && cells[first] === null) return null;
        const record: Record<string, unknown> = { ...blank };
        for (const { name, read } of members) record[name] = read(cells);
        return record;
      },
      write: (value, cells) => {
        if (value === null) return;
        const record = value as Readonly<Record<string, unknown>>;
        for (const { name, write } of members) write(record[name], cells);
      },
    };
  }

  #indexOf(name: string): number {
    const at = this.#names.indexOf(name);
    if (at < 0) throw new Error(`There is no column ${name} before this one.`);
    return at;
  }
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

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

/** The rows of a table that a template reads. */
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
