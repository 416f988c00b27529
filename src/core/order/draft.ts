import type { Exchange } from '../../ports/exchange.js';
import type { AccountId, MarketId, StrategyId, VenueName } from '../ids.js';
import { type Market, type OutcomeSide, outcomeOf } from '../market/market.js';
import type { Side } from '../market/side.js';
import { NO_USDC, type Price, sharesFor, type Usdc } from '../money.js';
import type { Strategy } from '../strategy/strategy.js';
import { type Envelope, type Intent, quoteAmount } from './intent.js';
import type { Refusal } from './order.js';

/** How long an order rests: what one kind of order requires, another must not have. */
export type OrderTerms =
  | { readonly timeInForce: 'GTC'; readonly expiresAt: null; readonly postOnly: boolean }
  | { readonly timeInForce: 'GTD'; readonly expiresAt: Date; readonly postOnly: boolean }
  | { readonly timeInForce: 'FOK' | 'FAK'; readonly expiresAt: null; readonly postOnly: false };

/** A client's request to place an order, with every default filled in. */
export type OrderDraft = OrderTerms & {
  readonly account: AccountId;
  /** Null is the default venue. */
  readonly venue: VenueName | null;
  readonly marketId: MarketId;
  readonly outcome: OutcomeSide;
  readonly side: Side;
  readonly price: Price;
  readonly size: Usdc;
  readonly paper: boolean;
  readonly strategyId: StrategyId | null;
};

/**
 * What a client asked for, as repeated idempotency keys are compared by it. The names are those of keys on record; a request
 * that names no venue stays the same request when the default changes.
 */
export function requestOf({ venue, outcome: token, ...rest }: OrderDraft): object {
  return venue === null ? { token, ...rest } : { venue, token, ...rest };
}

/** The intent of a draft: its shares in whole lots, its market as the venue knows it, its strategy's version. */
export function intentOf(
  draft: OrderDraft,
  market: Market,
  strategy: Strategy | null,
  envelope: Envelope | null = null,
): Intent {
  const { outcome, side, price, size, timeInForce, expiresAt, postOnly, paper } = draft;
  return {
    marketId: market.id,
    marketSlug: market.slug,
    conditionId: market.conditionId,
    question: market.question,
    outcomeLabel: outcomeOf(market, outcome)?.label ?? null,
    outcome,
    side,
    price,
    size,
    shares: sharesFor(size, price, market.lot),
    timeInForce,
    expiresAt,
    postOnly,
    paper,
    feeSchedule: market.terms?.fee ?? null,
    strategy: strategy === null ? null : { id: strategy.id, version: strategy.version },
    envelope,
    spends: null,
    arrivesAt: null,
    venue: market.venue,
    ...(!paper && market.sport !== null && { sport: market.sport }),
  };
}

/**
 * The intent as it is sent at this moment. To a venue: with the envelope that it wants signed, or why its terms cannot
 * express the order. To an exchange in this process: with the dollars it spends, and the moment at which it reaches the book.
 */
export function withEnvelope(
  bare: Intent,
  market: Market,
  exchange: Pick<Exchange, 'local' | 'signing'> | null,
  at: Date,
): { readonly intent: Intent; readonly inexpressible: Refusal | null } {
  const local = exchange?.local ?? null;
  if (local !== null) return { intent: enteredHere(bare, market, local.arrival(at)), inexpressible: null };
  const envelope = exchange?.signing?.envelope(bare, market);
  if (envelope === undefined) return { intent: bare, inexpressible: null };
  if ('code' in envelope) return { intent: bare, inexpressible: envelope };
  return { intent: { ...bare, envelope }, inexpressible: null };
}

/** Without a book an order fills at its limit, where dollars and shares are the same. */
function enteredHere(bare: Intent, { terms }: Market, arrivesAt: Date | null): Intent {
  const spends = terms === null ? null : quoteAmount(bare, terms);
  return { ...bare, spends: spends === NO_USDC ? null : spends, arrivesAt };
}
