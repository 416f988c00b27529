import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { DatabaseInUse, openSqlLedger } from '../../../src/adapters/sql/index.js';
import { configure } from '../../../src/adapters/sql/sqlite-connection.js';
import { ROOT } from '../../support/build.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { type FreshSqliteFile, freshSqliteFile } from '../../support/databases.js';
import { startProgram } from '../../support/processes.js';
import { ledgerArguments, OPEN, startLedger } from './ledger-process.js';

let file: FreshSqliteFile;
beforeEach(() => {
  file = freshSqliteFile();
});
afterEach(() => file.remove());

describe('a SQLite connection', () => {
  it('syncs every commit and checks foreign keys, on each opening', async () => {
    for (const opening of ['new', 'again']) {
      const store = await openDatabase(file.url);
      const settings = [...(await settingsOf(store.writer, 1)), ...(await settingsOf(store.reader, 2))];
      const own = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 5000 };
      expect(settings, opening).toEqual([
        { ...own, query_only: 0 },
        { ...own, query_only: 1 },
        { ...own, query_only: 1 },
      ]);
      await store.close();
    }
  });

  it('is refused when SQLite does not take a setting', async () => {
    const database = await opened(':memory:');
    await expect(configure(database, { memory: false, readOnly: false })).rejects.toThrow('journal_mode = wal');
    await closed(database);
  });

  it('opens on a new file however many open it at once', async () => {
    // SQLite refuses few of those that come at once, so only many new files show it.
    for (let n = 0; n < 150; n += 1) {
      const connections = await Promise.all([1, 2, 3, 4].map(() => opened(`${file.path}-${n}`)));
      await Promise.all(connections.map((connection) => configure(connection, { memory: false, readOnly: false })));
      await Promise.all(connections.map(closed));
    }
  });

  it('makes the file for its owner alone, and no folder', async () => {
    await (await openSqlLedger(file.url)).close();
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    const folder = join(dirname(file.path), 'deep');
    await expect(openSqlLedger(`sqlite:${folder}/new.db`)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is not made to a file that is not a database', async () => {
    writeFileSync(file.path, 'This is a letter, and a long one, to nobody in particular.'.repeat(100));
    await expect(openSqlLedger(file.url)).rejects.toThrow('not a SQLite database');
    expect(readdirSync(dirname(file.path))).toEqual(['stakeport.db']);
  });

  it('leaves one whole file when it is closed', async () => {
    const ledger = await openSqlLedger(file.url, { exclusive: true });
    const strategy = aStrategy();
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    await ledger.close();
    await expect(stat(`${file.path}-wal`)).rejects.toThrow('ENOENT');
  });
});

describe('the server of a SQLite file', () => {
  it('takes over the leases of a previous server when exclusive', async () => {
    const first = await openSqlLedger(file.url, { exclusive: true });
    expect(await first.leases.claim('paper', 'first', 3_600_000)).toMatchObject({ fence: 1 });
    await first.close();
    const beside = await openSqlLedger(file.url);
    expect(await beside.leases.find('paper')).toMatchObject({ owner: 'first' });
    await beside.close();
    const next = await openSqlLedger(file.url, { exclusive: true });
    expect(await next.leases.claim('paper', 'next', 3_600_000)).toMatchObject({ owner: 'next', fence: 2 });
    await next.close();
  });

  it('is unique: a second process gets an error naming the file', async () => {
    const first = startLedger(file.url, 'exclusive');
    await first.says(OPEN);
    const second = startLedger(file.url, 'exclusive');
    await second.says(/DatabaseInUse: .*stakeport\.db is in use by another stakeport server\. Stop that server/);
    await expect(openSqlLedger(file.url, { exclusive: true })).rejects.toThrow(DatabaseInUse);
  });

  it('cannot open a file with two hard links', async () => {
    const ledger = await openSqlLedger(file.url, { exclusive: true });
    await ledger.close();
    linkSync(file.path, `${file.path}.twin`);
    await expect(openSqlLedger(file.url, { exclusive: true })).rejects.toThrow('more than one hard link');
    await expect(openSqlLedger(`${file.url}.twin`, { exclusive: true })).rejects.toThrow('more than one hard link');
  });

  it('is one, under any name of the file', async () => {
    const folder = dirname(file.path);
    symlinkSync(file.path, join(folder, 'link.db'));
    symlinkSync(folder, join(folder, 'same'));
    mkdirSync(join(folder, 'sub'));
    const ledger = await openSqlLedger(file.url, { exclusive: true });
    const names = [
      relative(process.cwd(), file.path),
      join(folder, 'link.db'),
      join(folder, 'same', 'stakeport.db'),
      join(folder, 'sub', '..', 'stakeport.db'),
    ];
    for (const name of names) {
      await expect(openSqlLedger(`sqlite:${name}`, { exclusive: true }), name).rejects.toThrow(DatabaseInUse);
    }
    await ledger.close();
  });

  it('leaves nothing in the way of the next when it is killed', async () => {
    const first = startLedger(file.url, 'exclusive');
    await first.says(OPEN);
    await first.kill('SIGKILL');
    const next = await openSqlLedger(file.url, { exclusive: true });
    await next.ping();
    await next.close();
  });

  it('gives way to the next once closed or failed to open', async () => {
    await (await openSqlLedger(file.url, { exclusive: true })).close();
    const database = await opened(file.path);
    await run(database, `insert into schema_steps (name) values ('999_future')`);
    await expect(openSqlLedger(file.url, { exclusive: true })).rejects.toThrow('newer version');
    await run(database, `delete from schema_steps where name = '999_future'`);
    await closed(database);
    await (await openSqlLedger(file.url, { exclusive: true })).close();
  });

  it('shares the file with programs that are not servers', async () => {
    const server = startLedger(file.url, 'exclusive');
    await server.says(OPEN);
    const beside = await openSqlLedger(file.url);
    const strategy = aStrategy();
    await beside.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    expect(await beside.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    await beside.close();
    const tool = await opened(file.path);
    await run(tool, `vacuum into '${file.path}.backup'`);
    await closed(tool);
    const backup = await openSqlLedger(`sqlite:${file.path}.backup`, { exclusive: true });
    expect(await backup.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    await backup.close();
  });

  it('answers no writes after a disk failure until it is restarted', async () => {
    // A limit on the size of files stands for the disk: past it, writing fails as on a broken one.
    const limited = `trap '' XFSZ; ulimit -f 1200; exec "$@"`;
    const node = [process.execPath, ...ledgerArguments(file.url, 'exclusive', 'write')];
    const server = startProgram('sh', { args: ['-c', limited, 'sh', ...node], cwd: ROOT });
    await server.says(/ping .*/, 60_000);
    const said = server.output();
    await server.kill('SIGKILL');
    expect(said).toMatch(/failed StorageUnavailable: Error: SQLITE_IOERR/);
    expect(said).toMatch(/still StorageUnavailable\nping StorageUnavailable/);
    const answered = [...said.matchAll(/stored (\S+)/g)].map(([, id]) => id);
    const next = await openSqlLedger(file.url, { exclusive: true });
    const kept = await next.listStrategies(ALICE, {}, { limit: answered.length + 10 });
    const ids = new Set<string | undefined>(kept.map(({ id }) => id));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    await next.close();
  });
});

type Pool = Awaited<ReturnType<typeof openDatabase>>['reader'];

/** What each of the pool's connections has, so many of them held at once. */
async function settingsOf(pool: Pool, count: number): Promise<object[]> {
  const held = await Promise.all(Array.from({ length: count }, () => pool.client.acquireConnection()));
  const names = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'query_only'];
  const settings = held.map(async (connection) => {
    const rows = await Promise.all(names.map((name) => pool.raw(`pragma ${name}`).connection(connection)));
    return Object.fromEntries(names.map((name, index) => [name, Object.values(rows[index][0])[0]]));
  });
  const all = await Promise.all(settings);
  await Promise.all(held.map((connection) => pool.client.releaseConnection(connection)));
  return all;
}

function opened(path: string): Promise<sqlite3.Database> {
  return new Promise((done, fail) => {
    const database: sqlite3.Database = new sqlite3.Database(path, (error) => (error ? fail(error) : done(database)));
  });
}

function run(database: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((done, fail) => database.exec(sql, (error) => (error ? fail(error) : done())));
}

function closed(database: sqlite3.Database): Promise<void> {
  return new Promise((done, fail) => database.close((error) => (error ? fail(error) : done())));
}
