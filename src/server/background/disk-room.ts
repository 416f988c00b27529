import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseChoice } from '../settings/values.js';

/** How much room a disk has. */
export interface DiskRoom {
  /** A folder on it. */
  readonly folder: string;
  /** The free room of the disk, in bytes. */
  free(): Promise<bigint>;
}

const FILE = /^sqlite:(?!:memory:)(.+)$/;

/** The disk of a database in a file; null where this machine does not have it. */
export function diskRoomOf(database: DatabaseChoice): DiskRoom | null {
  const [, path] = database.kind === 'memory' ? [] : (FILE.exec(database.url) ?? []);
  if (path === undefined) return null;
  const folder = dirname(path);
  return {
    folder,
    async free() {
      const { bavail, bsize } = await statfs(folder, { bigint: true });
      return bavail * bsize;
    },
  };
}
