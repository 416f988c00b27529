import { type Cell, rowsIn } from './columns.js';
import type { Ask, Statements, Store } from './store.js';
import type { Table } from './table.js';
import { reading } from './table.js';

/** Keys of one statement: it stays short. */
const TOGETHER = 256;

interface Waiting<T> {
  /** The values of the key's columns, as JSON. */
  readonly key: string;
  found(record: T | undefined): void;
  failed(error: unknown): void;
}

/**
 * Finds single records by their key. Those asked for in one turn of the event loop, or while no connection is free, share a
 * statement, which sees everything that was durable when they were asked for.
 */
export class Lookup<T> {
  readonly #sql: string;
  readonly #keyed: readonly number[];
  readonly #waiting: Waiting<T>[] = [];

  constructor(
    private readonly table: Table<T>,
    private readonly store: Pick<Store, 'dialect' | 'judge'>,
    private readonly statements: Pick<Statements, 'using'>,
  ) {
    const { dialect } = store;
    const columns = Object.keys(table.columns);
    this.#sql = reading(table, dialect, table.key)(dialect.parameter(0));
    this.#keyed = table.key.map((name) => columns.indexOf(name));
  }

  /** The record with these values in the columns of the key, in their order. */
  find(...key: readonly string[]): Promise<T | undefined> {
    return new Promise((found, failed) => {
      const isFirst = this.#waiting.push({ key: JSON.stringify(key), found, failed }) === 1;
      if (isFirst) this.#next();
    });
  }

  #next(): void {
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    let early = this.#waiting.length;
    try {
      await this.statements.using((ask) => {
        early = 0;
        const taken = this.#waiting.splice(0, TOGETHER);
        if (this.#waiting.length > 0) this.#next();
        return this.#answer(ask, taken);
      });
    } catch (error) {
      // There was no connection. Those who came later have not waited as long.
      for (const { failed } of this.#waiting.splice(0, early)) failed(error);
      if (early > 0 && this.#waiting.length > 0) this.#next();
    }
  }

  async #answer(ask: Ask, asked: readonly Waiting<T>[]): Promise<void> {
    const rows = await this.#read(ask, asked).catch((error: unknown) => this.#separately(ask, asked, error));
    if (rows === null) return;
    for (const { key, found, failed } of asked) {
      try {
        const row = rows.get(key);
        found(row === undefined ? undefined : this.table.decode(row));
      } catch (error) {
        failed(error);
      }
    }
  }

  async #read(ask: Ask, asked: readonly Waiting<T>[]): Promise<ReadonlyMap<string, readonly Cell[]>> {
    const distinct = new Set(asked.map(({ key }) => key));
    const rows = rowsIn(await ask(this.#sql, `[${[...distinct].join(',')}]`));
    return new Map(rows.map((row) => [JSON.stringify(this.#keyed.map((at) => row[at])), row]));
  }

  /** A key that the database cannot even read fails alone, and not those that happened to be asked for beside it. */
  async #separately(ask: Ask, asked: readonly Waiting<T>[], error: unknown): Promise<null> {
    const alone = asked.length === 1 || this.store.judge(error).kind !== 'refused';
    if (alone) for (const { failed } of asked) failed(error);
    else for (const one of asked) await this.#answer(ask, [one]);
    return null;
  }
}
