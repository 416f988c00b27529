import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { VenueName } from '../../core/ids.js';
import type { MarketChange } from '../../core/market/event.js';
import type {
  Archive,
  ArchiveFindings,
  ArchiveLine,
  ArchiveSource,
  ImportedMarket,
  Importer,
  ImportTerms,
} from '../../ports/importer.js';
import { ImportRefused } from './import-refused.js';
import {
  type ArchivedMarkets,
  type HourFile,
  inFirstOutcome,
  isEqual,
  openHour,
  type PmxtVersion,
  type Row,
  type RowContent,
  readHour,
} from './pmxt-rows.js';
import { Counts, RebuiltBook } from './rebuilt-book.js';

const HOUR_MS = 3_600_000;
/** An hour of the archive has hundreds of megabytes; a file below this is what is left of one. */
const LEAST_BYTES = 1_048_576;
const VENUE = 'polymarket' as VenueName;
const LICENCE = 'CC BY 4.0';
const NAMED_HOUR = /(\d{4}-\d{2}-\d{2}T\d{2})\.parquet$/;

/** Hourly files of archive.pmxt.dev with what Polymarket sent: version 1 without trades, version 2 with them. */
export const pmxt: Importer = {
  kind: 'pmxt',
  summary: 'hourly Parquet files of archive.pmxt.dev, versions 1 and 2 of Polymarket',
  async open(paths, markets, terms) {
    const opened = await openAll(paths, terms);
    const versions = [...new Set(opened.files.map(({ version }) => version))].sort();
    return new PmxtArchive(opened.files, opened.missing, versions, markets, terms);
  },
};

/** Opens every file, in the order of what it covers. Those that hold no hour are hours that are missing. */
async function openAll(paths: readonly string[], { anySize }: ImportTerms) {
  const files: HourFile[] = [];
  const broken: { readonly path: string; readonly hour: number }[] = [];
  for (const path of paths) {
    const hour = hourNamed(path);
    const small = !anySize && (await stat(path)).size < LEAST_BYTES;
    const found = small ? 'is too small for an hour' : await openHour(path).catch(orHour(hour));
    if (typeof found !== 'string') files.push(found);
    else if (hour !== null) broken.push({ path, hour });
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
  return {
    files,
    missing: missingHours(
      files,
      broken.map(({ hour }) => hour),
    ),
  };
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** Whether two files tell of the same time; of two versions, of the same hour. */
const overlap = (before: HourFile, after: HourFile): boolean =>
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

/** The beginnings of hours between the first and the last one that no file covers. */
function missingHours(files: readonly HourFile[], broken: readonly number[]): readonly number[] {
  const covered = new Set<number>();
  for (const { began, ended } of files)
    for (let hour = hourOf(began); hour <= hourOf(ended); hour += 1) covered.add(hour);
  const all = [...covered, ...broken.map((hour) => hour / HOUR_MS)];
  const missing: number[] = [];
  for (let hour = Math.min(...all); hour <= Math.max(...all); hour += 1)
    if (!covered.has(hour)) missing.push(hour * HOUR_MS);
  return missing;
}

class PmxtArchive implements Archive {
  readonly venue = VENUE;
  readonly source: ArchiveSource;
  readonly attribution = 'Order book data: PMXT archive (archive.pmxt.dev), CC BY 4.0';
  readonly #counts = new Counts();
  readonly #lags = new Map<number, number>();
  readonly #warnings: { readonly code: string; readonly detail: string }[] = [];
  readonly #markets: readonly ImportedMarket[];
  readonly #books: readonly RebuiltBook[];
  readonly #wanted: ArchivedMarkets;
  readonly #seen: readonly [Set<number>, Set<number>] = [new Set(), new Set()];
  readonly #newest = new Map<string, Row>();

  constructor(
    private readonly files: readonly HourFile[],
    private readonly missing: readonly number[],
    versions: readonly PmxtVersion[],
    markets: readonly ImportedMarket[],
    private readonly terms: ImportTerms,
  ) {
    this.#markets = markets;
    this.#books = markets.map(() => new RebuiltBook(this.#counts));
    this.#wanted = {
      ids: new Map(markets.map(({ market }, at) => [market.id, at])),
      tokens: markets.map(({ market: { outcomes } }) => [outcomes?.[0].tokenId ?? '', outcomes?.[1].tokenId ?? '']),
    };
    const evidence = versions.includes('v1') ? 'l2_no_trades' : 'l2';
    this.source = { evidence, vendor: 'pmxt', version: versions.join('+'), licence: LICENCE, clock: 'received' };
  }

  async *lines(): AsyncGenerator<ArchiveLine> {
    const missing = [...this.missing];
    let read = 0;
    for (const hour of this.files) {
      const lost = missing.filter((at) => at <= hour.began);
      for (const at of missing.splice(0, lost.length)) yield* this.#allGaps(at);
      yield* this.#hour(hour);
      read += 1;
      this.terms.onProgress(read / this.files.length);
    }
    for (const at of missing) yield* this.#allGaps(at);
  }

  *#allGaps(at: number): Generator<ArchiveLine> {
    for (const market of this.#markets.keys())
      yield this.#line(at, market, this.#books[market]?.gap('an hour of the archive is missing'));
  }

  #line(at: number, market: number, change: MarketChange | undefined): ArchiveLine {
    const marketId = this.#markets[market]?.market.id;
    if (marketId === undefined || change === undefined) throw new Error('no such market');
    return { type: 'change', at: new Date(at), marketId, change };
  }

  async *#hour(hour: HourFile): AsyncGenerator<ArchiveLine> {
    const { rows: all, alive } = await readHour(hour, this.#wanted);
    const rows = this.terms.useSecond ? this.#inFirst(all) : all;
    rows.sort((a, b) => a.at - b.at || a.market - b.market || Number(a.isSecond) - Number(b.isSecond) || a.row - b.row);
    const pulses = alive[Symbol.iterator]();
    let pulse = pulses.next();
    for (let from = 0; from < rows.length; ) {
      const first = rows[from] as Row;
      for (; pulse.done !== true && pulse.value < first.at; pulse = pulses.next())
        yield { type: 'alive', at: new Date(pulse.value) };
      let to = from + 1;
      while (to < rows.length && isTogether(first, rows[to] as Row)) to += 1;
      for (const change of this.#changes(rows.slice(from, to))) yield this.#line(first.at, first.market, change);
      from = to;
    }
    for (; pulse.done !== true; pulse = pulses.next()) yield { type: 'alive', at: new Date(pulse.value) };
  }

  readonly #hasFirst = new Map<number, boolean>();

  /** The rows, those of the second outcome as ones of the first where the first hour of a market has nothing of that. */
  #inFirst(rows: readonly Row[]): Row[] {
    for (const { market, isSecond } of rows)
      if (!isSecond) this.#hasFirst.set(market, this.#hasFirst.get(market) ?? true);
    for (const { market } of rows) this.#hasFirst.set(market, this.#hasFirst.get(market) ?? false);
    return rows.flatMap((row) => {
      if (this.#hasFirst.get(row.market) !== false) return [row];
      return row.isSecond ? [{ ...row, isSecond: false, what: inFirstOutcome(row.what) }] : [];
    });
  }

  /** What rows of one market, outcome and moment change, which are one alone unless they are changes of levels. */
  #changes(rows: readonly Row[]): readonly MarketChange[] {
    const kept = rows.filter((row) => this.#isNew(row));
    const [first] = kept;
    if (first === undefined) return [];
    const book = this.#books[first.market] as RebuiltBook;
    const { what } = first;
    if (first.isSecond) {
      if (what.type === 'book' && book.isWhole)
        this.#counts.add(book.mirrors(what.bids, what.asks) ? 'mirrors' : 'mirror_mismatches');
      const inFirst = inFirstOutcome(what);
      return inFirst.type === 'trade' ? this.#trade(first, inFirst) : [];
    }
    switch (what.type) {
      case 'book':
        return [book.book(what.bids, what.asks, first.at)];
      case 'change': {
        const all = kept.flatMap((row) => (row.what.type === 'change' ? [row.what] : []));
        return book.levels(
          all.map(({ change }) => change),
          all.at(-1)?.stated ?? { bid: null, ask: null },
        );
      }
      case 'trade':
        return this.#trade(first, what);
      case 'tick':
        return [{ type: 'tick', tick: what.tick }];
    }
  }

  readonly #matches = new Map<string, [first: number, second: number]>();

  /** A match that both outcomes report is one. */
  #trade(
    { at, market, isSecond }: Row,
    { price, shares, taker, hash }: RowContent & { type: 'trade' },
  ): readonly MarketChange[] {
    if (hash !== null) {
      const name = `${market} ${hash} ${shares}`;
      const told = this.#matches.get(name) ?? [0, 0];
      this.#matches.set(name, told);
      const [own, other] = isSecond ? [1, 0] : [0, 1];
      told[own as 0 | 1] += 1;
      if (told[own as 0 | 1] <= told[other as 0 | 1]) {
        this.#counts.add('mirrored_trades');
        return [];
      }
    }
    return [(this.#books[market] as RebuiltBook).trade(price, shares, taker, at)];
  }

  /** Counts what a row says of the archive. False for one that repeats the row before it. */
  #isNew(row: Row): boolean {
    this.#counts.add('rows');
    this.#seen[row.isSecond ? 1 : 0].add(row.market);
    const name = `${row.market} ${row.isSecond}`;
    const before = this.#newest.get(name);
    this.#newest.set(name, row);
    if (row.source !== null) {
      this.#lags.set(row.at - row.source, (this.#lags.get(row.at - row.source) ?? 0) + 1);
      if (before?.source != null && row.source < before.source) this.#counts.add('source_time_inversions');
    }
    const isRepeated =
      before !== undefined && before.at === row.at && before.source === row.source && isEqual(before.what, row.what);
    if (isRepeated) this.#counts.add('duplicate_rows');
    return !isRepeated;
  }

  findings(): ArchiveFindings {
    const count = (name: string) => this.#counts.get(name) ?? 0;
    const warn = (code: string, detail: string) => this.#warnings.push({ code, detail });
    if (this.missing.length > 0)
      warn(
        'hours_missing',
        `${this.missing.length} hours are missing or broken, and are gaps: ${this.missing
          .slice(0, 3)
          .map((at) => new Date(at).toISOString())
          .join(', ')}${this.missing.length > 3 ? ' …' : ''}.`,
      );
    const [agreed, differed] = [count('best_agreed'), count('best_differed')];
    if (agreed <= 0.95 * (agreed + differed) && agreed + differed > 0)
      warn(
        'best_differs',
        `After ${percent(agreed, agreed + differed)} of the changes the best prices were those that the venue stated; below 95 %, books are less sure than they look.`,
      );
    if (count('ghosts_removed') > 0)
      warn(
        'ghosts_removed',
        `${count('ghosts_removed')} levels were better than the best price that the venue stated, and were taken away.`,
      );
    if (count('best_missing') > 0)
      warn(
        'best_missing',
        `${count('best_missing')} times the best price that the venue stated was missing: a gap until the next whole book.`,
      );
    if (count('changes') > 0 && count('books') * 1000 < count('changes'))
      warn(
        'few_books',
        `Only ${count('books')} whole books came beside ${count('changes')} changes: what matches took away is seldom told.`,
      );
    if (count('mirror_mismatches') > 0)
      warn(
        'mirror_mismatches',
        `${count('mirror_mismatches')} books of the second outcome were not the mirror of the first.`,
      );
    const quiet = this.#markets.flatMap(({ market }, at) => (this.#seen[0].has(at) ? [] : [market.id]));
    if (quiet.length > 0) {
      const others = quiet.some((id) => this.#seen[1].has(this.#wanted.ids.get(id) ?? -1));
      const help = others ? ' Those that have rows of the second one are read from it with --use-second.' : '';
      warn(
        'no_rows',
        `${quiet.length} markets have no rows of their first outcome: ${quiet.slice(0, 3).join(', ')}${quiet.length > 3 ? ' …' : ''}.${help}`,
      );
    }
    return { counts: new Map([...this.#counts, ...this.#lagCounts()]), warnings: this.#warnings };
  }

  /** How much later than the venue's time rows were received, in milliseconds. */
  #lagCounts(): readonly (readonly [string, number])[] {
    const lags = [...this.#lags].sort(([a], [b]) => a - b);
    const all = lags.reduce((sum, [, times]) => sum + times, 0);
    const at = (part: number) => {
      let left = part * all;
      for (const [lag, times] of lags) {
        left -= times;
        if (left <= 0) return lag;
      }
      return 0;
    };
    return all === 0
      ? []
      : [
          ['lag_ms_p50', at(0.5)],
          ['lag_ms_p99', at(0.99)],
          ['lag_ms_max', at(1)],
        ];
  }
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** Changes of levels that came at one moment are one line. */
const isTogether = (a: Row, b: Row): boolean =>
  a.what.type === 'change' &&
  b.what.type === 'change' &&
  a.at === b.at &&
  a.market === b.market &&
  a.isSecond === b.isSecond;
