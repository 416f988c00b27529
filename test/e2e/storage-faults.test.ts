import { once } from 'node:events';
import { renameSync, rmSync, truncateSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { describe, expect, test } from 'vitest';
import { ORDER, ORDERS } from '../support/app.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';
import { placeOnce } from './trading.js';

describe('A server whose database is taken away', () => {
  test.each([
    ['its file is deleted', (path: string) => rmSync(path), 'stakeport.db was deleted, moved or replaced'],
    ['its lock is deleted', (path: string) => rmSync(`${path}.lock`), 'stakeport.db.lock was deleted'],
    ['its log is emptied', (path: string) => truncateSync(`${path}-wal`), 'stakeport.db-wal was cut off'],
  ])('stops within seconds with the reason and a non-retryable code: %s', async (_, action, why) => {
    const file = freshSqliteFile();
    const server = await startServer({ env: { DATABASE_URL: file.url } });
    expect((await placeOnce(new Client(server.url), 'before')).status).toBe(201);
    action(file.path);
    expect(await server.ended).toEqual({ code: 78, signal: null });
    expect(server.output()).toMatch(new RegExp(`^stakeport stops: .*${why}.*`, 'm'));
    expect(server.output()).toMatch(/"level":60.*"type":"DatabaseGone"/);
    file.remove();
  });

  test('gives no order a 201 that a restart would not know', async () => {
    const file = freshSqliteFile();
    const env = { DATABASE_URL: file.url };
    const server = await startServer({ env });
    const client = new Client(server.url);
    const placed: string[] = [];
    const place = async (client: Client, key: string) => {
      const { status } = await placeOnce(client, key);
      if (status === 201) placed.push(key);
      return status;
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => place(client, `before-${n}`)));
    renameSync(`${file.path}-wal`, `${file.path}-wal.gone`);
    expect(await place(client, 'after').catch(() => 'no answer')).not.toBe(201);
    expect((await server.ended).code).toBe(78);
    const next = await startServer({ env });
    const again = new Client(next.url);
    const replayed = await Promise.all(placed.map((key) => placeOnce(again, key)));
    expect(replayed.map(({ headers }) => headers['idempotency-replayed'])).toEqual(placed.map(() => 'true'));
    await next.kill('SIGTERM');
    file.remove();
  });
});

describe('A server that fails to write', () => {
  test('logs a disk error, refuses orders and exits to be restarted', async () => {
    const file = freshSqliteFile();
    const env = { DATABASE_URL: file.url, LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0' };
    // A limit on the size of files stands for the disk: past it, writing fails as on a broken one.
    const limited = `trap '' XFSZ; ulimit -f 4000; exec "$@"`;
    const server = startProgram('sh', { args: ['-c', limited, 'sh', process.execPath, SERVER], env });
    const [, url = ''] = await server.says(/listening on (\S+)/);
    const client = new Client(url);
    const statuses = new Set<number>();
    // The last of them may find that the server has ended: what the others were answered counts.
    const burst = () =>
      Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => placeOnce(client, `${statuses.size}-${n}-${Math.random()}`)),
      );
    for (let isUp = true; isUp && !statuses.has(503); ) {
      const answers = await burst();
      for (const answer of answers) if (answer.status === 'fulfilled') statuses.add(answer.value.status);
      isUp = answers.some(({ status }) => status === 'fulfilled');
    }
    expect(await server.ended).toEqual({ code: 69, signal: null });
    expect([...statuses].sort()).toEqual([201, 503]);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const failed = lines.filter(({ msg }) => msg === 'a request failed');
    expect(failed[0]).toMatchObject({ err: { type: 'StorageUnavailable', cause: { code: 'SQLITE_IOERR' } } });
    expect(server.output()).toMatch(/^stakeport stops: .*SQLITE_IOERR/m);
    const next = await startServer({ env });
    expect((await new Client(next.url).get('/readyz')).status).toBe(200);
    await next.kill('SIGTERM');
    file.remove();
  });

  test('names the violated constraint of a 500 only in the log', async () => {
    const database = await freshPostgres();
    const server = await startServer({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'error' } });
    const operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    await operator.query(
      `alter table orders add constraint no_such_order check (market_id <> 'epl-ars-che') not valid`,
    );
    await operator.end();
    const client = new Client(server.url);
    const answer = await client.post(ORDERS, { ...ORDER, market_id: 'epl-ars-che' });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('no_such_order');
    const line = await server.says(/^.*a request failed.*$/m);
    expect(JSON.parse(line[0]).err).toMatchObject({
      type: 'InvariantBroken',
      cause: { code: '23514', table: 'orders', constraint: 'no_such_order' },
    });
    await server.kill('SIGTERM');
    await database.drop();
  });
});

describe('An audit of a database that does not answer', () => {
  const audited = (url: string) => stakeport({ env: { DATABASE_URL: url, NODE_ENV: 'production' } }, 'audit');

  test('exits with code 69 where another program holds its lock', async () => {
    const { url, path } = freshSqliteFile();
    await (await startServer({ env: { DATABASE_URL: url } })).kill('SIGTERM');
    const holder = new sqlite3.Database(path);
    const run = (sql: string) =>
      new Promise<void>((done, fail) => holder.exec(sql, (error) => (error ? fail(error) : done())));
    await run('pragma locking_mode = exclusive; begin exclusive; create table held (id text)');
    expect(await audited(url)).toEqual({ code: 69, output: expect.stringContaining('The database does not answer') });
    await new Promise((done) => holder.close(done));
  });

  test('exits with code 69 where it only takes the connection', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await audited(`postgres://nobody@127.0.0.1:${port}/none`);
    expect({ code, output }).toEqual({ code: 69, output: expect.stringContaining('The database does not answer') });
    expect(output).not.toContain('Knex');
    server.close();
  });
});
