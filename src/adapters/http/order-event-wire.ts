import * as v from 'valibot';
import { formatMicro } from '../../core/money.js';
import type { OrderEvent } from '../../core/order/event.js';
import { encodeChange } from '../../core/order/event.js';
import { means, momentOut, wholeOut } from './schema.js';

/** One line of an order's history. */
export const orderEventOut = v.object({
  seq: means(wholeOut, 'The number of the event within its order, from 1.', 1),
  type: means(v.string(), 'What happened.', 'fill'),
  at: means(momentOut, 'When it happened: on a tape, in the time of the tape.'),
  reason: means(v.nullable(v.string()), 'Why: for a refusal, its code, a colon and a sentence.'),
  data: means(
    v.record(v.string(), v.nullable(v.union([v.string(), v.boolean()]))),
    'What the event adds, such as `shares`, `price`, `size_usdc`, `fee_usdc` and `fill_model` of a fill.',
  ),
  hash: means(v.string(), 'SHA-256 of this event and the hash of the one before it.'),
});

/** An event of an order, with the change as it was hashed where that was asked for. */
export const orderEventWithChangeOut = v.object({
  ...orderEventOut.entries,
  change: v.optional(
    means(
      v.string(),
      'With `changes=true`: the change as it is hashed. `hash` is the SHA-256 of five lines: the hash before (empty for the first event), the id of the order, `seq`, `at`, and this.',
    ),
  ),
});

/** The answer for one event, with its change as it was hashed. */
export const presentWithChange = (event: OrderEvent): v.InferInput<typeof orderEventWithChangeOut> => ({
  ...presentOrderEvent(event),
  change: encodeChange(event.change),
});

/** The answer for one event of an order. */
export function presentOrderEvent({ seq, at, change, hash }: OrderEvent): v.InferInput<typeof orderEventOut> {
  return { seq, type: change.type, at: at.toISOString(), reason: reasonOf(change), data: dataOf(change), hash };
}

function reasonOf(change: OrderEvent['change']): string | null {
  if ('refusal' in change) return `${change.refusal.code}: ${change.refusal.message}`;
  return 'reason' in change ? change.reason : null;
}

/** What the event adds to the order, with the names of the API. */
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
