import * as v from 'valibot';
import { type Body, bodyOf } from '../../transport/body.js';
import type { Answered } from '../../transport/send-once.js';
import { type Complaint, complaintOf } from './answer.js';

/** The parts of an answer to POST /order that decide what it means. */
export interface PlaceReading {
  readonly status: number;
  readonly form: Body['form'];
  /** Whether the answer names our order, another one, or none. */
  readonly names: 'ours' | 'another' | 'none';
  readonly venueOrderId: string;
  /** Null when the answer does not say. */
  readonly success: boolean | null;
  readonly complaint: Complaint;
  readonly details: PlaceDetails;
  readonly answer: Answered;
}

/** The details of an acceptance; trades are the better source (`polymarket.md` 3.7). */
export interface PlaceDetails {
  /** In lower case: `live`, `matched`, `delayed`, `unmatched`, or an undocumented status; empty when missing. */
  readonly status: string;
  /**
   * The amount that the order gave, as the venue wrote it; empty when nothing matched at once. Read it with `amountLike`.
   */
  readonly making: string;
  /** The amount that the order got, likewise. */
  readonly taking: string;
  readonly tradeIds: readonly string[];
}

const text = v.nullish(v.pipe(v.string(), v.maxLength(4096)), '');
const MOST_TRADES = 1000;
const shape = v.object({
  success: v.nullish(v.boolean(), null),
  orderID: text,
  // An acceptance stays one, even with wrong details.
  status: v.fallback(text, ''),
  makingAmount: v.fallback(text, ''),
  takingAmount: v.fallback(text, ''),
  tradeIDs: v.fallback(v.nullish(v.pipe(v.array(v.string()), v.maxLength(MOST_TRADES)), []), []),
});

/** Reads an answer to POST /order; never throws. A body of another shape is unreadable. */
export function placeReading(answer: Answered, orderHash: string): PlaceReading {
  const { status } = answer;
  const body = bodyOf(answer);
  const read = body.form === 'json' ? v.safeParse(shape, body.value) : undefined;
  if (body.form !== 'json' || read?.success !== true) {
    return { ...NOTHING, status, form: body.form === 'page' ? 'page' : 'unreadable', answer };
  }
  const { success, orderID, status: word, makingAmount, takingAmount, tradeIDs } = read.output;
  return {
    status,
    form: 'json',
    names: orderID === '' ? 'none' : isSame(orderID, orderHash) ? 'ours' : 'another',
    venueOrderId: orderID,
    success,
    complaint: complaintOf(body.value),
    details: { status: word.toLowerCase(), making: makingAmount, taking: takingAmount, tradeIds: tradeIDs },
    answer,
  };
}

const NOTHING = {
  names: 'none',
  venueOrderId: '',
  success: null,
  complaint: { text: '', code: '', retryAfterSeconds: null },
  details: { status: '', making: '', taking: '', tradeIds: [] },
} as const;

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
