import * as v from 'valibot';
import { MarketUnusable } from '../../../core/errors.js';
import {
  understood,
  wireDecimal,
  wireFlag,
  wireMicro,
  wireMoment,
  wireSeconds,
  wireText,
  wireTexts,
} from '../../venue/wire-types.js';

const id = v.union([
  v.pipe(v.string(), v.regex(/^\d{1,18}$/)),
  v.pipe(v.number(), v.safeInteger(), v.transform(String)),
]);

const feeSchedule = v.object({ rate: wireMicro, exponent: v.nullish(v.number(), null), takerOnly: wireFlag });

const event = v.object({
  id,
  slug: wireText,
  title: wireText,
  live: wireFlag,
  ended: wireFlag,
  startTime: wireMoment,
  seriesSlug: wireText,
  series: v.nullish(v.array(v.object({ slug: wireText })), []),
});

const market = v.object({
  id,
  slug: wireText,
  conditionId: wireText,
  question: wireText,
  outcomes: wireTexts,
  outcomePrices: wireTexts,
  clobTokenIds: wireTexts,
  sportsMarketType: wireText,
  line: wireDecimal,
  gameStartTime: wireMoment,
  eventStartTime: wireMoment,
  closed: wireFlag,
  closedTime: wireMoment,
  acceptingOrders: wireFlag,
  acceptingOrdersTimestamp: wireMoment,
  enableOrderBook: wireFlag,
  orderPriceMinTickSize: wireMicro,
  orderMinSize: wireMicro,
  negRisk: wireFlag,
  secondsDelay: wireSeconds,
  clearBookOnStart: wireFlag,
  feesEnabled: wireFlag,
  feeSchedule: v.nullish(feeSchedule, null),
  umaResolutionStatus: wireText,
  umaResolutionStatuses: wireTexts,
  events: v.nullish(v.array(event), []),
});

const cursor = v.nullish(v.string(), null);
const listed = v.object({ markets: v.array(v.unknown()), next_cursor: cursor });
const found = v.object({
  events: v.nullish(v.array(v.looseObject({ markets: v.nullish(v.array(v.looseObject({})), []) })), []),
  pagination: v.nullish(v.object({ hasMore: wireFlag }), null),
});

/** A market as Gamma describes it (`polymarket.md` 6); a missing member is null. */
export type GammaMarket = v.InferOutput<typeof market>;

/** Records as received, and the cursor of those that follow. */
export interface GammaPage {
  readonly records: readonly unknown[];
  readonly next: string | null;
}

/** Reads one record. @throws MarketUnusable (`metadata_malformed`) */
export function readGammaMarket(value: unknown): GammaMarket {
  const result = v.safeParse(market, value);
  if (result.success) return result.output;
  const member = v.getDotPath(result.issues[0]) ?? 'it';
  throw new MarketUnusable('metadata_malformed', `The venue's metadata of this market cannot be read, at ${member}.`);
}

/** Reads an answer of `/markets/keyset`. @throws MarketDataUnavailable */
export function readMarketPage(value: unknown): GammaPage {
  const { markets, next_cursor } = understood(listed, value);
  return { records: markets, next: next_cursor === '' ? null : next_cursor };
}

/**
 * Reads an answer of `/public-search`: the markets of all its events, each with its event; `next` only says that there is
 * more.
 */
export function readSearchPage(value: unknown): GammaPage {
  const { events, pagination } = understood(found, value);
  const records = (events ?? []).flatMap(({ markets, ...rest }) =>
    (markets ?? []).map((one) => ({ ...one, events: [rest] })),
  );
  return { records, next: pagination?.hasMore === true ? 'more' : null };
}
