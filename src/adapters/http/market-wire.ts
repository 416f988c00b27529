import * as v from 'valibot';
import { MarketNotFound } from '../../core/errors.js';
import type { MarketId } from '../../core/ids.js';
import { type BookView, bestPrices, mirrored, seenFrom } from '../../core/market/book.js';
import type { Level } from '../../core/market/event.js';
import { type FeeRounding, type FeeSchedule, rateOf } from '../../core/market/fee.js';
import { MARKET_STATUSES, type Payout } from '../../core/market/lifecycle.js';
import type { MarketQuery } from '../../core/market/market.js';
import { MARKET_KINDS, type Market, type MarketTerms, type OutcomeSide, outcomeOf } from '../../core/market/market.js';
import type { MinutePrices } from '../../core/market/minute-prices.js';
import { isoText } from '../../core/moment.js';
import { formatMicro, minus, type Price } from '../../core/money.js';
import type { MarketBook } from '../../core/usecases/markets/read-markets.js';
import { marketIdIn, venueFilter } from './market-names.js';
import { booleanText, decimalOut, means, momentOut, momentText, textOfLength, wholeOut } from './schema.js';
import { warningOut } from './warning-wire.js';

const OUTCOME_SIDES = ['YES', 'NO'] as const;
const KINDS = [...MARKET_KINDS, 'other'] as const;
const words = v.nullable(v.string());
/** The meaning of members that occur in queries and in answers. */
const ABOUT = {
  kind: 'Who wins (`moneyline`), by how much (`spread`), how many there are (`total`), or something else.',
  status:
    '`open` before the start, `in_play` after it; `resolving` and `disputed` while the result is not final; `resolved` once it is final, `amended` when the result was changed.',
};

/** How many markets a page with prices has at most: each may cost a request to the venue. */
export const MOST_PRICED = 25;

/** The query of `GET /v1/exchange/markets`. */
export const marketFilters = {
  ...venueFilter,
  text: v.optional(
    means(textOfLength(1, 200), 'Words of the question, the event, the slug or the outcomes, in any case.'),
  ),
  sport: v.optional(means(textOfLength(1, 80), 'The sport, in any case.')),
  league: v.optional(means(textOfLength(1, 80), 'The league, in any case.')),
  kind: v.optional(means(v.picklist(KINDS, `must be one of ${KINDS.join(', ')}`), ABOUT.kind)),
  status: v.optional(means(v.picklist(MARKET_STATUSES, `must be one of ${MARKET_STATUSES.join(', ')}`), ABOUT.status)),
  starts_after: v.optional(means(momentText, 'Only markets with this `starts_at`, or a later one.')),
  starts_before: v.optional(means(momentText, 'Only markets with an earlier `starts_at`.')),
  prices: v.optional(
    means(booleanText, `True: each market has its \`prices\`. Such a page has at most ${MOST_PRICED} markets.`),
  ),
};

/** The query of `GET /v1/exchange/markets/{id}/book`. */
export const bookFilters = {
  ...venueFilter,
  token: v.optional(means(v.picklist(OUTCOME_SIDES, 'must be YES or NO'), 'The outcome whose book it is.'), 'YES'),
};

const feeOut = v.object({
  rate: means(decimalOut, 'The fee is shares × rate × (price × (1 − price))^exponent, in USDC.', '0.05'),
  exponent: means(v.number(), 'The exponent of that formula.', 1),
  taker_only: means(v.boolean(), 'True where resting orders pay nothing.'),
  as_of: means(momentOut, 'When it was read, or from when it holds.'),
  maker_rate: means(decimalOut, 'The rate for resting orders.', '0'),
  rounding: v.optional(
    means(
      v.object({
        step: means(decimalOut, 'The step to which a fee is rounded, in USDC.', '0.0001'),
        to: means(v.picklist(['nearest', 'up']), 'To the nearest step, or up to the next.'),
        each: means(v.picklist(['fill', 'order']), 'Once for each fill, or for all fills of an order.'),
        balance_step: v.optional(
          means(decimalOut, 'Each fill also pays what brings the change of the balance down to such a step.', '0.01'),
        ),
      }),
      'Where fees are rounded otherwise than to the nearest 0.00001 USDC of an order.',
    ),
  ),
});

const termsOut = v.object({
  tick: means(decimalOut, 'Prices are multiples of it, from one tick to one tick below 1. It may change.', '0.01'),
  min_shares: means(decimalOut, 'The minimum shares of an order.', '5'),
  min_notional_usdc: means(decimalOut, 'The minimum of a BUY that would match at once, in USDC.', '1'),
  fee: means(v.nullable(feeOut), 'What it charges; null where the venue does not report it: orders are denied then.'),
  neg_risk: means(v.boolean(), 'True for one of several markets of which exactly one resolves YES.'),
  accepting_orders: means(v.boolean(), 'False while the market takes no orders.'),
  delay_seconds: means(v.number(), 'How long an order that would match at once is held before it matches.', 3),
  clears_book_at_start: means(v.boolean(), 'True where every resting order is cancelled when the game starts.'),
  gtd_lead_ms: means(wholeOut, 'How long after its arrival a GTD order must end, at least, in milliseconds.', 120_000),
  quote_step_usdc: means(
    v.nullable(decimalOut),
    'A FOK or FAK BUY spends its dollars, in steps of this; null where shares bound every order.',
    '0.01',
  ),
  bands: means(
    v.nullable(
      v.array(
        v.object({
          from: means(decimalOut, 'The first price of the band.', '0.9'),
          step: means(decimalOut, 'The step of prices from there on.', '0.001'),
        }),
      ),
    ),
    'Where steps differ by price; null where `tick` is the step everywhere.',
  ),
  nets_outcomes: v.optional(
    means(
      v.boolean(),
      'True where the venue keeps one net position of the market: an account holds one outcome at a time. Absent elsewhere.',
    ),
  ),
});

const outcomeOut = v.object({
  token: means(v.picklist(OUTCOME_SIDES), 'The outcome as orders name it.'),
  label: means(v.string(), 'Its readable name.', 'Arsenal'),
  token_id: means(v.string(), 'The id of its shares at the venue.'),
});

const eventOut = v.object({
  id: means(v.string(), 'Its number at the venue.'),
  slug: means(words, 'Its readable name at the venue.'),
  title: means(words, 'Its title.'),
});

/** What a share of each outcome pays, in USDC. */
export const payoutOut = v.object({
  yes: means(decimalOut, 'For a share of the first outcome.', '1'),
  no: means(decimalOut, 'For a share of the second outcome.', '0'),
});

/** A market as every route returns it; missing metadata is null. */
export const marketOut = v.object({
  id: means(v.string(), 'Its id at the venue: the `market_id` of orders and positions.'),
  venue_id: means(words, 'The number of the market at the venue.'),
  slug: means(words, 'Its readable name at the venue.'),
  condition_id: means(words, 'The condition id in the contracts, the same as `id`; null where the venue has none.'),
  question: means(words, 'What the market asks.'),
  outcomes: means(
    v.nullable(v.array(outcomeOut)),
    'First YES, then NO; `token_id` is the id of the shares at the venue.',
  ),
  event: means(v.nullable(eventOut), 'The page that groups markets, such as one game.'),
  sport: means(words, 'The sport.', 'soccer'),
  league: means(words, 'The league.', 'epl'),
  kind: means(v.nullable(v.picklist(KINDS)), ABOUT.kind),
  line: means(words, 'The handicap or total that the question is about.', '2.5'),
  starts_at: means(v.nullable(momentOut), 'When the game starts.'),
  status: means(v.nullable(v.picklist(MARKET_STATUSES)), ABOUT.status),
  payout: means(
    v.nullable(payoutOut),
    'What one share pays, in USDC; both together are 1. Null until the result is confirmed.',
  ),
  lot: means(decimalOut, 'The smallest step of the shares of an order.', '0.01'),
  terms: means(v.nullable(termsOut), 'The rules of the venue for orders.'),
  venue: means(v.string(), 'Where the market trades.', 'polymarket'),
  outcome_role: means(
    v.nullable(v.picklist(['home', 'away', 'draw'])),
    'What the first outcome stands for in its game; null where that is not certain.',
  ),
  exclusive_set: means(
    words,
    'The group of markets in which exactly one resolves YES, such as home, draw and away of one game.',
  ),
});

const quoteOut = v.object({
  token: means(v.picklist(OUTCOME_SIDES), 'The outcome.'),
  bid: means(v.nullable(decimalOut), 'The best price at which it could be sold, in USDC; null without one.', '0.56'),
  ask: means(v.nullable(decimalOut), 'The best price at which it could be bought, in USDC; null without one.', '0.57'),
});

const pricesOut = v.object({
  fresh: means(v.boolean(), 'False after a gap in the data of the venue: nothing fills at these prices then.'),
  at: means(momentOut, 'When their newest part was received.'),
  outcomes: means(v.array(quoteOut), 'First YES, then NO.'),
  spread: means(v.nullable(decimalOut), 'The ask less the bid, the same for both outcomes; null without both.', '0.01'),
});

/** A market of a list. */
export const listedMarketOut = v.object({
  ...marketOut.entries,
  prices: means(
    v.nullable(pricesOut),
    'Its best prices; null where they were not asked for, the market trades no more, or its book cannot be read now.',
  ),
});

/** One page of markets, with warnings about it. */
export const marketListOut = v.object({
  data: v.array(listedMarketOut),
  next_cursor: v.nullable(v.string()),
  warnings: means(v.array(warningOut), 'Why markets may be missing, and what to do about it.'),
});

/** The levels of one side of a book. */
export const levelsOut = v.array(
  v.object({
    price: means(decimalOut, 'In USDC a share.', '0.57'),
    size: means(decimalOut, 'Total shares at this price.', '120'),
  }),
);

/** The book of one outcome, best level first. */
export const bookOut = v.object({
  market_id: means(v.string(), 'The id of the market at its venue.'),
  token: means(v.picklist(OUTCOME_SIDES), 'The outcome whose book it is.'),
  fresh: means(v.boolean(), 'False after a gap in the data of the venue: nothing fills against the book then.'),
  at: means(momentOut, 'When its newest part was received.'),
  now: means(momentOut, 'When it was read, in the time of the market: on a tape, that of the tape.'),
  bids: means(levelsOut, 'Buy levels, highest price first.'),
  asks: means(levelsOut, 'Sell levels, lowest price first.'),
});

/** The query of the history of a market. */
export const historyFilters = {
  ...bookFilters,
  from: v.optional(means(momentText, 'Only minutes that ended at that moment or later.')),
  to: v.optional(means(momentText, 'Only minutes that ended before that moment.')),
};

/** The best prices of one outcome at the end of a minute. */
export const minuteOut = v.object({
  at: means(momentOut, 'The end of the minute, in the time of the market: on a tape, that of the tape.'),
  bid: means(v.nullable(decimalOut), 'The best price at which it could be sold; null without one.', '0.56'),
  ask: means(v.nullable(decimalOut), 'The best price at which it could be bought; null without one.', '0.57'),
});

/** The answer for a minute, as holders of `outcome` see it. */
export function presentMinute({ at, bid, ask }: MinutePrices, outcome: OutcomeSide): v.InferInput<typeof minuteOut> {
  const [own, other] = outcome === 'YES' ? [bid, ask] : [ask && mirrored(ask), bid && mirrored(bid)];
  const written = (price: Price | null) => (price === null ? null : formatMicro(price));
  return { at: isoText(at), bid: written(own), ask: written(other) };
}

/** The id that a path names. @throws MarketNotFound for what cannot be one */
export function marketIdOf(name: string): MarketId {
  const read = v.safeParse(marketIdIn, name);
  if (!read.success) throw new MarketNotFound(name);
  return read.output;
}

/** The market query of an HTTP query. */
export function marketQueryOf(
  query: { readonly [Name in 'text' | 'sport' | 'league' | 'kind' | 'status']?: MarketQuery[Name] | undefined } & {
    readonly starts_after?: Date | undefined;
    readonly starts_before?: Date | undefined;
  },
) {
  const { text, sport, league, kind, status, starts_after, starts_before } = query;
  return {
    ...(text !== undefined && { text }),
    ...(sport !== undefined && { sport }),
    ...(league !== undefined && { league }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(starts_after !== undefined && { startsAfter: starts_after }),
    ...(starts_before !== undefined && { startsBefore: starts_before }),
  } satisfies MarketQuery;
}

/** The answer for a market of a list; `book` is null where its prices are not known, or were not asked for. */
export function presentListed(market: Market, book: BookView | null): v.InferInput<typeof listedMarketOut> {
  return { ...presentMarket(market), prices: book === null ? null : presentPrices(book) };
}

function presentPrices(book: BookView): v.InferInput<typeof pricesOut> {
  const outcomes = OUTCOME_SIDES.map((token) => {
    const { bid, ask } = bestPrices(token, book);
    return {
      token,
      bid: bid === undefined ? null : formatMicro(bid),
      ask: ask === undefined ? null : formatMicro(ask),
    };
  });
  const { bid, ask } = bestPrices('YES', book);
  const spread = bid === undefined || ask === undefined ? null : formatMicro(minus(ask, bid));
  return { fresh: book.fresh, at: book.at.toISOString(), outcomes, spread };
}

/** The answer for a market; every member is always present. */
export function presentMarket(market: Market): v.InferInput<typeof marketOut> {
  const { id, slug, question, event, sport, league, kind, line, startsAt, status, payout, lot, terms } = market;
  return {
    id,
    venue_id: market.venueId,
    slug,
    condition_id: market.conditionId,
    question,
    outcomes: outcomesOf(market),
    event: event === null ? null : { id: event.id, slug: event.slug, title: event.title },
    sport,
    league,
    kind,
    line,
    starts_at: startsAt?.toISOString() ?? null,
    status,
    payout: payout === null ? null : presentPayout(payout),
    lot: formatMicro(lot),
    terms: terms === null ? null : presentTerms(terms),
    venue: market.venue,
    outcome_role: market.role,
    exclusive_set: market.exclusiveSet,
  };
}

/** What a result pays. */
export const presentPayout = ([yes, no]: Payout): v.InferInput<typeof payoutOut> => ({
  yes: formatMicro(yes),
  no: formatMicro(no),
});

function outcomesOf(market: Market) {
  if (market.outcomes === null) return null;
  return OUTCOME_SIDES.flatMap((token) => {
    const outcome = outcomeOf(market, token);
    return outcome === null ? [] : [{ token, label: outcome.label, token_id: outcome.tokenId }];
  });
}

function presentTerms(terms: MarketTerms): v.InferInput<typeof termsOut> {
  return {
    tick: formatMicro(terms.tick),
    min_shares: formatMicro(terms.minShares),
    min_notional_usdc: formatMicro(terms.minNotional),
    fee: terms.fee === null ? null : presentFee(terms.fee),
    neg_risk: terms.negRisk,
    accepting_orders: terms.acceptingOrders,
    delay_seconds: terms.delaySeconds,
    clears_book_at_start: terms.clearsBookAtStart,
    gtd_lead_ms: terms.gtdLeadMs ?? 0,
    quote_step_usdc: terms.quoteStep === undefined ? null : formatMicro(terms.quoteStep),
    bands: terms.bands?.map(({ from, step }) => ({ from: formatMicro(from), step: formatMicro(step) })) ?? null,
    ...(terms.netsOutcomes === true && { nets_outcomes: true }),
  };
}

function presentFee(schedule: FeeSchedule): v.InferInput<typeof feeOut> {
  const { rate, exponent, takerOnly, asOf, rounding } = schedule;
  const makerRate = formatMicro(rateOf(schedule, 'MAKER'));
  const known = { rate: formatMicro(rate), exponent, taker_only: takerOnly, as_of: asOf.toISOString() };
  return { ...known, maker_rate: makerRate, ...(rounding !== undefined && { rounding: presentRounding(rounding) }) };
}

const presentRounding = ({ step, to, each, balanceStep }: FeeRounding) => ({
  step: formatMicro(step),
  to,
  each,
  ...(balanceStep !== undefined && { balance_step: formatMicro(balanceStep) }),
});

/** The answer for a book, as holders of `token` see it. */
export function presentBook({ market, book, now }: MarketBook, outcome: OutcomeSide): v.InferInput<typeof bookOut> {
  const { bids, asks, fresh, at }: BookView = seenFrom(outcome, book);
  const sides = { bids: bids.map(presentLevel), asks: asks.map(presentLevel) };
  return { market_id: market.id, token: outcome, fresh, at: at.toISOString(), now: now.toISOString(), ...sides };
}

/** A level of a book. */
export const presentLevel = ({ price, shares }: Level) => ({ price: formatMicro(price), size: formatMicro(shares) });
