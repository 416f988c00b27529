import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../ports/system.js';
import { RECORDED } from './tape-line.js';
import type { TapeFiles } from './tape-recorder.js';
import { ignoreMissing, TapeWriter } from './tape-writer.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** So much of a disk is left to others. */
const LEAST_FREE = 500_000_000;
/** Recording goes on once there is so much more room than is needed: else it would stop again at once. */
const SLACK = 0.1;
/** How long after a failure to write it is tried again. */
const AGAIN_MS = 60_000;

/** A folder of tapes, and how much they may take. */
export interface TapeFolderOptions {
  readonly folder: string;
  /** The name of the venue: that of its files begins with it. */
  readonly venue: string;
  readonly clock: Clock;
  /** The most bytes of all recordings in the folder, of every venue and day. */
  readonly mostBytes: number;
  /** Free bytes of the disk; asked of the system when absent. */
  readonly free?: () => Promise<number>;
  /** False while another process records; asked for each line. */
  readonly mayWrite?: () => boolean;
  /** Called with why nothing can be recorded, and with null once it can be again. */
  readonly report: (trouble: string | null) => void;
}

/**
 * Tapes of a venue in a folder: a compressed file for each day in UTC, and a new one after each start and interruption, such as
 * `polymarket-2026-12-05-002.jsonl.gz`; names are in the order of time. Nothing is removed and no file is continued: while
 * there is no room, nothing is written.
 */
export class TapeFolder implements TapeFiles {
  #writer: TapeWriter | null = null;
  #dayEnds = 0;
  #newest = new Date(0);
  #trouble: string | null = null;
  #retryAt = 0;
  #bytes = 0;
  readonly #closing = new Map<TapeWriter, Promise<void>>();

  private constructor(private readonly options: TapeFolderOptions) {}

  /** Makes the folder where there is none. @throws an error of the file system when nothing can be written there */
  static async open(options: TapeFolderOptions): Promise<TapeFolder> {
    await makeFolder(options.folder);
    await access(options.folder, constants.W_OK);
    const folder = new TapeFolder(options);
    await folder.look();
    return folder;
  }

  get bytes(): number {
    const open = [...this.#closing.keys(), ...(this.#writer === null ? [] : [this.#writer])];
    return open.reduce((sum, { bytes }) => sum + bytes, this.#bytes);
  }

  /** Why nothing is recorded at present; null while there is room. */
  get trouble(): string | null {
    return this.#trouble;
  }

  at(moment: Date): TapeWriter | null {
    const { mayWrite = () => true } = this.options;
    if (this.#trouble !== null || !mayWrite()) this.#end();
    else if (this.#writer === null || moment.getTime() >= this.#dayEnds) this.#begin(moment);
    return this.#writer;
  }

  /** Looks how much room there is; call it every ten seconds or so. Never throws. */
  async look(): Promise<void> {
    if (this.options.clock.now().getTime() < this.#retryAt) return;
    try {
      this.#report(await this.#roomTrouble());
    } catch (error) {
      this.#fail(error);
    }
  }

  async close(): Promise<void> {
    this.#end();
    await Promise.all(this.#closing.values());
  }

  async #roomTrouble(): Promise<string | null> {
    const { folder, mostBytes, free = () => freeBytes(folder) } = this.options;
    const slack = this.#trouble === null ? 0 : SLACK;
    const [used, left] = [await recordedBytes(folder), await free()];
    if (left < LEAST_FREE * (1 + slack))
      return `the disk of ${folder} has ${inMb(left)} left, and ${inMb(LEAST_FREE)} are left to others`;
    if (used >= mostBytes * (1 - slack))
      return `the recordings in ${folder} take ${inMb(used)}, of ${inMb(mostBytes)} that they may take`;
    return null;
  }

  #begin(moment: Date): void {
    this.#end();
    const { folder, venue } = this.options;
    const day = moment.toISOString().slice(0, 10);
    try {
      const writer = new TapeWriter(freshPath(join(folder, `${venue}-${day}`)), 'gzip', this.#newest, 'wx');
      writer.closed.catch((error: unknown) => this.#fail(error));
      void writer.header({ recordedAt: moment, venue, source: RECORDED });
      this.#writer = writer;
      this.#dayEnds = Date.parse(day) + DAY_MS;
    } catch (error) {
      this.#fail(error);
    }
  }

  #end(): void {
    const writer = this.#writer;
    if (writer === null) return;
    this.#writer = null;
    this.#newest = writer.newest;
    const closed = writer
      .close()
      .catch(() => {})
      .then(() => {
        this.#closing.delete(writer);
        this.#bytes += writer.bytes;
      });
    this.#closing.set(writer, closed);
  }

  #fail(error: unknown): void {
    this.#retryAt = this.options.clock.now().getTime() + AGAIN_MS;
    this.#report(`the tape cannot be written: ${error instanceof Error ? error.message : error}`);
    this.#end();
  }

  /** Reports when it begins and when it is over. */
  #report(trouble: string | null): void {
    const before = this.#trouble;
    this.#trouble = trouble;
    if ((before === null) !== (trouble === null)) this.options.report(trouble);
  }
}

const TAPE_OF_DAY = /^[a-z][a-z0-9_-]*-\d{4}-\d{2}-\d{2}-\d{3,}\.jsonl\.gz$/;

/** The paths of the recordings in a folder, in the order of their names. */
export async function tapesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => TAPE_OF_DAY.test(name));
  return names.sort().map((name) => join(folder, name));
}

async function recordedBytes(folder: string): Promise<number> {
  // A tape may be moved elsewhere meanwhile.
  const sizes = (await tapesIn(folder)).map((path) => stat(path).then(({ size }) => size, ignoreMissing));
  return (await Promise.all(sizes)).reduce<number>((sum, size = 0) => sum + size, 0);
}

/** Makes a folder, and those that it is in, where there are none. The option `recursive` never ends where a file system takes none. */
export async function makeFolder(path: string): Promise<void> {
  const failure = await mkdir(path).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  if (failure === null || (failure.code === 'EEXIST' && (await stat(path)).isDirectory())) return;
  if (failure.code !== 'ENOENT' || dirname(path) === path) throw failure;
  await makeFolder(dirname(path));
  await mkdir(path);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The first name that no file has. */
function freshPath(beginning: string): string {
  let number = 1;
  const path = () => `${beginning}-${String(number).padStart(3, '0')}.jsonl.gz`;
  while (existsSync(path())) number += 1;
  return path();
}

const inMb = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
