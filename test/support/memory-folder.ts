import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'stakeport-tests-';
/** A run leaves less than half of it there. */
const ROOM = 4 * 1024 ** 3;

/**
 * Puts temporary files of this process and its children into memory, where there is room and nobody named a folder in `TMPDIR`. A
 * database then waits for no disk: SQLite syncs each commit, and a killed process loses nothing that it wrote to either.
 */
export function keepFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  try {
    for (const name of readdirSync(MEMORY)) if (isLeft(name)) remove(join(MEMORY, name));
    const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
    // As /tmp: programs of another user, such as Postgres, have folders of their own in it.
    chmodSync(folder, 0o1777);
    process.env['TMPDIR'] = folder;
    process.once('exit', () => remove(folder));
  } catch {
    // Then they are where they usually are.
  }
}

/** Whether a folder is one that was made so. */
export const isInMemory = (folder: string | undefined): folder is string =>
  folder?.startsWith(join(MEMORY, NAME)) === true;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM && process.availableMemory() > 2 * ROOM;
  } catch {
    return false;
  }
}

/** Whether a run that was killed left it. */
function isLeft(name: string): boolean {
  const [, pid] = /^stakeport-tests-(\d+)-/.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
