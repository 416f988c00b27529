import * as v from 'valibot';
import type { Market } from '../../../core/market/market.js';
import { KALSHI } from '../venue-name.js';
import { listedMarket } from './listed-market.js';
import {
  type EventRecord,
  eventRecord,
  type KalshiMarketRecord,
  type MilestoneRecord,
  marketRecord,
  milestoneRecord,
  type SeriesRecord,
  seriesRecord,
} from './market-records.js';

/** A market that was described perhaps long after it ended. */
export interface ArchivedKalshiMarket {
  readonly market: Market;
  readonly closedAt: Date | null;
  /** When its result was final; null while the venue may still change it. */
  readonly resolvedAt: Date | null;
}

/** A waiver of fees that is over by then is not counted: it is not known when it began. */
const LATER = new Date(Date.UTC(9999, 0));

/**
 * The markets that answers of the venue describe: of markets, events, series and milestones, one or many in each, in any order. Of two about
 * the same the later one counts.
 * @throws TypeError that says which answer lacks; MarketUnusable for a market that is not of two outcomes
 */
export function archivedKalshiMarkets(answers: readonly object[]): readonly ArchivedKalshiMarket[] {
  const records = new Records();
  for (const answer of answers) records.take(answer);
  return records.markets();
}

class Records {
  readonly #markets = new Map<string, KalshiMarketRecord>();
  readonly #events = new Map<string, EventRecord>();
  readonly #series = new Map<string, SeriesRecord>();
  readonly #games: MilestoneRecord[] = [];

  take(answer: object): void {
    const { market, markets, event, events, series, milestones } = answer as Readonly<Record<string, unknown>>;
    if ('ticker' in answer && 'event_ticker' in answer) this.#market(answer);
    for (const row of listOf(market, markets)) this.#market(row);
    for (const row of listOf(event, events)) {
      const read = readAs(eventRecord, row, 'event');
      this.#events.set(read.event_ticker, read);
      for (const nested of read.markets) this.#market(nested);
    }
    for (const row of listOf(series)) {
      const read = readAs(seriesRecord, row, 'series');
      this.#series.set(read.ticker, read);
    }
    for (const row of listOf(milestones)) this.#games.push(readAs(milestoneRecord, row, 'milestone'));
  }

  #market(row: unknown): void {
    const read = readAs(marketRecord, row, 'market');
    this.#markets.set(read.ticker, read);
  }

  markets(): readonly ArchivedKalshiMarket[] {
    return [...this.#markets.values()].map((record) => {
      const event = this.#events.get(record.event_ticker);
      if (event === undefined) throw lacking(record, `/events/${record.event_ticker}`);
      const series = this.#series.get(event.series_ticker);
      if (series === undefined) throw lacking(record, `/series/${event.series_ticker}`);
      const milestone = this.#gameOf(event.event_ticker);
      const market = listedMarket(
        { market: record, event, series, milestone, trades: true, readAt: LATER },
        KALSHI,
        LATER,
      );
      return { market, closedAt: record.close_time, resolvedAt: market.payout === null ? null : record.settlement_ts };
    });
  }

  #gameOf(event: string): MilestoneRecord | null {
    return (
      this.#games.find(({ primary_event_tickers: tickers }) => tickers.includes(event)) ??
      this.#games.find(({ related_event_tickers: tickers }) => tickers.includes(event)) ??
      null
    );
  }
}

const lacking = ({ ticker }: KalshiMarketRecord, path: string): TypeError =>
  new TypeError(`${ticker} needs the answer of ${path} beside its own, in the same file`);

/** The rows of an answer for one, or for many. */
function listOf(...members: readonly unknown[]): readonly unknown[] {
  return members.flatMap((member): readonly unknown[] => {
    if (member === undefined || member === null) return [];
    return Array.isArray(member) ? member : [member];
  });
}

function readAs<T>(schema: v.GenericSchema<unknown, T>, row: unknown, what: string): T {
  const read = v.safeParse(schema, row, { abortEarly: true });
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new TypeError(`an answer has no ${what} that can be read: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
}
