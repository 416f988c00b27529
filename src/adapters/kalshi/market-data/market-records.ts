import * as v from 'valibot';
import { ONE, type Price, type Usdc } from '../../../core/money.js';
import { exactMicro } from '../../venue/decimals.js';
import {
  boundedText,
  understood,
  wireDecimal,
  wireFlag,
  wireMicro,
  wireMoment,
  wireText,
} from '../../venue/wire-types.js';

const id = v.pipe(boundedText, v.nonEmpty());
const shard = v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0);
const MOST_BANDS = 100;

const band = v.pipe(
  v.object({ start: boundedText, end: boundedText, step: boundedText }),
  v.check((row) => [row.start, row.end, row.step].every(isDecimal), 'not a band of prices'),
  v.transform((row) => ({ from: exactMicro(row.start) as Price, step: exactMicro(row.step) as Price })),
);

function isDecimal(text: string): boolean {
  return /^\d{1,3}(\.\d{1,6})?$/.test(text) && exactMicro(text) <= ONE;
}

/** Records have texts, and other moments of such a name are seconds. */
const settledAt = v.fallback(
  v.union([
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.transform((seconds) => new Date(seconds * 1000)),
    ),
    wireMoment,
  ]),
  null,
);

/** A market as the venue lists it (`kalshi.md` 4.2). */
export const marketRecord = v.object({
  ticker: id,
  event_ticker: id,
  market_type: wireText,
  title: wireText,
  yes_sub_title: wireText,
  status: v.pipe(
    boundedText,
    v.transform((word) => word.toLowerCase()),
  ),
  open_time: wireMoment,
  close_time: wireMoment,
  price_ranges: v.fallback(v.nullish(v.pipe(v.array(band), v.maxLength(MOST_BANDS)), []), []),
  result: wireText,
  settlement_value_dollars: wireMicro,
  settlement_ts: settledAt,
  floor_strike: wireDecimal,
  custom_strike: v.fallback(v.nullish(v.record(v.string(), boundedText), null), null),
  fee_waiver_expiration_time: wireMoment,
  exchange_index: shard,
});
/** A market as it was read. */
export type KalshiMarketRecord = v.InferOutput<typeof marketRecord>;

/** An event, such as a game, with its markets where they were asked for. */
export const eventRecord = v.object({
  event_ticker: id,
  series_ticker: id,
  title: wireText,
  mutually_exclusive: wireFlag,
  product_metadata: v.fallback(v.nullish(v.object({ competition: wireText }), null), null),
  fee_type_override: wireText,
  fee_multiplier_override: wireDecimal,
  markets: v.nullish(v.array(v.unknown()), []),
});
/** An event as it was read. */
export type EventRecord = v.InferOutput<typeof eventRecord>;

/** The template of an event. */
export const seriesRecord = v.object({
  ticker: id,
  title: wireText,
  tags: v.fallback(v.nullish(v.array(boundedText), []), []),
  fee_type: wireText,
  fee_multiplier: wireDecimal,
  product_metadata: v.fallback(v.nullish(v.object({ competition: wireText }), null), null),
});
/** A series as it was read. */
export type SeriesRecord = v.InferOutput<typeof seriesRecord>;

/** A game by which all of its events hang together. */
export const milestoneRecord = v.object({
  start_date: wireMoment,
  type: wireText,
  details: v.fallback(v.nullish(v.record(v.string(), v.unknown()), {}), {}),
  primary_event_tickers: v.nullish(v.array(boundedText), []),
  related_event_tickers: v.nullish(v.array(boundedText), []),
});
/** A milestone as it was read. */
export type MilestoneRecord = v.InferOutput<typeof milestoneRecord>;

const oneMarket = v.object({ market: marketRecord });
const oneEvent = v.object({ event: eventRecord });
const oneSeries = v.object({ series: seriesRecord });
const marketPage = v.object({ markets: v.nullish(v.array(v.unknown()), []) });
const eventPage = v.object({
  events: v.nullish(v.array(v.unknown()), []),
  milestones: v.nullish(v.array(v.unknown()), null),
  cursor: v.nullish(boundedText, ''),
});
const milestonePage = v.object({ milestones: v.nullish(v.array(v.unknown()), []), cursor: v.nullish(boundedText, '') });

/** Reads the answer for one market. @throws MarketDataUnavailable */
export const readMarketRecord = (answer: unknown): KalshiMarketRecord => understood(oneMarket, answer).market;
/** Reads the answer for one event. @throws MarketDataUnavailable */
export const readEventRecord = (answer: unknown): EventRecord => understood(oneEvent, answer).event;
/** Reads the answer for one series. @throws MarketDataUnavailable */
export const readSeriesRecord = (answer: unknown): SeriesRecord => understood(oneSeries, answer).series;
/** Reads an answer with several markets; one that cannot be read is left out. @throws MarketDataUnavailable */
export const readNamedMarkets = (answer: unknown): readonly KalshiMarketRecord[] =>
  readable(marketRecord, understood(marketPage, answer).markets);
/** A page of events. */
export interface KalshiEventPage {
  readonly events: readonly EventRecord[];
  /** Their games; null where the answer has none, though they were asked for. */
  readonly milestones: readonly MilestoneRecord[] | null;
  readonly cursor: string;
}

/** Reads a page of events; one that cannot be read is left out. @throws MarketDataUnavailable */
export function readEventPage(answer: unknown): KalshiEventPage {
  const { events, milestones, cursor } = understood(eventPage, answer);
  const games = milestones === null ? null : readable(milestoneRecord, milestones);
  return { events: readable(eventRecord, events), milestones: games, cursor };
}
/** Reads the milestones that an answer has. @throws MarketDataUnavailable */
export const readMilestones = (answer: unknown): readonly MilestoneRecord[] =>
  readable(milestoneRecord, understood(milestonePage, answer).milestones);
/** The markets within an event; one that cannot be read is left out. */
export const marketsIn = ({ markets }: EventRecord): readonly KalshiMarketRecord[] => readable(marketRecord, markets);

function readable<T>(schema: v.GenericSchema<unknown, T>, rows: readonly unknown[]): readonly T[] {
  return rows.flatMap((row) => {
    const read = v.safeParse(schema, row);
    return read.success ? [read.output] : [];
  });
}

const bids = v.nullish(v.array(v.tuple([boundedText, boundedText])), []);
/** Bids for either outcome, each in its own prices, as REST writes them (`kalshi.md` 4.3). */
export const orderBookRecord = v.object({ orderbook_fp: v.object({ yes_dollars: bids, no_dollars: bids }) });

/** What one share pays, in the venue's words; null for a result that is not told. */
export function settlementOf({ result, settlement_value_dollars: value }: KalshiMarketRecord): Usdc | null {
  if (value !== null && (value < 0n || value > ONE)) return null;
  const paid = { yes: ONE, no: 0n }[result ?? ''];
  if (paid !== undefined) return value === null || value === paid ? (paid as Usdc) : null;
  return result === 'scalar' && value !== null ? (value as Usdc) : null;
}
