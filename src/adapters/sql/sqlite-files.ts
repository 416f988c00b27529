import { openSync, readSync, type Stats, statSync } from 'node:fs';
import { DatabaseGone } from './database-gone.js';
import { driverCodeOf } from './fault.js';

/** The first bytes of a write-ahead log without the last bit, which is the byte order of its checksums. */
const WAL_MAGIC = 0x377f0682 >>> 1;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
/** The size of the header of SQLite's shared memory file in bytes; it is in the machine's byte order. */
const SHARED_HEADER = 48;
const LOOKS = 10;

interface Held {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
}

/**
 * The files of an open SQLite database, as they were when it was opened. SQLite itself keeps writing to a file that was
 * deleted, and would not notice. Create this once all of the files exist.
 */
export class SqliteFiles {
  readonly #held: readonly Held[];
  readonly #log: number;
  #shared: number | null = null;
  #sizes = { main: 0, log: 0 };
  #cut = false;

  /** @param name the database as configured, which may lead to `file` through links. */
  constructor(
    name: string,
    private readonly file: string,
  ) {
    const paths = new Set([file, this.#walPath, this.#sharedPath, `${file}.lock`, name]);
    this.#held = [...paths].map((path) => {
      const { dev, ino } = statSync(path);
      return { path, dev, ino };
    });
    this.#log = openSync(this.#walPath, 'r');
  }

  /** True once a file was found truncated: SQLite must not write its cached pages into it then. */
  get isCut(): boolean {
    return this.#cut;
  }

  /** Costs some microseconds. @throws DatabaseGone when a file was deleted, moved, replaced or cut off */
  check(): void {
    const found = this.#held.map(({ path, dev, ino }) => {
      const now = statOf(path);
      if (now === null || (now !== undefined && (now.ino !== ino || now.dev !== dev)))
        throw new DatabaseGone(path, 'deleted, moved or replaced');
      return now;
    });
    const cut = this.#cutFile(found[0]?.size, found[1]?.size);
    if (cut === null) return;
    this.#cut = true;
    throw new DatabaseGone(cut, 'cut off');
  }

  get #walPath(): string {
    return `${this.file}-wal`;
  }

  get #sharedPath(): string {
    return `${this.file}-shm`;
  }

  /** A legitimate checkpoint makes files shorter too: only then SQLite's shared memory is checked. */
  #cutFile(main = this.#sizes.main, log = this.#sizes.log): string | null {
    const before = this.#sizes;
    this.#sizes = { main, log };
    if (main === 0) return this.file;
    if (log > WAL_HEADER && !this.#beginsAsLog()) return this.#walPath;
    return main < before.main || log < before.log ? this.#missingFrom() : null;
  }

  /** A log that was just emptied proves nothing: it is shorter at the next check. */
  #beginsAsLog(): boolean {
    const magic = Buffer.alloc(4);
    const bytes = readSync(this.#log, magic, 0, magic.length, 0);
    return bytes < magic.length || magic.readUInt32BE() >>> 1 === WAL_MAGIC;
  }

  #sizesNow(): { readonly main: number; readonly log: number } {
    const { main, log } = this.#sizes;
    return { main: statOf(this.file)?.size ?? main, log: statOf(this.#walPath)?.size ?? log };
  }

  /** Every frame that SQLite counts is in the log, and every page of the database is in its file or in a frame. */
  #missingFrom(): string | null {
    for (let look = 0; look < LOOKS; look += 1) {
      const header = this.#sharedHeader();
      const { main, log } = this.#sizesNow();
      if (!header.equals(this.#sharedHeader())) continue;
      const { pageSize, frames, pages } = readHeader(header);
      if (frames > 0 && log < WAL_HEADER + frames * (FRAME_HEADER + pageSize)) return this.#walPath;
      return pages - main / pageSize > frames ? this.file : null;
    }
    return null;
  }

  /** Its descriptor stays open: by POSIX rules, closing it would release SQLite's own locks of that file. */
  #sharedHeader(): Buffer {
    this.#shared ??= openSync(this.#sharedPath, 'r');
    const header = Buffer.alloc(SHARED_HEADER);
    readSync(this.#shared, header, 0, header.length, 0);
    return header;
  }
}

function readHeader({ buffer, byteOffset }: Buffer) {
  const [size = 0] = new Uint16Array(buffer, byteOffset + 14, 1);
  const [frames = 0, pages = 0] = new Uint32Array(buffer, byteOffset + 16, 2);
  return { pageSize: size === 1 ? 65_536 : size, frames, pages };
}

/** Null when the file does not exist, undefined when that cannot be determined. */
function statOf(path: string): Stats | null | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    return driverCodeOf(error) === 'ENOTDIR' ? null : undefined;
  }
}
