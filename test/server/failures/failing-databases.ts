import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { systemClock, uuidV7 } from '../../../src/adapters/system/system.js';
import type { AccountId } from '../../../src/core/ids.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ManageAccounts } from '../../../src/core/usecases/accounts/manage-accounts.js';
import { usdc } from '../../support/builders.js';
import { freshPostgres, freshSqliteFile } from '../../support/databases.js';

/** What a command comes to: `reads` for those that change nothing, `writes` for the rest. */
export interface FailingDatabase {
  readonly what: string;
  open(): Promise<string>;
  readonly reads: number;
  readonly writes: number;
  readonly words: RegExp;
}

/** Everything that a database can be in place of one that works. */
export const FAILING_DATABASES: readonly FailingDatabase[] = [
  {
    what: 'down',
    reads: 69,
    writes: 69,
    words: /^The database does not answer: .*is DATABASE_URL right\?/,
    open: async () => 'postgres://nobody@127.0.0.1:1/none',
  },
  {
    what: 'silent',
    reads: 69,
    writes: 69,
    words: /^The database does not answer: /,
    open: silent,
  },
  {
    what: 'of another program',
    reads: 78,
    writes: 78,
    words: /^DATABASE_URL names .*not (a database of|make)/,
    open: () => sqliteWith('create table orders (id text)'),
  },
  {
    what: 'of another program, on Postgres',
    reads: 78,
    writes: 78,
    words: /not (a database of|make)/,
    open: () => postgresWith((name) => `create table orders (id text); comment on database ${name} is 'shop'`),
  },
  {
    what: 'of a newer version',
    reads: 78,
    writes: 78,
    words: /from a newer version of stakeport.*999_next/,
    open: () => sqliteWith(stepsAnd('999_next')),
  },
  {
    what: 'read-only',
    reads: 0,
    writes: 69,
    words: /takes no writes|read-only/,
    open: readOnly,
  },
  {
    what: 'not a database at all',
    reads: 78,
    writes: 78,
    words: /^DATABASE_URL names .* not a SQLite database/,
    open: async () => {
      const { url, path } = freshSqliteFile();
      writeFileSync(path, 'Dear Sir or Madam, this letter is no database.\n'.repeat(9));
      return url;
    },
  },
  {
    what: 'in a folder that does not exist',
    reads: 78,
    writes: 78,
    words: /^DATABASE_URL names .* does not exist/,
    open: async () => `sqlite:${freshSqliteFile().path}.missing/stakeport.db`,
  },
  {
    what: 'a pipe',
    reads: 78,
    writes: 78,
    words: /^DATABASE_URL names .*which is not a file/,
    open: async () => {
      const { url, path } = freshSqliteFile();
      execFileSync('mkfifo', [path]);
      return url;
    },
  },
  {
    what: 'without a right to its tables',
    reads: 78,
    writes: 78,
    words: /without a privilege .*own the tables/,
    open: ofAnotherUser,
  },
  {
    what: 'without the TLS that is requested',
    reads: 78,
    writes: 78,
    words: /^DATABASE_URL asks for TLS/,
    open: withoutTls,
  },
];

/** A Postgres server without TLS answers a request for it with one letter. */
async function withoutTls(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write('N')));
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none?sslmode=verify-full`;
}

async function ofAnotherUser(): Promise<string> {
  const { url } = await freshPostgres();
  await (await openSqlLedger(url)).close();
  const other = new URL(url);
  other.username = `${other.pathname.slice(1)}_other`;
  other.password = 'for-tests-alone';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const role = `create role ${other.username} login password '${other.password}'; grant create on schema public to ${other.username}`;
  await client.query(role).finally(() => client.end());
  return other.href;
}

async function silent(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

async function sqliteWith(statements: string): Promise<string> {
  const { url, path } = freshSqliteFile();
  await new Promise<void>((done, fail) => {
    const database = new sqlite3.Database(path);
    database.exec(statements, (error) => database.close(() => (error === null ? done() : fail(error))));
  });
  return url;
}

async function postgresWith(statements: (name: string) => string): Promise<string> {
  const { url } = await freshPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements(new URL(url).pathname.slice(1))).finally(() => client.end());
  return url;
}

function stepsAnd(next: string): string {
  const names = [...MIGRATIONS.map(({ name }) => name), next].map((name) => `('${name}')`);
  return `create table schema_steps (name text); insert into schema_steps values ${names.join(', ')}`;
}

/** Like a standby, with an account on record that uses real money. */
async function readOnly(): Promise<string> {
  const { url } = await freshPostgres();
  const ledger = await openSqlLedger(url);
  const accounts = new ManageAccounts(ledger, { clock: systemClock, ids: uuidV7 });
  await accounts.allowLive('alice' as AccountId, true);
  await accounts.deposit('alice' as AccountId, NO_VENUE, usdc('5'));
  await ledger.close();
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter database ${name} set default_transaction_read_only = on`).finally(() => client.end());
  return url;
}
