import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { DatabaseUnusable, openSqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS, type Migration } from '../../../src/adapters/sql/migrations/index.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import type { Strategy } from '../../../src/core/strategy/strategy.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { type FreshSqliteFile, freshPostgres, freshSqliteFile } from '../../support/databases.js';

const NEXT: Migration = { name: '998_notes', up: () => ['create table notes (id text)'] };
const AFTER: Migration = { name: '999_more', up: () => ['create table more (id text)'] };
const FAILS: Migration = { name: '998_fails', up: () => ['create table notes (id text)', 'create table half ('] };

describe('before the migration of a SQLite file', () => {
  let file: FreshSqliteFile;
  let strategy: Strategy;
  beforeEach(async () => {
    file = freshSqliteFile();
    strategy = aStrategy();
    const ledger = await openSqlLedger(file.url);
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    await ledger.close();
  });
  afterEach(() => file.remove());

  const copy = () => `${file.path}.before-998`;
  const others = () => readdirSync(file.path.replace(/\/[^/]*$/, '')).filter((name) => name.includes('.before-'));

  async function upgraded(steps: readonly Migration[] = [NEXT, AFTER]): Promise<string | null> {
    const store = await openDatabase(file.url);
    return migrate(store, [...MIGRATIONS, ...steps]).finally(() => store.close());
  }

  it('it is copied whole and privately, named after its first missing step', async () => {
    expect(await upgraded()).toBe(copy());
    expect(others()).toEqual(['stakeport.db.before-998']);
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
    const before = await openSqlLedger(`sqlite:${copy()}`);
    expect(await before.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    await before.close();
    expect(await tables(`sqlite:${copy()}`)).not.toContain('notes');
    expect(await tables(file.url)).toEqual(expect.arrayContaining(['notes', 'more']));
  });

  it('is copied with what only its log holds yet', async () => {
    const writer = await openSqlLedger(file.url);
    const late = aStrategy();
    await writer.write({ account: ALICE }, () => ({ result: null, strategies: [late] }));
    expect(statSync(`${file.path}-wal`).size).toBeGreaterThan(0);
    await upgraded();
    await writer.close();
    const before = await openSqlLedger(`sqlite:${copy()}`);
    expect(await before.findStrategy(ALICE, late.id)).toEqual(late);
    await before.close();
  });

  it('is left alone when it cannot be copied, and says why', async () => {
    mkdirSync(`${copy()}.part`);
    await expect(upgraded()).rejects.toMatchObject({ cause: expect.any(DatabaseUnusable) });
    await expect(upgraded()).rejects.toThrow(
      /from an older version, .* cannot be copied to .*before-998 .* Nothing was changed/,
    );
    expect(await tables(file.url)).not.toContain('notes');
  });

  it('never replaces a copy that is there', async () => {
    writeFileSync(copy(), 'of an upgrade long ago');
    expect(await upgraded()).toBe(`${copy()}-2`);
    expect(readFileSync(copy(), 'utf8')).toBe('of an upgrade long ago');
  });

  it('is copied once, however often the upgrade fails', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(upgraded([FAILS])).rejects.toThrow();
    expect(others()).toEqual(['stakeport.db.before-998']);
    await upgraded();
    expect(others()).toEqual(['stakeport.db.before-998']);
  });

  it('it is not copied when current, new, in memory or absent', async () => {
    await (await openSqlLedger(file.url)).close();
    expect(others()).toEqual([]);
    const fresh = freshSqliteFile();
    await (await openSqlLedger(fresh.url)).close();
    expect(existsSync(`${fresh.path}.before-001`)).toBe(false);
    fresh.remove();
    const memory = await openDatabase('sqlite::memory:');
    await migrate(memory);
    expect(await migrate(memory, [...MIGRATIONS, NEXT])).toBeNull();
    await memory.close();
    const postgres = await freshPostgres();
    const store = await openDatabase(postgres.url);
    await migrate(store);
    expect(await migrate(store, [...MIGRATIONS, NEXT])).toBeNull();
    await store.close();
    await postgres.drop();
  });
});

async function tables(url: string): Promise<readonly string[]> {
  const store: Store = await openDatabase(url);
  const names = await store.reader('sqlite_master').where({ type: 'table' }).pluck<string[]>('name');
  await store.close();
  return names;
}
