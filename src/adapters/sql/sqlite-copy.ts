import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type sqlite3 from 'sqlite3';
import { DatabaseUnusable } from './database-unusable.js';
import { driverCodeOf } from './fault.js';
import { sqliteDriver } from './sqlite-driver.js';

/**
 * Copies a database file, with what its log holds, to `FILE.before-NNN`, and tells the copy's path. It is there whole or not at
 * all, for its owner alone. A copy that is there stays: another one gets a number of its own, unless it says the same.
 * @throws DatabaseUnusable when it cannot be written
 */
export async function copyBefore(file: string, step: string): Promise<string> {
  const path = `${file}.before-${step}`;
  const part = `${path}.part`;
  try {
    await rm(part, { force: true });
    await writeCopy(file, part);
    return await keep(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw new DatabaseUnusable(notCopied(file, path, error), error);
  }
}

/** What is committed by now, whoever else has the file open. */
async function writeCopy(file: string, part: string): Promise<void> {
  // Made here, because SQLite would let everybody read it.
  await (await open(part, 'wx', 0o600)).close();
  const driver = await sqliteDriver();
  const source = await new Promise<sqlite3.Database>((done, fail) => {
    const made = new driver.Database(file, driver.OPEN_READONLY, (error) => (error ? fail(error) : done(made)));
  });
  try {
    await new Promise<void>((done, fail) =>
      source.run('vacuum into ?', [part], (error) => (error ? fail(error) : done())),
    );
  } finally {
    await new Promise<void>((done) => source.close(() => done()));
  }
  await synced(part);
}

/** Nobody else does the same: whoever copies holds the file's write lock. */
async function keep(part: string, path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? path : `${path}-${count}`;
    if (!(await isThere(name))) {
      await rename(part, name);
      await synced(dirname(name));
      return name;
    }
    if (await saysTheSame(part, name)) {
      await rm(part);
      return name;
    }
  }
}

/** What a start that was killed had copied is found again, so that a hundred of them fill no disk. */
async function saysTheSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([digestOf(one), digestOf(other)]);
  return first === second;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (driverCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const notCopied = (file: string, path: string, error: unknown): string =>
  `DATABASE_URL names a database from an older version, ${file}, which cannot be copied to ${path} before it is brought ` +
  `up to date (${driverCodeOf(error) || String(error)}). Nothing was changed. Make room beside it, and let this user write there.`;
