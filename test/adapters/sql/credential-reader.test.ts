import { describe, expect, it } from 'vitest';
import { ApiKeyAuthenticator, RandomKeyMaker } from '../../../src/adapters/auth/index.js';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../../src/adapters/sql/group-commit.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import { ManageKeys } from '../../../src/core/usecases/accounts/manage-keys.js';
import { ALICE, clockAt, NOON } from '../../support/builders.js';
import { freshPostgres, freshSqliteFile } from '../../support/databases.js';

const DATABASES = [
  ['SQLite', 2, async () => freshSqliteFile()],
  ['Postgres', 3, async () => freshPostgres().then(({ url, drop }) => ({ url, remove: drop }))],
] as const;

describe.each(DATABASES)('on %s', (_, poolSize, fresh) => {
  it('callers are authenticated while every connection for lists is taken', async () => {
    const database = await fresh();
    const store = await openDatabase(database.url, { poolSize });
    await migrate(store);
    const ledger = new SqlLedger(store, GROUP_LIMITS);
    const [clock, maker] = [clockAt(NOON), new RandomKeyMaker('pepper')];
    const { text } = await new ManageKeys(ledger, ledger, maker, clock).create({
      by: ALICE,
      account: ALICE,
      scopes: ['orders:read'],
      lifetimeMs: null,
      idempotencyKey: null,
    });
    const held = await Promise.all(Array.from({ length: poolSize }, () => store.reader.client.acquireConnection()));
    const done: string[] = [];
    const asked = Promise.allSettled([ledger.listOrders(ALICE, {}, { limit: 5 })]).then(() => done.push('list'));
    const credentials = { authorization: `Bearer ${text}`, devUser: undefined };
    const found = await new ApiKeyAuthenticator(ledger, 'pepper', clock).authenticate(credentials);
    done.push('known');
    await Promise.all(held.map((connection) => store.reader.client.releaseConnection(connection)));
    await asked;
    expect(found).toMatchObject({ kind: 'principal', principal: { account: ALICE } });
    expect(done).toEqual(['known', 'list']);
    await ledger.close();
    await database.remove();
  });
});
