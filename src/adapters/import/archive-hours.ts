import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ImportRefused } from './import-refused.js';
import { type ParquetColumns, ParquetFile, type RowGroupRows } from './parquet-file.js';

/** An hour in milliseconds. */
export const HOUR_MS = 3_600_000;
/** An hour of an archive has hundreds of megabytes; a file below this is what is left of one. */
const LEAST_BYTES = 1_048_576;
const NAMED_HOUR = /(\d{4}-\d{2}-\d{2}T\d{2})\.parquet$/;
const PULSE_MS = 10_000;

/** A file of an archive, and which time it covers by the clock of receiving. */
export interface ArchiveHour<Version extends string = string> {
  readonly path: string;
  readonly version: Version;
  readonly file: ParquetFile;
  readonly began: number;
  readonly ended: number;
}

/** Hours of an archive. */
export interface ArchiveHours<Version extends string> {
  /** In the order of what they cover. */
  readonly files: readonly ArchiveHour<Version>[];
  /** The beginnings of hours between the first and the last one that no file covers. */
  readonly missing: readonly number[];
}

/**
 * Opens hourly files, each with the columns of one of these schemas, which all have `timestamp_received`. Those that hold no hour are hours
 * that are missing.
 * @throws ImportRefused
 */
export async function openHours<Version extends string>(
  paths: readonly string[],
  schemas: Readonly<Record<Version, ParquetColumns>>,
  anySize: boolean,
): Promise<ArchiveHours<Version>> {
  const files: ArchiveHour<Version>[] = [];
  const broken: number[] = [];
  for (const path of paths) {
    const hour = hourNamed(path);
    const small = !anySize && (await stat(path)).size < LEAST_BYTES;
    const found = small ? 'is too small for an hour' : await openHour(path, schemas).catch(orHour(hour));
    if (typeof found !== 'string') files.push(found);
    else if (hour !== null) broken.push(hour);
    else
      throw new ImportRefused(
        path,
        `${found}, and its name does not say which hour it was: name it …YYYY-MM-DDTHH.parquet, or say --any-size if you cut it yourself`,
      );
  }
  files.sort((a, b) => a.began - b.began || a.ended - b.ended);
  for (const [at, file] of files.entries()) {
    const before = files[at - 1];
    if (before !== undefined && overlap(before, file))
      throw new ImportRefused(file.path, `covers the same time as ${before.path}: give one file for each hour`);
  }
  return { files, missing: missingHours(files, broken) };
}

/** Opens a file, and finds which time its rows cover. */
async function openHour<Version extends string>(
  path: string,
  schemas: Readonly<Record<Version, ParquetColumns>>,
): Promise<ArchiveHour<Version>> {
  const { file, schema } = await ParquetFile.open(path, schemas);
  if (file.rowCount === 0) throw new ImportRefused(path, 'has no rows');
  let [began, ended] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [group, rows] of file.groups.entries()) {
    const [least, most] = file.range('timestamp_received', group) ?? (await boundsOf(file, rows));
    began = Math.min(began, Number(least));
    ended = Math.max(ended, Number(most));
  }
  return { path, version: schema, file, began, ended };
}

async function boundsOf(file: ParquetFile, rows: RowGroupRows): Promise<readonly [number, number]> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const at of await file.numbers('timestamp_received', rows)) {
    if (at < least) least = at;
    if (at > most) most = at;
  }
  return [least, most];
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** Whether two files tell of the same time; of two versions, of the same hour. */
const overlap = (before: ArchiveHour, after: ArchiveHour): boolean =>
  after.began < before.ended || (after.version !== before.version && hourOf(after.began) <= hourOf(before.ended));

/** An empty or a broken file is an hour that is missing, where its name tells which. */
const orHour =
  (hour: number | null) =>
  (error: unknown): string => {
    if (hour === null || !(error instanceof ImportRefused) || !/not a Parquet file|has no rows/.test(error.message))
      throw error;
    return 'cannot be read';
  };

function hourNamed(path: string): number | null {
  const [, named] = NAMED_HOUR.exec(basename(path)) ?? [];
  const at = named === undefined ? Number.NaN : Date.parse(`${named}:00:00Z`);
  return Number.isNaN(at) ? null : at;
}

function missingHours(files: readonly ArchiveHour[], broken: readonly number[]): readonly number[] {
  const covered = new Set<number>();
  for (const { began, ended } of files)
    for (let hour = hourOf(began); hour <= hourOf(ended); hour += 1) covered.add(hour);
  const all = [...covered, ...broken.map((hour) => hour / HOUR_MS)];
  const missing: number[] = [];
  for (let hour = Math.min(...all); hour <= Math.max(...all); hour += 1)
    if (!covered.has(hour)) missing.push(hour * HOUR_MS);
  return missing;
}

/** Whether a row of one of these names can lie in a part of the file, by the statistics of this column. */
export function mayHold(file: ParquetFile, column: string, group: number, names: Iterable<string>): boolean {
  const bounds = file.range(column, group);
  if (bounds === null) return true;
  const [least, most] = bounds.map(String) as [string, string];
  return [...names].some((name) => name >= least && name <= most);
}

/** The newest moment of each ten seconds in which there was any. */
export class Pulses {
  readonly #newest = new Map<number, number>();

  add(at: number): void {
    if (Number.isNaN(at)) return;
    const pulse = Math.floor(at / PULSE_MS);
    const before = this.#newest.get(pulse);
    if (before === undefined || before < at) this.#newest.set(pulse, at);
  }

  /** In order of time. */
  get all(): readonly number[] {
    return [...this.#newest.values()].sort((a, b) => a - b);
  }
}

/** How often each time passed between two clocks. */
export class Lags {
  readonly #times = new Map<number, number>();

  add(lag: number): void {
    this.#times.set(lag, (this.#times.get(lag) ?? 0) + 1);
  }

  /** The lag that this part of all did not exceed; 0 where there are none. */
  at(part: number): number {
    const lags = [...this.#times].sort(([a], [b]) => a - b);
    let left = part * lags.reduce((sum, [, times]) => sum + times, 0);
    for (const [lag, times] of lags) {
      left -= times;
      if (left <= 0) return lag;
    }
    return 0;
  }

  /** Their middle, what nearly all kept, and the longest, by name; nothing where there are none. */
  counts(): readonly (readonly [string, number])[] {
    if (this.#times.size === 0) return [];
    return [
      ['lag_ms_p50', this.at(0.5)],
      ['lag_ms_p99', this.at(0.99)],
      ['lag_ms_max', this.at(1)],
    ];
  }
}

/** What a user is told of hours that are missing. */
export const hoursMissing = (missing: readonly number[]) => ({
  code: 'hours_missing',
  detail: `${missing.length} hours are missing or broken, and are gaps: ${missing
    .slice(0, 3)
    .map((at) => new Date(at).toISOString())
    .join(', ')}${missing.length > 3 ? ' …' : ''}.`,
});

/** Some of these ids, for a sentence. */
export const someOf = (ids: readonly string[]): string => `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ' …' : ''}`;
