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
import { type ArchiveHour, type ArchiveHours, hoursMissing, Lags, openHours, someOf } from './archive-hours.js';
import type { HourRows } from './hour-rows.js';
import { ImportRefused } from './import-refused.js';
import { type BatchTimes, KALSHI_SCHEMAS, readKalshiHour } from './pmxt-kalshi-rows.js';
import { Counts, RebuiltBook, type WholeChange } from './rebuilt-book.js';

const VENUE = 'kalshi' as VenueName;
const SOURCE: ArchiveSource = {
  evidence: 'l2_no_trades',
  vendor: 'pmxt',
  version: 'kalshi',
  licence: 'CC BY 4.0',
  clock: 'source',
};
/** On a good day rows come half a second after the venue's time. */
const [LATE_MS, TOO_LATE_MS] = [10_000, 60_000];

/** Hourly files of archive.pmxt.dev with what Kalshi sent of its books: no trades. */
export const pmxtKalshi: Importer = {
  kind: 'pmxt-kalshi',
  summary: 'hourly Parquet files of archive.pmxt.dev of Kalshi',
  takesFee: false,
  async open(paths, markets, terms) {
    return new KalshiArchive(await openHours(paths, KALSHI_SCHEMAS, terms.anySize), markets, terms);
  },
};

/**
 * A file has two clocks. That of receiving is the same for a batch of some thousand rows, so that nothing happens by it; that of the venue
 * stands on changes alone. A whole book is put where the venue's clock was at the end of its batch, and never behind a change of its market
 * that follows it there.
 */
class KalshiArchive implements Archive {
  readonly venue = VENUE;
  readonly source = SOURCE;
  readonly attribution = 'Order book data: PMXT archive (archive.pmxt.dev), CC BY 4.0';
  readonly #counts = new Counts();
  readonly #worst = new Lags();
  readonly #late: string[] = [];
  readonly #books: readonly RebuiltBook[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #seen = new Set<number>();
  /** When the last line of each market was, and of all of them. */
  readonly #last: Float64Array;
  #newest = 0;

  constructor(
    private readonly hours: ArchiveHours<'kalshi'>,
    private readonly markets: readonly ImportedMarket[],
    private readonly terms: ImportTerms,
  ) {
    this.#books = markets.map(() => new RebuiltBook(this.#counts));
    this.#places = new Map(markets.map(({ market }, at) => [market.id, at]));
    this.#last = new Float64Array(markets.length);
  }

  async *lines(): AsyncGenerator<Iterable<ArchiveLine>> {
    const { files } = this.hours;
    const missing = [...this.hours.missing];
    for (const [read, hour] of files.entries()) {
      const lost = missing.filter((at) => at <= hour.began);
      for (const at of missing.splice(0, lost.length)) yield this.#allGaps(at);
      const { rows, times } = await readKalshiHour(hour, this.#places);
      this.#checkTimes(hour, times);
      this.#place(rows, times);
      yield this.#hour(rows, times.alive);
      this.terms.onProgress((read + 1) / files.length);
    }
    for (const at of missing) yield this.#allGaps(at);
  }

  *#allGaps(at: number): Generator<ArchiveLine> {
    for (const place of this.#books.keys())
      yield this.#line(at, place, this.#books[place]?.gap('an hour of the archive is missing'));
  }

  #line(at: number, place: number, change: MarketChange | undefined): ArchiveLine {
    const marketId = this.markets[place]?.market.id;
    if (marketId === undefined || change === undefined) throw new Error('no such market');
    this.#newest = Math.max(this.#newest, at);
    return { type: 'change', at: new Date(at), marketId, change };
  }

  /** A name of a file is not its content on a day on which the archive was late. */
  #checkTimes({ path }: ArchiveHour, { newest, lags }: BatchTimes): void {
    if (newest.size === 0)
      throw new ImportRefused(path, 'has no change of a book, and so no time of the venue: leave it out');
    const lag = lags.at(0.5);
    this.#worst.add(lag);
    if (lag <= LATE_MS) return;
    const late = `came ${Math.round(lag / 1000)} seconds late in the middle`;
    if (lag > TOO_LATE_MS && !this.terms.late)
      throw new ImportRefused(path, `${late}, so that it tells of another hour than its name: say --late to take it`);
    this.#late.push(`${path} ${late}`);
  }

  /** Gives each row its moment by the venue's clock: a market's rows are in the order in which they were received. */
  #place(rows: HourRows, times: BatchTimes): void {
    const order = rows.inOrder();
    timeBooks(rows, order, times);
    for (const place of order) {
      const market = rows.market[place] as number;
      const [source, last] = [rows.source[place] as number, this.#last[market] as number];
      if (Number.isNaN(source)) {
        // A book of an unknown time is a gap after what is known of its market.
        rows.books.delete(place);
        rows.at[place] = last === 0 ? (times.alive[0] as number) : last;
        continue;
      }
      if (source < last) this.#counts.add('source_time_inversions');
      rows.at[place] = Math.max(last, source);
      this.#last[market] = rows.at[place] as number;
    }
  }

  *#hour(rows: HourRows, alive: readonly number[]): Generator<ArchiveLine> {
    const order = rows.inOrder();
    let pulse = 0;
    for (let from = 0; from < order.length; ) {
      const first = order[from] as number;
      const at = rows.at[first] as number;
      for (; (alive[pulse] ?? at) < at; pulse += 1) yield { type: 'alive', at: new Date(alive[pulse] as number) };
      let to = from + 1;
      while (to < order.length && isTogether(rows, first, order[to] as number)) to += 1;
      const market = rows.market[first] as number;
      if (at < this.#newest) this.#counts.add('late_rows', to - from);
      for (const change of this.#changes(rows, [...order.subarray(from, to)])) yield this.#line(at, market, change);
      from = to;
    }
    for (; pulse < alive.length; pulse += 1) yield { type: 'alive', at: new Date(alive[pulse] as number) };
  }

  #changes(rows: HourRows, places: readonly number[]): readonly MarketChange[] {
    const [first] = places as readonly [number];
    const market = rows.market[first] as number;
    const book = this.#books[market] as RebuiltBook;
    this.#seen.add(market);
    this.#counts.add('rows', places.length);
    if (rows.kinds[first] === 'change') return this.#deltas(rows, places, book);
    const whole = rows.books.get(first);
    if (whole !== undefined) return [book.book(whole.bids, whole.asks, rows.at[first] as number)];
    this.#counts.add('books_without_time');
    return book.isWhole ? [book.gap('a whole book came at a time that is not known')] : [];
  }

  /** New totals of the levels that deltas change. One below nothing is proof that something was lost. */
  #deltas(rows: HourRows, places: readonly number[], book: RebuiltBook): readonly MarketChange[] {
    const totals = new Map<string, WholeChange>();
    for (const place of places) {
      const [side, price] = [rows.isBuy(place) ? 'bids' : 'asks', rows.price[place] as number] as const;
      const name = `${side} ${price}`;
      const before = totals.get(name)?.shares ?? book.sharesAt(side, price);
      totals.set(name, { side, price, shares: before + (rows.shares[place] as number) });
    }
    const changes = [...totals.values()];
    if (!book.isWhole || changes.every(({ shares }) => shares >= 0)) return book.levels(changes, NOTHING_STATED);
    this.#counts.add('negative_levels');
    return [book.gap('a level fell below nothing: something was lost')];
  }

  findings(): ArchiveFindings {
    const quiet = this.markets.flatMap(({ market }, at) => (this.#seen.has(at) ? [] : [market.id]));
    const found = (name: string) => this.#counts.get(name) ?? 0;
    const warnings = [
      ...(this.hours.missing.length > 0 ? [hoursMissing(this.hours.missing)] : []),
      ...warningIf(this.#late.length > 0, 'late_files', `${this.#late.join('; ')}: take the neighbouring hours too.`),
      ...warningIf(
        found('negative_levels') > 0,
        'negative_levels',
        `${found('negative_levels')} times a level fell below nothing: a gap until the next whole book.`,
      ),
      ...warningIf(
        found('books_without_time') > 0,
        'books_without_time',
        `${found('books_without_time')} whole books came in a batch without a time of the venue, and were left out.`,
      ),
      ...warningIf(quiet.length > 0, 'no_rows', `${quiet.length} markets have no rows: ${someOf(quiet)}.`),
    ];
    return { counts: new Map([...this.#counts, ['lag_ms_worst_file', this.#worst.at(1)]]), warnings };
  }
}

/** Gives whole books the time at the end of their batch, or that of what follows them there. */
function timeBooks(rows: HourRows, order: Uint32Array, { newest }: BatchTimes): void {
  const followed = new Map<number, { readonly batch: number; readonly at: number }>();
  for (const place of order.toReversed()) {
    const [batch, market] = [rows.at[place] as number, rows.market[place] as number];
    const next = followed.get(market);
    const most = next?.batch === batch ? next.at : Number.POSITIVE_INFINITY;
    if (rows.kinds[place] === 'book') rows.source[place] = Math.min(newest.get(batch) ?? Number.NaN, most);
    if (!Number.isNaN(rows.source[place])) followed.set(market, { batch, at: rows.source[place] as number });
  }
}

const NOTHING_STATED = { bid: Number.NaN, ask: Number.NaN };

const warningIf = (isSo: boolean, code: string, detail: string) => (isSo ? [{ code, detail }] : []);

/** Changes of levels of one moment are one line. */
const isTogether = ({ kinds, at, market }: HourRows, a: number, b: number): boolean =>
  kinds[a] === 'change' && kinds[b] === 'change' && at[a] === at[b] && market[a] === market[b];
