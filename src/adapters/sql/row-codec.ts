import { type Cell, listIn } from './cells.js';
import type { Column, Group, Member, Members, Parts } from './columns.js';
import type { ColumnType } from './dialect.js';

type Read = (cells: readonly Cell[]) => unknown;
type Write = (value: unknown, cells: Cell[]) => void;
interface Codec {
  readonly read: Read;
  readonly write: Write;
}

/** Converts rows to records and back, by position. Everything that can be prepared before the first row is. */
export class RowCodec<T> {
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
