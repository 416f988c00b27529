import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type sqlite3 from 'sqlite3';
import { DatabaseUnusable } from './database-unusable.js';
import { driverCodeOf } from './fault.js';
import { sqliteDriver } from './sqlite-driver.js';

/**
 * Copies a database file, including its log, to `FILE.before-NNN`, and returns the copy's path. The copy is complete or does
 * not exist, and only its owner can read it. Existing copies stay: another gets its own number, unless it is identical.
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

/**
 * Copies a database file, including its log, to a new file, which only its owner can read; also while a server writes to it. The
 * copy holds what was committed when it began, and it is complete and synced, or it does not exist.
 * @throws DatabaseUnusable when there is such a file already, or it cannot be written
 */
export async function copyDatabase(file: string, path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    if (await isThere(path)) throw new DatabaseUnusable(`${path} exists already. ${NOT_BEGUN}`);
    await rm(part, { force: true });
    await writeCopy(file, part);
    // Never over a file that was made meanwhile.
    await link(part, path);
    await rm(part);
    await synced(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    if (error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(`${file} cannot be copied to ${path} (${reasonOf(error)}). ${NOT_BEGUN}`, error);
  }
}

/** Copies what is committed by now, also while other programs have the file open. */
async function writeCopy(file: string, part: string): Promise<void> {
  // Created here, because SQLite would make it readable by every user.
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

/** No other process does the same: the copying process holds the file's write lock. */
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

/** Recognises the copy of a killed start, so that repeated starts do not fill the disk. */
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
  `DATABASE_URL names a database from an older version, ${file}, which cannot be copied to ${path} before its ` +
  `migration (${reasonOf(error)}). Nothing was changed. Free some space, and let this user write there.`;

const reasonOf = (error: unknown): string => driverCodeOf(error) || String(error);
const NOT_BEGUN = 'No copy was made. Name another file, with room for it, where this user may write.';
