import * as v from 'valibot';
import type { MarketId } from '../../core/ids.js';
import { type FeeRounding, type FeeSchedule, MOST_EXPONENT } from '../../core/market/fee.js';
import { isPayout, MARKET_STATUSES, type Payout } from '../../core/market/lifecycle.js';
import type { Market, MarketTerms, PriceBand } from '../../core/market/market.js';
import { MARKET_KINDS, NO_VENUE } from '../../core/market/market.js';
import { formatMicro, ONE, type Price } from '../../core/money.js';
import {
  id,
  millionths,
  momentField,
  nullableText,
  priceField,
  sharesField,
  usdcField,
  wholeField,
  words,
} from './fields.js';

/** A day: the longest delay of an order that a market can have. */
const MOST_DELAY_SECONDS = 86_400;

/** For tapes without this field: their venue requires two minutes. */
const USUAL_GTD_LEAD_MS = 120_000;

/** And it takes purchases of whole cents. */
const USUAL_QUOTE_STEP = '0.01';

const aboveNothing = v.pipe(
  usdcField,
  v.check((step) => step > 0n, 'must be above 0'),
);

const edge = v.pipe(
  millionths,
  v.check((from) => from < ONE, 'must be below 1'),
  v.transform((from) => from as Price),
);

/** A market's id on a tape. */
export const marketIdField = v.pipe(
  id,
  v.transform((text) => text as MarketId),
);

const outcome = v.pipe(
  v.strictObject({ label: words, token_id: id }),
  v.transform(({ label, token_id }) => ({ label, tokenId: token_id })),
);

const rounding = v.pipe(
  v.strictObject({
    step: millionths,
    to: v.picklist(['nearest', 'up']),
    each: v.picklist(['fill', 'order']),
    balance_step: v.optional(aboveNothing),
  }),
  v.check(
    ({ each, balance_step }) => balance_step === undefined || each === 'fill',
    'has a balance_step only for each fill',
  ),
  v.transform(
    ({ balance_step, ...known }): FeeRounding => ({
      ...known,
      ...(balance_step !== undefined && { balanceStep: balance_step }),
    }),
  ),
);

const fee = v.pipe(
  v.strictObject({
    rate: v.pipe(
      millionths,
      v.check((rate) => rate < ONE, 'must be below 1'),
    ),
    exponent: v.pipe(wholeField, v.maxValue(MOST_EXPONENT)),
    taker_only: v.boolean(),
    as_of: momentField,
    maker_rate: v.optional(millionths),
    rounding: v.optional(rounding),
  }),
  v.transform(
    ({ rate, exponent, taker_only, as_of, maker_rate, rounding }): FeeSchedule => ({
      rate,
      exponent,
      takerOnly: taker_only,
      asOf: as_of,
      ...(maker_rate !== undefined && { makerRate: maker_rate }),
      ...(rounding !== undefined && { rounding }),
    }),
  ),
);

/** Where steps of prices differ. */
export const bands = v.array(v.strictObject({ from: edge, step: priceField }));

const terms = v.pipe(
  v.strictObject({
    tick: priceField,
    min_shares: sharesField,
    min_notional: usdcField,
    fee: v.nullable(fee),
    neg_risk: v.boolean(),
    accepting_orders: v.boolean(),
    delay_seconds: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_DELAY_SECONDS)),
    clears_book_at_start: v.boolean(),
    gtd_lead_ms: v.optional(wholeField, USUAL_GTD_LEAD_MS),
    quote_step: v.optional(v.nullable(aboveNothing), USUAL_QUOTE_STEP),
    bands: v.optional(bands),
    nets_outcomes: v.optional(v.literal(true)),
    ends_orders_on_resume: v.optional(v.literal(true)),
  }),
  v.transform(
    (read): MarketTerms => ({
      tick: read.tick,
      minShares: read.min_shares,
      minNotional: read.min_notional,
      fee: read.fee,
      negRisk: read.neg_risk,
      acceptingOrders: read.accepting_orders,
      delaySeconds: read.delay_seconds,
      clearsBookAtStart: read.clears_book_at_start,
      gtdLeadMs: read.gtd_lead_ms,
      ...(read.quote_step !== null && { quoteStep: read.quote_step }),
      ...(read.bands !== undefined && { bands: read.bands }),
      ...(read.nets_outcomes === true && { netsOutcomes: true }),
      ...(read.ends_orders_on_resume === true && { endsOrdersOnResume: true }),
    }),
  ),
);

/** What a share of each outcome pays. */
export const payoutField = v.pipe(
  v.strictTuple([usdcField, usdcField]),
  v.check((both) => isPayout(both), 'must be two amounts from 0 to 1 that are 1 together'),
  v.transform(([yes, no]): Payout => [yes, no]),
);

/** The statuses of a market with a payout. */
const PAID: ReadonlySet<string | null> = new Set(['resolved', 'amended']);

/** Everything known of a market, as a tape holds it. */
export const marketLine = v.pipe(
  v.strictObject({
    id: marketIdField,
    venue_id: v.nullable(id),
    slug: nullableText,
    condition_id: v.nullable(id),
    question: nullableText,
    outcomes: v.nullable(v.strictTuple([outcome, outcome])),
    event: v.nullable(v.strictObject({ id, slug: nullableText, title: nullableText })),
    sport: nullableText,
    league: nullableText,
    kind: v.nullable(v.picklist([...MARKET_KINDS, 'other'])),
    line: nullableText,
    role: v.optional(v.nullable(v.picklist(['home', 'away', 'draw'])), null),
    exclusive_set: v.optional(v.nullable(id), null),
    starts_at: v.nullable(momentField),
    status: v.nullable(v.picklist(MARKET_STATUSES)),
    payout: v.nullable(payoutField),
    lot: v.pipe(
      sharesField,
      v.check((lot) => lot > 0n, 'must be above 0'),
    ),
    terms: v.nullable(terms),
  }),
  v.check(
    ({ id, condition_id }) => condition_id === null || condition_id === id,
    'id and condition_id must be the same',
  ),
  v.check(({ payout, status }) => payout === null || PAID.has(status), 'has a payout but a status without a result'),
  v.transform(({ venue_id, condition_id, exclusive_set, starts_at, ...rest }): Market => {
    return {
      ...rest,
      venue: NO_VENUE,
      exclusiveSet: exclusive_set,
      venueId: venue_id,
      conditionId: condition_id,
      startsAt: starts_at,
    };
  }),
);

/** The line of a market, ready for JSON. */
export function marketLineOf(market: Market): v.InferInput<typeof marketLine> {
  const { id, slug, question, sport, league, kind, line, status } = market;
  const [yes, no] = market.outcomes ?? [];
  return {
    id,
    venue_id: market.venueId,
    slug,
    condition_id: market.conditionId,
    question,
    outcomes: yes === undefined || no === undefined ? null : [outcomeOut(yes), outcomeOut(no)],
    event: market.event === null ? null : eventOut(market.event),
    sport,
    league,
    kind,
    line,
    ...(market.role !== null && { role: market.role }),
    ...(market.exclusiveSet !== null && { exclusive_set: market.exclusiveSet }),
    starts_at: market.startsAt?.toISOString() ?? null,
    status,
    payout: market.payout === null ? null : [formatMicro(market.payout[0]), formatMicro(market.payout[1])],
    lot: formatMicro(market.lot),
    terms: market.terms === null ? null : termsOut(market.terms),
  };
}

function outcomeOut({ label, tokenId }: { readonly label: string; readonly tokenId: string }) {
  return { label, token_id: tokenId };
}

function eventOut({ id, slug, title }: NonNullable<Market['event']>) {
  return { id, slug, title };
}

function termsOut(known: MarketTerms): v.InferInput<typeof terms> {
  return {
    tick: formatMicro(known.tick),
    min_shares: formatMicro(known.minShares),
    min_notional: formatMicro(known.minNotional),
    fee: known.fee === null ? null : feeOut(known.fee),
    neg_risk: known.negRisk,
    accepting_orders: known.acceptingOrders,
    delay_seconds: known.delaySeconds,
    clears_book_at_start: known.clearsBookAtStart,
    gtd_lead_ms: known.gtdLeadMs ?? 0,
    quote_step: known.quoteStep === undefined ? null : formatMicro(known.quoteStep),
    ...(known.bands !== undefined && { bands: known.bands.map(bandOut) }),
    ...(known.netsOutcomes === true && { nets_outcomes: true }),
    ...(known.endsOrdersOnResume === true && { ends_orders_on_resume: true }),
  };
}

/** One of them as a tape writes it. */
export const bandOut = ({ from, step }: PriceBand) => ({ from: formatMicro(from), step: formatMicro(step) });

function feeOut({ rate, exponent, takerOnly, asOf, makerRate, rounding }: FeeSchedule): v.InferInput<typeof fee> {
  return {
    rate: formatMicro(rate),
    exponent,
    taker_only: takerOnly,
    as_of: asOf.toISOString(),
    ...(makerRate !== undefined && { maker_rate: formatMicro(makerRate) }),
    ...(rounding !== undefined && { rounding: roundingOut(rounding) }),
  };
}

const roundingOut = ({ balanceStep, step, ...known }: FeeRounding) => ({
  step: formatMicro(step),
  ...known,
  ...(balanceStep !== undefined && { balance_step: formatMicro(balanceStep) }),
});
