import * as v from 'valibot';
import { MarketUnusable } from '../../../core/errors.js';
import type { MarketId, VenueName } from '../../../core/ids.js';
import type { FeeRounding, FeeSchedule } from '../../../core/market/fee.js';
import { confirmedPayout, marketStatus, type ResolutionClaim } from '../../../core/market/lifecycle.js';
import {
  CENTI_SHARE,
  MARKET_ID,
  type Market,
  type MarketTerms,
  type OutcomeRole,
  type PriceGrid,
} from '../../../core/market/market.js';
import { NO_USDC, ONE, type Price, type Usdc } from '../../../core/money.js';
import { exactMicro } from '../../venue/decimals.js';
import { KALSHI } from '../venue-name.js';
import { KNOWN_SERIES, sportOfTags } from './known-series.js';
import {
  type EventRecord,
  type KalshiMarketRecord,
  type MilestoneRecord,
  marketRecord,
  type SeriesRecord,
  settlementOf,
} from './market-records.js';

/** All that the venue says of one market. */
export interface KalshiMarketRecords {
  readonly market: KalshiMarketRecord;
  readonly event: EventRecord;
  readonly series: SeriesRecord;
  /** The game; null where the venue has none for the event. */
  readonly milestone: MilestoneRecord | null;
  /** Whether its shard takes orders now. */
  readonly trades: boolean;
  readonly readAt: Date;
}

/** What is paid for a trade of a contract at 0.5, times four: the rates are of the venue's schedule, outside its interface (`kalshi.md` 3). */
const TAKER_RATE = 70_000n;
const MAKER_RATES: Readonly<Record<string, bigint>> = {
  quadratic: 0n,
  quadratic_with_maker_fees: 17_500n,
  quadratic_with_combo_maker_fees: 35_000n,
};
/** A fee up to the next millionth, and what brings the balance to the next ten thousandth of a dollar; overpaid steps come back. */
const ROUNDING: FeeRounding = { step: 1n, to: 'up', each: 'fill', balanceStep: 100n };
/** One authority decides: its final word is the result (`kalshi.md` 8.3). */
const SOURCES = 1;

/**
 * The market that these records describe. YES and NO are the venue's own; its subtitles are carried along and never decide, and that of NO is
 * not read, since on games it names the team of YES (`kalshi.md` 4.2).
 * @throws MarketUnusable for a market that is not of two outcomes
 */
export function listedMarket(records: KalshiMarketRecords, venue: VenueName, now: Date): Market {
  const { market, event, series, milestone, trades } = records;
  const { ticker, title, yes_sub_title: name } = market;
  if (market.market_type !== null && market.market_type !== 'binary') {
    throw new MarketUnusable('not_binary', 'The market does not have exactly two outcomes.');
  }
  if (!MARKET_ID.test(ticker)) throw new MarketUnusable('ticker_malformed', 'The name of the market cannot be used.');
  const known = KNOWN_SERIES.get(series.ticker);
  const claims = claimsOf(market);
  const startsAt = milestone?.start_date ?? null;
  const facts = {
    acceptingOrders: market.status === 'active' && trades,
    acceptsFrom: market.status === 'initialized' ? market.open_time : null,
    closed: market.status === 'closed' || (market.close_time !== null && market.close_time <= now),
    startsAt,
    live: false,
    claims,
    sources: SOURCES,
    amended: false,
  };
  return {
    venue,
    id: ticker as MarketId,
    venueId: null,
    slug: null,
    conditionId: null,
    question: questionOf(title, name),
    outcomes: [
      { label: name ?? 'Yes', tokenId: `${ticker}:YES` },
      { label: name === null ? 'No' : `Not ${name}`, tokenId: `${ticker}:NO` },
    ],
    event: { id: event.event_ticker, slug: null, title: event.title },
    sport: known?.sport ?? sportOfTags(series.tags),
    league: known?.league ?? competitionOf(records),
    kind: known?.kind ?? 'other',
    line: market.floor_strike,
    role: roleOf(records),
    exclusiveSet: event.mutually_exclusive === true ? event.event_ticker : null,
    startsAt,
    status: marketStatus(facts, now),
    payout: confirmedPayout(claims, SOURCES),
    lot: CENTI_SHARE,
    terms: termsOf(records, facts.acceptingOrders, now),
  };
}

/** On games every market has the title of the game: whose market it is stands beside it. */
function questionOf(title: string | null, name: string | null): string | null {
  if (title === null || name === null) return title ?? name;
  return title.includes(name) && !title.includes(' at ') ? title : `${title} (${name})`;
}

const competitionOf = ({ event, series }: KalshiMarketRecords): string | null =>
  (event.product_metadata?.competition ?? series.product_metadata?.competition ?? null)?.toLowerCase() ?? null;

/** The side whose market it is, by the ids that the venue gives teams, never by their names (`kalshi.md` 4.4). */
function roleOf({ market, milestone, series }: KalshiMarketRecords): OutcomeRole | null {
  if (KNOWN_SERIES.get(series.ticker)?.kind !== 'moneyline') return null;
  const own = Object.values(market.custom_strike ?? {});
  const { home_team_id: home, away_team_id: away } = milestone?.details ?? {};
  if (own.length !== 1 || home === away) return null;
  if (own[0] === home) return 'home';
  return own[0] === away ? 'away' : null;
}

/** What the venue says of the result: only `finalized` is its last word. A value that contradicts the result says nothing. */
function claimsOf(market: KalshiMarketRecord): readonly ResolutionClaim[] {
  const status = { determined: 'proposed', amended: 'proposed', disputed: 'disputed', finalized: 'final' } as const;
  const said = status[market.status as keyof typeof status];
  if (said === undefined) return [];
  const yes = settlementOf(market);
  return [{ source: KALSHI, status: said, payout: yes === null ? null : [yes, (ONE - yes) as Usdc] }];
}

/** Null without a grid of prices: no order can be placed, and a result is paid all the same. */
function termsOf(records: KalshiMarketRecords, acceptingOrders: boolean, now: Date): MarketTerms | null {
  const grid = gridOf(records.market);
  if (grid === null) return null;
  return {
    ...grid,
    minShares: CENTI_SHARE,
    minNotional: NO_USDC,
    fee: feeOf(records, now),
    negRisk: records.event.mutually_exclusive === true,
    acceptingOrders,
    delaySeconds: 0,
    clearsBookAtStart: false,
    netsOutcomes: true,
    ...(records.market.status === 'inactive' && { endsOrdersOnResume: true as const }),
  };
}

/** The market from when the venue deactivates it on: what rests stays until it is activated again, and is cancelled then (`kalshi.md` 8.1). */
export function deactivated(market: Market): Market {
  const { status, terms } = market;
  return {
    ...market,
    status: status === 'open' || status === 'in_play' ? 'suspended' : status,
    terms: terms && { ...terms, acceptingOrders: false, endsOrdersOnResume: true },
  };
}

/** Bands of prices, each with its step; whole cents are prices in every one of them. Null where the venue gives none that can be used. */
export function gridOf({ price_ranges: bands }: Pick<KalshiMarketRecord, 'price_ranges'>): PriceGrid | null {
  const sorted = bands.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const [first] = sorted;
  if (first === undefined || first.from !== 0n || sorted.some(({ step }) => step <= 0n)) return null;
  const tick = sorted.reduce((most: Price, { step }) => (step > most ? step : most), first.step);
  return sorted.length === 1 ? { tick } : { tick, bands: sorted };
}

/** The fee of an event goes before that of its series, and a waiver of the market before both; an unknown kind is not guessed. */
function feeOf({ market, event, series, readAt }: KalshiMarketRecords, now: Date): FeeSchedule | null {
  const waived = market.fee_waiver_expiration_time;
  const multiplier = millionths(event.fee_multiplier_override ?? series.fee_multiplier);
  const makerRate = MAKER_RATES[event.fee_type_override ?? series.fee_type ?? ''];
  if (multiplier === null || makerRate === undefined) return null;
  const share = waived !== null && waived > now ? 0n : multiplier;
  return {
    rate: (TAKER_RATE * share) / ONE,
    exponent: 1,
    takerOnly: makerRate === 0n,
    makerRate: (makerRate * share) / ONE,
    rounding: ROUNDING,
    asOf: readAt,
  };
}

function millionths(text: string | null): bigint | null {
  return text !== null && /^\d{1,3}(\.\d{1,6})?$/.test(text) ? exactMicro(text) : null;
}

/** The price grid that an announcement of the venue has; null where it has none. */
export function gridIn(msg: unknown): PriceGrid | null {
  const read = v.safeParse(announcedGrid, msg);
  return read.success ? gridOf(read.output) : null;
}

const announcedGrid = v.pick(marketRecord, ['price_ranges']);
