import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { jobQueue } from '../../contract/job-queue.js';
import { ledgerHistories } from '../../contract/ledger-histories.js';
import { ledgerKeys } from '../../contract/ledger-keys.js';
import { ledgerLog } from '../../contract/ledger-log.js';
import { ledgerRaces } from '../../contract/ledger-races.js';
import { ledgerWrites } from '../../contract/ledger-writes.js';
import { openedForEach } from '../../contract/opened.js';
import { ALICE } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { emptyTables } from '../../support/partitioned.js';
import { runs } from '../../support/runs.js';
import { Trading } from '../../support/trading.js';

/**
 * What may change without a new version: a job that a worker takes is decided on under locks only, an idempotency key is
 * deleted once it means nothing, and no decision depends on an event but the last one.
 */
const EXEMPT: Readonly<Record<string, string>> = {
  order_jobs: 'insert or delete',
  requests: 'insert or update',
  account_events: 'insert or update',
};
const ALL = 'insert or update or delete';

let database: FreshPostgres;
let client: pg.Client;
beforeAll(async () => {
  database = await freshPostgres();
  await (await openSqlLedger(database.url)).close();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('a writer of an account moves its version in the same transaction', () => {
  beforeAll(async () => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = current_schema() and column_name = 'account'`,
    );
    expect(rows.length).toBeGreaterThan(10);
    await client.query(`create function expect_version() returns trigger language plpgsql as $$
      declare owner text := coalesce(new.account, old.account);
      begin
        if not exists (select from accounts where id = owner and xmin = pg_current_xact_id()::xid and version <> '') then
          raise exception 'the version of % stays, though % was written', owner, tg_table_name;
        end if;
        return null;
      end $$`);
    for (const { name } of rows)
      await client.query(`create constraint trigger expect_version after ${EXEMPT[name] ?? ALL} on ${name}
        deferrable initially deferred for each row execute function expect_version()`);
  });

  describe.each([
    ['on what it remembers', 20_000],
    ['on what it reads', 2],
  ])('deciding %s', (_, remembered) => {
    const opened = openedForEach(async () => {
      const limits = { together: 256, waiting: 10_000, remembered };
      const ledger = await openSqlLedger(database.url, { storeCheck: true, limits });
      return { ledger, close: () => ledger.close().then(() => emptyTables(database.url)) };
    });
    ledgerWrites(() => opened().ledger);
    ledgerKeys(() => opened().ledger);
    ledgerLog(() => opened().ledger);
    jobQueue(() => opened().ledger);
    ledgerHistories(() => opened().ledger, runs(3));
    ledgerRaces(() => [opened().ledger]);
  });
});

describe('a writer who knows of no versions', () => {
  beforeEach(async () => {
    const ledger = await openSqlLedger(database.url);
    const trader = new Trading(ledger);
    const { id } = await trader.strategy();
    await trader.place({ strategyId: id });
    await ledger.close();
  });

  it.each([
    'update accounts set live_enabled = true',
    'update balances set cash = cash + 1',
    'delete from balances',
    'update positions set shares = shares + 1',
    'update strategies set is_paused = true',
    'update exposures set committed = committed + 1',
    'delete from positions',
  ])('has it moved by the database: %s', async (statement) => {
    const before = await versionOf(ALICE);
    await client.query(statement);
    expect(await versionOf(ALICE)).not.toBe(before);
  });
});

async function versionOf(account: string): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>('select version from accounts where id = $1', [account]);
  return rows[0]?.version;
}
