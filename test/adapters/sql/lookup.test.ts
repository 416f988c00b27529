import { describe, expect, it } from 'vitest';
import { API_KEYS } from '../../../src/adapters/sql/account-table.js';
import { sqliteDialect } from '../../../src/adapters/sql/columns.js';
import { StorageFault } from '../../../src/adapters/sql/fault.js';
import { Lookup } from '../../../src/adapters/sql/lookup.js';
import type { Ask, Statements } from '../../../src/adapters/sql/store.js';

const store = {
  dialect: sqliteDialect,
  judge: (error: unknown) =>
    new StorageFault(error instanceof Error && error.message === 'wrong' ? 'refused' : 'unavailable', error),
};

/** Statements that answer every key, but for the one called `wrong`; each waits for a connection until it is given. */
class Answering implements Pick<Statements, 'using'> {
  readonly asked: string[][] = [];
  readonly #requests: ((connection: Ask | Error) => void)[] = [];

  async using<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const connection = await new Promise<Ask | Error>((given) => this.#requests.push(given));
    if (connection instanceof Error) throw connection;
    return work(connection);
  }

  /** Hands out a connection, or the error instead of it, to the one that has waited longest. */
  async give(connection: Ask | Error = this.#answer): Promise<void> {
    await expect.poll(() => this.#requests.length).toBeGreaterThan(0);
    this.#requests.shift()?.(connection);
  }

  readonly #answer: Ask = async (_sql, json) => {
    const ids = (JSON.parse(String(json)) as [string][]).map(([id]) => id);
    this.asked.push(ids);
    if (ids.includes('wrong')) throw new Error('wrong');
    return JSON.stringify(ids.map((id) => [id, 'alice', '', '', '2030-01-01T00:00:00.000Z', null, null]));
  };
}

describe('a lookup', () => {
  const statements = new Answering();
  const lookup = new Lookup(API_KEYS, store, statements);
  const ids = (found: Promise<{ id: string } | undefined>[]) =>
    Promise.allSettled(found.map((one) => one.then((key) => key?.id)));
  const found = (value: string) => ({ status: 'fulfilled', value });

  it('shares one connection wait, and requests each key once', async () => {
    const first = [lookup.find('a'), lookup.find('b'), lookup.find('a')];
    await new Promise((next) => setImmediate(next));
    const all = [...first, lookup.find('c')];
    await statements.give();
    expect(await ids(all)).toEqual(['a', 'b', 'a', 'c'].map(found));
    expect(statements.asked.splice(0)).toEqual([['a', 'b', 'c']]);
  });

  it('of a key that the database cannot read fails alone', async () => {
    const all = [lookup.find('a'), lookup.find('wrong'), lookup.find('b')];
    await statements.give();
    expect(await ids(all)).toEqual([found('a'), { status: 'rejected', reason: new Error('wrong') }, found('b')]);
    expect(statements.asked.splice(0)).toEqual([['a', 'wrong', 'b'], ['a'], ['wrong'], ['b']]);
  });

  it('fails without a connection, but a later one gets the next', async () => {
    const early = lookup.find('a');
    await new Promise((next) => setImmediate(next));
    const late = lookup.find('b');
    await statements.give(new Error('no connection'));
    await expect(early).rejects.toThrow('no connection');
    await statements.give();
    expect((await late)?.id).toBe('b');
    expect(statements.asked.splice(0)).toEqual([['b']]);
  });

  it('shares a statement with at most 255 others', async () => {
    const all = Array.from({ length: 600 }, (_, n) => lookup.find(`key${n}`));
    for (let n = 0; n < 3; n++) await statements.give();
    expect(await ids(all)).toEqual(Array.from({ length: 600 }, (_, n) => found(`key${n}`)));
    expect(statements.asked.splice(0).map(({ length }) => length)).toEqual([256, 256, 88]);
  });
});
