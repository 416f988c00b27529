import type { VenueName } from '../../core/ids.js';
import type { MarketChange } from '../../core/market/event.js';
import type { Price } from '../../core/money.js';
import type {
  Archive,
  ArchiveFindings,
  ArchiveLine,
  ArchiveSource,
  ImportedMarket,
  Importer,
  ImportTerms,
} from '../../ports/importer.js';
import { type ArchiveHour, hoursMissing, Lags, openHours, someOf } from './archive-hours.js';
import type { HourRows } from './hour-rows.js';
import { type ArchivedMarkets, type PmxtVersion, readHour, SCHEMAS } from './pmxt-rows.js';
import { Counts, RebuiltBook, WHOLE, type WholeChange } from './rebuilt-book.js';

const VENUE = 'polymarket' as VenueName;
const LICENCE = 'CC BY 4.0';

/** Hourly files of archive.pmxt.dev with what Polymarket sent: version 1 without trades, version 2 with them. */
export const pmxt: Importer = {
  kind: 'pmxt',
  summary: 'hourly Parquet files of archive.pmxt.dev, versions 1 and 2 of Polymarket',
  takesFee: true,
  async open(paths, markets, terms) {
    const { files, missing } = await openHours(paths, SCHEMAS, terms.anySize);
    const versions = [...new Set(files.map(({ version }) => version))].sort();
    return new PmxtArchive(files, missing, versions, markets, terms);
  },
};

class PmxtArchive implements Archive {
  readonly venue = VENUE;
  readonly source: ArchiveSource;
  readonly attribution = 'Order book data: PMXT archive (archive.pmxt.dev), CC BY 4.0';
  readonly #counts = new Counts();
  readonly #lags = new Lags();
  readonly #warnings: { readonly code: string; readonly detail: string }[] = [];
  readonly #markets: readonly ImportedMarket[];
  readonly #books: readonly RebuiltBook[];
  readonly #wanted: ArchivedMarkets;
  readonly #seen: readonly [Set<number>, Set<number>] = [new Set(), new Set()];

  constructor(
    private readonly files: readonly ArchiveHour<PmxtVersion>[],
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
      reads: (type, token, market) =>
        type !== 'price_change' || terms.useSecond || token !== this.#wanted.tokens[market]?.[1],
    };
    const evidence = versions.includes('v1') ? 'l2_no_trades' : 'l2';
    this.source = { evidence, vendor: 'pmxt', version: versions.join('+'), licence: LICENCE, clock: 'received' };
  }

  async *lines(): AsyncGenerator<Iterable<ArchiveLine>> {
    const missing = [...this.missing];
    let read = 0;
    for (const hour of this.files) {
      const lost = missing.filter((at) => at <= hour.began);
      for (const at of missing.splice(0, lost.length)) yield this.#allGaps(at);
      yield this.#hour(await readHour(hour, this.#wanted));
      read += 1;
      this.terms.onProgress(read / this.files.length);
    }
    for (const at of missing) yield this.#allGaps(at);
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

  *#hour({ rows: all, alive }: Awaited<ReturnType<typeof readHour>>): Generator<ArchiveLine> {
    const rows = this.terms.useSecond ? all.inFirstOutcome(this.#withoutFirst(all)) : all;
    const order = rows.inOrder();
    const newest = new Map<number, number>();
    let pulse = 0;
    for (let from = 0; from < order.length; ) {
      const first = order[from] as number;
      const at = rows.at[first] as number;
      for (; (alive[pulse] ?? at) < at; pulse += 1) yield aliveAt(alive[pulse] as number);
      let to = from + 1;
      while (to < order.length && isTogether(rows, first, order[to] as number)) to += 1;
      const places = this.#newOnes(rows, order.subarray(from, to), newest);
      for (const change of this.#changes(rows, places)) yield this.#line(at, rows.market[first] as number, change);
      from = to;
    }
    for (; pulse < alive.length; pulse += 1) yield aliveAt(alive[pulse] as number);
  }

  /** These places without those that repeat the row before. */
  #newOnes(rows: HourRows, places: Uint32Array, newest: Map<number, number>): readonly number[] {
    const kept: number[] = [];
    for (const place of places) if (this.#isNew(rows, place, newest)) kept.push(place);
    return kept;
  }

  readonly #hasFirst = new Map<number, boolean>();

  /** Which markets have nothing of their first outcome in the first hour in which they have anything. */
  #withoutFirst(rows: HourRows): (market: number) => boolean {
    const own = new Map<number, boolean>();
    for (let place = 0; place < rows.kinds.length; place += 1) {
      const one = rows.market[place] as number;
      own.set(one, own.get(one) === true || !rows.isSecond(place));
    }
    for (const [one, hasFirst] of own) this.#hasFirst.set(one, this.#hasFirst.get(one) ?? hasFirst);
    return (one) => this.#hasFirst.get(one) === false;
  }

  /** What rows of one market, outcome and moment change, which are one alone unless they are changes of levels. */
  #changes(rows: HourRows, places: readonly number[]): readonly MarketChange[] {
    const [first] = places;
    if (first === undefined) return [];
    const book = this.#books[rows.market[first] as number] as RebuiltBook;
    const kind = rows.kinds[first];
    if (kind === 'change') {
      if (rows.isSecond(first)) return [];
      const last = places.at(-1) as number;
      const stated = { bid: rows.bestBid[last] as number, ask: rows.bestAsk[last] as number };
      return book.levels(
        places.map((place) => changeAt(rows, place)),
        stated,
      );
    }
    if (kind === 'trade') return this.#trade(rows, first, book);
    const own = rows.books.get(first);
    if (rows.isSecond(first)) {
      if (own !== undefined && book.isWhole)
        this.#counts.add(book.mirrors(own.bids, own.asks) ? 'mirrors' : 'mirror_mismatches');
      return [];
    }
    if (own !== undefined) return [book.book(own.bids, own.asks, rows.at[first] as number)];
    return [{ type: 'tick', tick: BigInt(rows.price[first] as number) as Price }];
  }

  readonly #matches = new Map<string, [first: number, second: number]>();

  /** A match that both outcomes report is one. */
  #trade(rows: HourRows, place: number, book: RebuiltBook): readonly MarketChange[] {
    const isSecond = rows.isSecond(place);
    const [price, shares] = [rows.price[place] as number, rows.shares[place] as number];
    const hash = rows.hashes.get(place);
    if (hash !== undefined) {
      const name = `${rows.market[place]} ${hash} ${shares}`;
      const reports = this.#matches.get(name) ?? [0, 0];
      this.#matches.set(name, reports);
      const [own, other] = isSecond ? ([1, 0] as const) : ([0, 1] as const);
      reports[own] += 1;
      if (reports[own] <= reports[other]) {
        this.#counts.add('mirrored_trades');
        return [];
      }
    }
    const taker = rows.isBuy(place) === isSecond ? 'SELL' : 'BUY';
    return [book.trade(isSecond ? WHOLE - price : price, shares, taker, rows.at[place] as number)];
  }

  /** Counts what a row says of the archive. False for one that repeats the row before it. */
  #isNew(rows: HourRows, place: number, newest: Map<number, number>): boolean {
    const market = rows.market[place] as number;
    const second = rows.second[place] as 0 | 1;
    this.#counts.add('rows');
    this.#seen[second].add(market);
    const before = newest.get(2 * market + second);
    newest.set(2 * market + second, place);
    const [at, source] = [rows.at[place] as number, rows.source[place] as number];
    if (source > 0) {
      this.#lags.add(at - source);
      if (before !== undefined && source < (rows.source[before] as number)) this.#counts.add('source_time_inversions');
    }
    if (before === undefined || !rows.isEqual(before, place)) return true;
    this.#counts.add('duplicate_rows');
    return false;
  }

  findings(): ArchiveFindings {
    const count = (name: string) => this.#counts.get(name) ?? 0;
    const warn = (code: string, detail: string) => this.#warnings.push({ code, detail });
    if (this.missing.length > 0) this.#warnings.push(hoursMissing(this.missing));
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
      warn('no_rows', `${quiet.length} markets have no rows of their first outcome: ${someOf(quiet)}.${help}`);
    }
    return { counts: new Map([...this.#counts, ...this.#lags.counts()]), warnings: this.#warnings };
  }
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

const changeAt = (rows: HourRows, place: number): WholeChange => ({
  side: rows.isBuy(place) ? 'bids' : 'asks',
  price: rows.price[place] as number,
  shares: rows.shares[place] as number,
});

const aliveAt = (at: number): ArchiveLine => ({ type: 'alive', at: new Date(at) });

/** Changes of levels that came at one moment are one line. */
const isTogether = ({ kinds, at, market, second }: HourRows, a: number, b: number): boolean =>
  kinds[a] === 'change' &&
  kinds[b] === 'change' &&
  at[a] === at[b] &&
  market[a] === market[b] &&
  second[a] === second[b];
