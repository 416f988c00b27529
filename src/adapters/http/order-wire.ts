import * as v from 'valibot';
import type { AccountId, MarketId, StrategyId } from '../../core/ids.js';
import { formatMicro, ONE, type Price, type Usdc } from '../../core/money.js';
import type { OrderDraft } from '../../core/order/draft.js';
import type { OrderEvent } from '../../core/order/event.js';
import { ORDER_STATUSES, statusOf } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import { amount, decimalOut, describe, flag, members, moment, momentOut, POSITIVE, uuid, uuidOut } from './schema.js';

const MARKET_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be ${words.join(' or ')}`);

/** A market's id as it may come in, in a body, a query or a path. */
export const marketId = describe(
  v.pipe(
    v.string('must be a string'),
    v.regex(MARKET_ID, 'must be 1 to 128 letters, digits and . _ : -'),
    v.transform((text) => text as MarketId),
  ),
  { type: 'string', minLength: 1, maxLength: 128, pattern: MARKET_ID.source, examples: ['epl-ars-che-2026-12-05'] },
);

const price = amount<Price>({
  holds: (micro) => micro > 0n && micro < ONE,
  words: 'greater than 0 and less than 1: it is the price of a share that pays 1',
  json: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
  example: 0.57,
  pattern: '^0{1,9}\\.(?=[0-9]*[1-9])[0-9]{1,6}$',
});

const size = amount<Usdc>({
  holds: (micro) => micro > 0n,
  words: 'greater than 0',
  json: { exclusiveMinimum: 0 },
  example: 20,
  pattern: POSITIVE,
});

const body = members({
  market_id: marketId,
  token: oneOf(['YES', 'NO']),
  price,
  size_usdc: size,
  side: v.optional(oneOf(['BUY', 'SELL']), 'BUY'),
  paper: v.optional(v.boolean(), true),
  strategy_id: v.optional(v.nullable(uuid), null),
  time_in_force: v.optional(oneOf(['GTC', 'GTD', 'FOK', 'FAK']), 'GTC'),
  expires_at: v.optional(v.nullable(moment), null),
  post_only: v.optional(v.boolean(), false),
});

/** The body of `POST /v1/exchange/orders`. */
export const placeOrderBody = v.pipe(
  body,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { time_in_force, expires_at, post_only } = dataset.value;
    const about = (key: 'expires_at' | 'post_only', message: string) => {
      const { value } = dataset;
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] });
    };
    if (time_in_force === 'GTD' && expires_at === null) about('expires_at', 'is required for GTD');
    if (time_in_force !== 'GTD' && expires_at !== null) about('expires_at', 'is for GTD alone');
    if (post_only && (time_in_force === 'FOK' || time_in_force === 'FAK')) about('post_only', 'needs GTC or GTD');
  }),
);

/** The query of `GET /v1/exchange/orders`. */
export const orderFilters = {
  status: v.optional(v.picklist(ORDER_STATUSES, `must be one of ${ORDER_STATUSES.join(', ')}`)),
  market_id: v.optional(marketId),
  strategy_id: v.optional(uuid),
  paper: v.optional(flag),
  placed_after: v.optional(moment),
  placed_before: v.optional(moment),
};

/** An order as every route answers it: first the 17 members that it has always had, then the rest. */
export const orderOut = v.object({
  id: uuidOut,
  market_id: v.string(),
  market_slug: v.nullable(v.string()),
  condition_id: v.nullable(v.string()),
  question_snapshot: v.nullable(v.string()),
  token: v.picklist(['YES', 'NO']),
  side: v.picklist(['BUY', 'SELL']),
  price: decimalOut,
  size_usdc: decimalOut,
  status: v.picklist(ORDER_STATUSES),
  paper: v.boolean(),
  clob_order_id: v.nullable(v.string()),
  filled_size_usdc: v.nullable(decimalOut),
  return_usdc: v.nullable(decimalOut),
  error: v.nullable(v.string()),
  placed_at: momentOut,
  settled_at: v.nullable(momentOut),
  strategy_id: v.nullable(uuidOut),
  strategy_version: v.nullable(v.number()),
  time_in_force: v.picklist(['GTC', 'GTD', 'FOK', 'FAK']),
  expires_at: v.nullable(momentOut),
  post_only: v.boolean(),
  outcome_label: v.nullable(v.string()),
  shares: decimalOut,
  filled_shares: decimalOut,
  fees_usdc: decimalOut,
  updated_at: momentOut,
});

/** One line of an order's history. */
export const orderEventOut = v.object({
  seq: v.number(),
  type: v.string(),
  at: momentOut,
  reason: v.nullable(v.string()),
  data: v.record(v.string(), v.nullable(v.union([v.string(), v.boolean()]))),
  hash: v.string(),
});

/** The draft that a body asks for. */
export function orderDraftOf(account: AccountId, body: v.InferOutput<typeof placeOrderBody>): OrderDraft {
  return {
    account,
    marketId: body.market_id,
    token: body.token,
    side: body.side,
    price: body.price,
    size: body.size_usdc,
    timeInForce: body.time_in_force,
    expiresAt: body.expires_at,
    postOnly: body.post_only,
    paper: body.paper,
    strategyId: body.strategy_id as StrategyId | null,
  };
}

/** The answer for an order; every member is always there. */
export function presentOrder(order: Order): v.InferInput<typeof orderOut> {
  const { intent, filled, refusal, settlement } = order;
  const { strategy, expiresAt } = intent;
  return {
    id: order.id,
    market_id: intent.marketId,
    market_slug: intent.marketSlug,
    condition_id: intent.conditionId,
    question_snapshot: intent.question,
    token: intent.token,
    side: intent.side,
    price: formatMicro(intent.price),
    size_usdc: formatMicro(intent.size),
    status: statusOf(order),
    paper: intent.paper,
    clob_order_id: order.venueOrderId,
    filled_size_usdc: order.venueOrderId === null ? null : formatMicro(filled.notional),
    return_usdc: settlement === null ? null : formatMicro(settlement.returned),
    error: refusal === null ? null : `${refusal.code}: ${refusal.message}`,
    placed_at: order.placedAt.toISOString(),
    settled_at: settlement?.at.toISOString() ?? null,
    strategy_id: strategy?.id ?? null,
    strategy_version: strategy?.version ?? null,
    time_in_force: intent.timeInForce,
    expires_at: expiresAt?.toISOString() ?? null,
    post_only: intent.postOnly,
    outcome_label: intent.outcomeLabel,
    shares: formatMicro(intent.shares),
    filled_shares: formatMicro(filled.shares),
    fees_usdc: formatMicro(filled.fees),
    updated_at: order.updatedAt.toISOString(),
  };
}

/** The answer for one event of an order. */
export function presentOrderEvent({ seq, at, change, hash }: OrderEvent): v.InferInput<typeof orderEventOut> {
  return { seq, type: change.type, at: at.toISOString(), reason: reasonOf(change), data: dataOf(change), hash };
}

function reasonOf(change: OrderEvent['change']): string | null {
  if ('refusal' in change) return `${change.refusal.code}: ${change.refusal.message}`;
  return 'reason' in change ? change.reason : null;
}

/** What the event adds to the order, in the words of the interface. */
function dataOf(change: OrderEvent['change']): Record<string, string | boolean | null> {
  switch (change.type) {
    case 'accepted':
      return { clob_order_id: change.venueOrderId, delayed: change.delayed };
    case 'fill': {
      const { tradeId, shares, price, notional, fee, liquidity, settlement, model } = change.fill;
      const money = {
        shares: formatMicro(shares),
        price: formatMicro(price),
        size_usdc: formatMicro(notional),
        fee_usdc: formatMicro(fee),
      };
      return { trade_id: tradeId, ...money, liquidity, settlement, fill_model: model };
    }
    case 'fill_confirmed':
    case 'fill_voided':
      return { trade_id: change.tradeId };
    case 'settled':
    case 'amended':
      return { return_usdc: formatMicro(change.returned) };
    default:
      return {};
  }
}
