import * as v from 'valibot';
import { bodyOf } from '../../transport/body.js';
import { type NoAnswer, noAnswer } from '../../transport/result.js';
import { retryAfterMs } from '../../transport/retry-after.js';
import { cleaned } from '../../transport/said-text.js';
import type { Delivery } from '../../transport/send-once.js';
import { boundedText } from '../../venue/wire-types.js';
import { complaintOf, resultOf } from './answer.js';

const MOST_IDS = 100_000;
const shape = v.object({
  canceled: v.nullish(v.pipe(v.array(boundedText), v.maxLength(MOST_IDS)), []),
  not_canceled: v.nullish(v.record(v.string(), boundedText), {}),
});

/** The venue's answer to a cancel request; ids are in lower case. */
export interface CancelAnswer {
  readonly kind: 'ok';
  readonly cancelled: ReadonlySet<string>;
  /** Why each of these was not cancelled; not all reasons mean that the order has ended. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Without an answer it is not known whether anything was cancelled; the request may be repeated after `waitMs`, at once when
 * null.
 */
export type CancelOutcome = CancelAnswer | (NoAnswer & { readonly waitMs: number | null });

/** Reads an answer to any cancel request. An order in neither list was not mentioned: assume nothing of it. */
export function cancelOutcome(delivery: Delivery): CancelOutcome {
  const result = resultOf(shape, delivery);
  if (result.kind === 'no_answer') return { ...result, waitMs: waitAfter(delivery) };
  const { canceled, not_canceled } = result.value;
  const refused = Object.entries(not_canceled).map(([id, reason]): [string, string] => [
    id.toLowerCase(),
    cleaned(reason),
  ]);
  const cancelled = new Set(canceled.map((id) => id.toLowerCase()));
  const both = refused.some(([id]) => cancelled.has(id));
  if (both) return { ...noAnswer('contradiction', 200), waitMs: null };
  return { kind: 'ok', cancelled, refused: new Map(refused) };
}

function waitAfter(delivery: Delivery): number | null {
  if (delivery.kind === 'not_sent') return delivery.waitMs;
  if (delivery.kind === 'silence') return null;
  const body = bodyOf(delivery);
  return retryAfterMs(delivery, body.form === 'json' ? complaintOf(body.value).retryAfterSeconds : null);
}

/** True for the reasons for not cancelling that mean that there is nothing left to cancel (`polymarket.md` 2.4). */
export const isOver = (reason = ''): boolean => /not found|already (canceled|matched)/i.test(reason);
/** True for the one among them that leaves open whether the venue ever received the order. */
export const isUnknownOrder = (reason = ''): boolean => /not found/i.test(reason);
/** The venue received the order and has ended it; its trades show what was filled. */
export const wasCancelled = (reason = ''): boolean => /already canceled/i.test(reason) && !isUnknownOrder(reason);
