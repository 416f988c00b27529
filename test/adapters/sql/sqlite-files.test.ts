import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseGone, openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { type FreshSqliteFile, freshSqliteFile } from '../../support/databases.js';
import { runs } from '../../support/runs.js';

let file: FreshSqliteFile;
let ledger: SqlLedger;
beforeEach(async () => {
  file = freshSqliteFile();
  ledger = await openSqlLedger(file.url, { exclusive: true });
  await write();
});
afterEach(async () => {
  await ledger.close();
  rmSync(`${dirname(file.path)}.moved`, { recursive: true, force: true });
  file.remove();
});

const write = () => ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] }));

/** Another file under the same name. */
function replace(path: string): void {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
}

function moveFolder(): void {
  renameSync(dirname(file.path), `${dirname(file.path)}.moved`);
}

const DEEDS: readonly (readonly [string, () => void])[] = [
  ...['', '-wal', '-shm', '.lock'].flatMap((ending) => [
    [`deleted: stakeport.db${ending}`, () => rmSync(file.path + ending)] as const,
    [`replaced: stakeport.db${ending}`, () => replace(file.path + ending)] as const,
  ]),
  ['its folder moved', moveFolder],
  [
    'its folder moved, and an empty one in its place',
    () => {
      moveFolder();
      mkdirSync(dirname(file.path));
    },
  ],
  ['cut: stakeport.db', () => truncateSync(file.path)],
  ['cut: stakeport.db-wal', () => truncateSync(`${file.path}-wal`)],
  ['cut in half: stakeport.db-wal', () => truncateSync(`${file.path}-wal`, 20_000)],
];

describe('the files of a database that a server has open', () => {
  it.each(DEEDS)('are reported lost at the next check: %s', async (_, action) => {
    ledger.look();
    action();
    ledger.look();
    expect(await ledger.lost).toBeInstanceOf(DatabaseGone);
    await expect(write()).rejects.toThrow(StorageUnavailable);
    await expect(ledger.ping()).rejects.toThrow(StorageUnavailable);
  });

  it.each(DEEDS)('are missed before a write into them is answered: %s', async (_, action) => {
    ledger.look();
    action();
    await expect(write()).rejects.toThrow(StorageUnavailable);
    expect(await ledger.lost).toBeInstanceOf(DatabaseGone);
  });

  it('count as gone when their symbolic link points elsewhere', async () => {
    const link = join(dirname(file.path), 'link.db');
    writeFileSync(`${file.path}.other`, '');
    symlinkSync(`${file.path}.other`, link);
    const linked = await openSqlLedger(`sqlite:${link}`, { exclusive: true });
    linked.look();
    rmSync(link);
    symlinkSync(file.path, link);
    linked.look();
    expect(await linked.lost).toBeInstanceOf(DatabaseGone);
    await linked.close();
  });

  it('are not reported lost while others write, checkpoint and shrink them', async () => {
    const other = new sqlite3.Database(file.path);
    const run = (sql: string) =>
      new Promise<void>((done, fail) => other.exec(sql, (error) => (error ? fail(error) : done())));
    await run('pragma busy_timeout = 5000; create table ballast (data)');
    const steps = [
      write,
      () => fillBallast(run),
      () => run('delete from ballast'),
      () => run('vacuum'),
      () => run('pragma wal_checkpoint(truncate)'),
      () => run('pragma wal_checkpoint(restart)'),
    ];
    for (let n = 0; n < runs(60); n += 1) {
      const step = steps[Math.floor(Math.random() * steps.length)] ?? write;
      let busy = true;
      const stepping = Promise.all([step(), write()]).finally(() => {
        busy = false;
      });
      while (busy) {
        ledger.look();
        await new Promise(setImmediate);
      }
      await stepping;
    }
    await ledger.ping();
    await new Promise((done) => other.close(done));
  });
});

const fillBallast = (run: (sql: string) => Promise<void>): Promise<void> =>
  run(
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) insert into ballast select randomblob(50000) from n',
  );
