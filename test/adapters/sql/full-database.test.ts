import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../../src/adapters/sql/group-commit.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import { StorageHealth } from '../../../src/server/background/storage-health.js';
import { createLogger } from '../../../src/server/http/log.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { type FreshSqliteFile, freshPostgres, freshSqliteFile } from '../../support/databases.js';
import { Operator } from './postgres-operator.js';

describe('a SQLite database without room', () => {
  let file: FreshSqliteFile;
  let store: Store;
  let ledger: SqlLedger;
  beforeEach(async () => {
    file = freshSqliteFile();
    store = await openDatabase(file.url);
    await migrate(store);
    ledger = new SqlLedger(store, GROUP_LIMITS);
  });
  afterEach(async () => {
    await ledger.close();
    file.remove();
  });

  const write = () => ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] }));
  const allow = (pages: number) => store.writer.raw(`pragma max_page_count = ${pages}`);
  const full = expect.objectContaining({ code: 'SQLITE_FULL' });

  /** As a disk is full for SQLite: no page can be added. */
  async function fill(): Promise<unknown> {
    const [{ page_count: pages }] = await store.writer.raw('pragma page_count');
    await allow(pages);
    for (;;) {
      const error: unknown = await write().catch((reason) => reason);
      if (error !== undefined && error !== null) return error;
    }
  }

  it('fails writers and health checks until there is space again', async () => {
    await ledger.ping();
    expect(await fill()).toEqual(expect.objectContaining({ code: 'storage_unavailable', cause: full }));
    await expect(ledger.ping()).rejects.toEqual(expect.objectContaining({ cause: full }));
    await expect(ledger.ping()).rejects.toThrow(StorageUnavailable);
    await allow(1_000_000);
    await write();
    await ledger.ping();
  });

  it('is reported publicly in plain words, and logged once with cause', async () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const health = new StorageHealth(ledger, logger);
    expect(await health.complaint()).toBeNull();
    await fill();
    expect([await health.complaint(), await health.complaint()]).toEqual(Array(2).fill('storage takes no writes'));
    await allow(1_000_000);
    await write();
    expect(await health.complaint()).toBeNull();
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.map(({ msg, err }) => [msg, err?.cause?.code])).toEqual([
      ['storage takes no writes', 'SQLITE_FULL'],
      ['storage takes writes again', undefined],
    ]);
  });
});

describe('a database that answers and takes no writes', () => {
  it('is not well: Postgres that has become read-only', async () => {
    const database = await freshPostgres();
    const ledger = await openSqlLedger(database.url);
    await ledger.ping();
    const operator = await Operator.at(database.url);
    await operator.setDefault('default_transaction_read_only', 'on');
    await operator.endOthers();
    const readOnly = expect.objectContaining({ code: '25006' });
    await expect.poll(() => ledger.ping().catch((error) => error.cause)).toEqual(readOnly);
    expect(await ledger.listBalances({ limit: 1 })).toEqual([]);
    await ledger.close();
    await operator.close();
    await database.drop();
  });
});

describe('what is logged of a failed statement', () => {
  it.each([
    ['SQLite', async () => freshSqliteFile()],
    ['Postgres', async () => freshPostgres().then(({ url, drop }) => ({ url, remove: drop }))],
  ])('has none of the values that it was given, on %s', async (_, fresh) => {
    const database = await fresh();
    const store = await openDatabase(database.url);
    const failed: Error = await store.writer.raw('select ? from nowhere', ['canary']).catch((error) => error);
    expect(failed.message).toContain('nowhere');
    expect(`${failed.message} ${failed.stack}`).not.toContain('canary');
    await store.close();
    await database.remove();
  });
});
