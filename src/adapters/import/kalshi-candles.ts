import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { AmountMalformed } from '../../core/errors.js';
import type { VenueName } from '../../core/ids.js';
import type { Level, MarketChange } from '../../core/market/event.js';
import { isPrice, ONE, type Price, parseMicro, type Shares } from '../../core/money.js';
import type {
  Archive,
  ArchiveFindings,
  ArchiveLine,
  ArchiveSource,
  ImportedMarket,
  Importer,
} from '../../ports/importer.js';
import { ImportRefused } from './import-refused.js';
import { noPrices, onceEach, type PricePoint, pacedLines } from './paced-lines.js';
import { Counts } from './rebuilt-book.js';

const VENUE = 'kalshi' as VenueName;
const SOURCE: ArchiveSource = {
  evidence: 'candles',
  vendor: 'kalshi',
  version: 'candlesticks',
  licence: null,
  clock: 'source',
};
const SECOND_MS = 1000;
/** No candle tells a size. Nothing is filled on candles, so that rules are judged as if there were no end of shares. */
const UNTOLD = (1_000_000n * ONE) as Shares;

/** The live interface calls it `close_dollars`, the historical one `close`; a number would be cents of before 2026. */
const quote = v.looseObject({ close_dollars: v.optional(v.string()), close: v.optional(v.unknown()) });
const candle = v.looseObject({
  end_period_ts: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  yes_bid: quote,
  yes_ask: quote,
});
const ofOne = v.looseObject({ ticker: v.optional(v.string()), candlesticks: v.array(v.unknown()) });
const ofMany = v.looseObject({
  markets: v.array(v.looseObject({ market_ticker: v.string(), candlesticks: v.array(v.unknown()) })),
});

/** The candles of one market in one file. */
interface Candles {
  readonly path: string;
  readonly ticker: string;
  readonly rows: readonly unknown[];
}

/** Answers of Kalshi’s candlesticks, live, historical or of many markets: the best prices at the end of each period, without sizes. */
export const kalshiCandles: Importer = {
  kind: 'kalshi-candles',
  summary: 'JSON answers of Kalshi’s …/candlesticks, of one market or of many, live or historical',
  takesFee: false,
  async open(paths, markets, { onProgress }) {
    const all: Candles[] = [];
    for (const [at, path] of paths.entries()) {
      all.push(...(await candlesIn(path)));
      onProgress((at + 1) / paths.length);
    }
    return new CandleArchive(all, markets);
  },
};

async function candlesIn(path: string): Promise<readonly Candles[]> {
  let answer: unknown;
  try {
    answer = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ImportRefused(path, 'is not JSON: save the answer as it came');
  }
  const one = v.safeParse(ofOne, answer);
  if (one.success) {
    const { ticker = basename(path).replace(/\.json$/, ''), candlesticks } = one.output;
    return [{ path, ticker, rows: candlesticks }];
  }
  const many = v.safeParse(ofMany, answer);
  if (many.success)
    return many.output.markets.map(({ market_ticker, candlesticks }) => ({
      path,
      ticker: market_ticker,
      rows: candlesticks,
    }));
  throw new ImportRefused(
    path,
    'has no candlesticks: an answer is {"ticker":…,"candlesticks":[…]}, or {"markets":[…]}',
  );
}

class CandleArchive implements Archive {
  readonly venue = VENUE;
  readonly source = SOURCE;
  readonly attribution = null;
  readonly #counts = new Counts();
  readonly #points = new Map<number, readonly PricePoint[]>();

  constructor(
    all: readonly Candles[],
    private readonly markets: readonly ImportedMarket[],
  ) {
    const places = new Map<string, number>(markets.map(({ market }, at) => [market.id, at]));
    for (const candles of all) {
      const place = places.get(candles.ticker);
      if (place === undefined) {
        // An answer is about what it says, and not about what was asked: the venue ignores a ticker that it does not know.
        this.#counts.add('other_markets');
        continue;
      }
      const points = candles.rows.map((row, at) => this.#point(candles.path, row, at));
      this.#points.set(place, onceEach([...(this.#points.get(place) ?? []), ...points]));
    }
    if (this.#points.size === 0)
      throw new ImportRefused(
        null,
        'no file has candles of these markets: their tickers are in the answers, or are the names of the files',
        null,
        'nothing',
      );
  }

  /** What stood at the end of a period, which is when it is known. */
  #point(path: string, row: unknown, at: number): PricePoint {
    const read = v.safeParse(candle, row);
    if (!read.success)
      throw new ImportRefused(
        path,
        'has a candle without end_period_ts, yes_bid and yes_ask: take Kalshi’s own answer',
        at,
      );
    const { end_period_ts, yes_bid, yes_ask } = read.output;
    this.#counts.add('rows');
    const sideOf = (given: v.InferOutput<typeof quote>): readonly Level[] => {
      const price = closeOf(path, given, at);
      return isPrice(price) ? [{ price: price as Price, shares: UNTOLD }] : [];
    };
    const change: MarketChange = { type: 'book', bids: sideOf(yes_bid), asks: sideOf(yes_ask) };
    if (change.bids.length === 0 || change.asks.length === 0) this.#counts.add('one_sided_candles');
    const [bid, ask] = [change.bids[0]?.price, change.asks[0]?.price];
    if (bid !== undefined && ask !== undefined && bid >= ask) this.#counts.add('crossed_candles');
    return { at: end_period_ts * SECOND_MS, change };
  }

  async *lines(): AsyncGenerator<Iterable<ArchiveLine>> {
    yield pacedLines(
      this.#points,
      this.markets.map(({ market }) => market.id),
    );
  }

  findings(): ArchiveFindings {
    const quiet = this.markets.flatMap(({ market }, at) => (this.#points.has(at) ? [] : [market.id]));
    const candles = {
      code: 'candles_only',
      detail:
        'Candles have the best prices at the end of each period, and no sizes: they serve for calibration and signals, and no bet is filled.',
    };
    return { counts: this.#counts, warnings: [candles, ...noPrices(quiet)] };
  }
}

/** 0 and 1 stand for a side without orders. */
function closeOf(path: string, { close_dollars, close }: v.InferOutput<typeof quote>, at: number): bigint {
  const text = close_dollars ?? close;
  if (typeof text !== 'string')
    throw new ImportRefused(
      path,
      'has a candle whose close is no price in dollars: fetch it anew, cents are of before 2026',
      at,
    );
  try {
    const price = parseMicro(text);
    if (price <= ONE) return price;
  } catch (error) {
    if (!(error instanceof AmountMalformed)) throw error;
  }
  throw new ImportRefused(path, `has the close ${JSON.stringify(text)}, which is no price from 0 to 1`, at);
}
