import * as v from 'valibot';
import { MarketNotFound } from '../../core/errors.js';
import type { MarketId } from '../../core/ids.js';
import { type BookView, seenFrom } from '../../core/market/book.js';
import type { Level } from '../../core/market/event.js';
import type { FeeSchedule } from '../../core/market/fee.js';
import { MARKET_KINDS } from '../../core/market/kind.js';
import { MARKET_STATUSES } from '../../core/market/lifecycle.js';
import { type Market, type MarketTerms, outcomeOf, type Token } from '../../core/market/market.js';
import type { MarketQuery } from '../../core/market/query.js';
import { formatMicro } from '../../core/money.js';
import type { MarketBook } from '../../core/usecases/read-markets.js';
import { marketId } from './order-wire.js';
import { decimalOut, momentOut, text } from './schema.js';

const TOKENS = ['YES', 'NO'] as const;
const KINDS = [...MARKET_KINDS, 'other'] as const;
const words = v.nullable(v.string());

/** The query of `GET /v1/exchange/markets`. */
export const marketFilters = {
  text: v.optional(text(1, 200)),
  sport: v.optional(text(1, 80)),
  league: v.optional(text(1, 80)),
  kind: v.optional(v.picklist(KINDS, `must be one of ${KINDS.join(', ')}`)),
  status: v.optional(v.picklist(MARKET_STATUSES, `must be one of ${MARKET_STATUSES.join(', ')}`)),
};

/** The query of `GET /v1/exchange/markets/{id}/book`. */
export const bookFilters = { token: v.optional(v.picklist(TOKENS, 'must be YES or NO'), 'YES') };

const feeOut = v.object({
  rate: decimalOut,
  exponent: v.number(),
  taker_only: v.boolean(),
  as_of: momentOut,
});

const termsOut = v.object({
  tick: decimalOut,
  min_shares: decimalOut,
  min_notional_usdc: decimalOut,
  fee: v.nullable(feeOut),
  neg_risk: v.boolean(),
  accepting_orders: v.boolean(),
  delay_seconds: v.number(),
  clears_book_at_start: v.boolean(),
});

/** A market as every route answers it; what came without metadata is null. */
export const marketOut = v.object({
  id: v.string(),
  venue_id: words,
  slug: words,
  condition_id: words,
  question: words,
  outcomes: v.nullable(v.array(v.object({ token: v.picklist(TOKENS), label: v.string(), token_id: v.string() }))),
  event: v.nullable(v.object({ id: v.string(), slug: words, title: words })),
  sport: words,
  league: words,
  kind: v.nullable(v.picklist(KINDS)),
  line: words,
  starts_at: v.nullable(momentOut),
  status: v.nullable(v.picklist(MARKET_STATUSES)),
  payout: v.nullable(v.object({ yes: decimalOut, no: decimalOut })),
  lot: decimalOut,
  terms: v.nullable(termsOut),
});

const levelsOut = v.array(v.object({ price: decimalOut, size: decimalOut }));

/** The book of one outcome, best level first. */
export const bookOut = v.object({
  market_id: v.string(),
  token: v.picklist(TOKENS),
  fresh: v.boolean(),
  at: momentOut,
  bids: levelsOut,
  asks: levelsOut,
});

/** The id that a path names. @throws MarketNotFound for what cannot be one */
export function marketIdOf(name: string): MarketId {
  const read = v.safeParse(marketId, name);
  if (!read.success) throw new MarketNotFound(name);
  return read.output;
}

/** What a query looks for. */
export function marketQueryOf(query: { readonly [Name in keyof MarketQuery]?: MarketQuery[Name] | undefined }) {
  const { text, sport, league, kind, status } = query;
  return {
    ...(text !== undefined && { text }),
    ...(sport !== undefined && { sport }),
    ...(league !== undefined && { league }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
  } satisfies MarketQuery;
}

/** The answer for a market; every member is always there. */
export function presentMarket(market: Market): v.InferInput<typeof marketOut> {
  const { id, slug, question, event, sport, league, kind, line, startsAt, status, payout, lot, terms } = market;
  return {
    ...{ id, venue_id: market.venueId, slug, condition_id: market.conditionId, question },
    outcomes: outcomesOf(market),
    event: event === null ? null : { id: event.id, slug: event.slug, title: event.title },
    ...{ sport, league, kind, line, starts_at: startsAt?.toISOString() ?? null, status },
    payout: payout === null ? null : { yes: formatMicro(payout[0]), no: formatMicro(payout[1]) },
    lot: formatMicro(lot),
    terms: terms === null ? null : presentTerms(terms),
  };
}

function outcomesOf(market: Market) {
  if (market.outcomes === null) return null;
  return TOKENS.flatMap((token) => {
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
  };
}

function presentFee({ rate, exponent, takerOnly, asOf }: FeeSchedule): v.InferInput<typeof feeOut> {
  return { rate: formatMicro(rate), exponent, taker_only: takerOnly, as_of: asOf.toISOString() };
}

/** The answer for a book, as holders of `token` see it. */
export function presentBook({ market, book }: MarketBook, token: Token): v.InferInput<typeof bookOut> {
  const { bids, asks, fresh, at }: BookView = seenFrom(token, book);
  const sides = { bids: bids.map(presentLevel), asks: asks.map(presentLevel) };
  return { market_id: market.id, token, fresh, at: at.toISOString(), ...sides };
}

const presentLevel = ({ price, shares }: Level) => ({ price: formatMicro(price), size: formatMicro(shares) });
