import * as v from 'valibot';
import { type Body, bodyOf } from '../../transport/body.js';
import { retryAfterMs } from '../../transport/retry-after.js';
import { cleaned } from '../../transport/said-text.js';
import type { Answered, Delivery, NotSent } from '../../transport/send-once.js';
import { type Complaint, complaintOf } from './answer.js';
import { PLACE_SENTENCES, type PlaceCode } from './place-sentences.js';

/** The reason, as a stable code and its sentence; `said` is the venue's own text, cleaned. */
interface Reasoned {
  readonly code: PlaceCode;
  readonly message: string;
  readonly said: string;
  /** True when no further order should be sent for the account before a person has checked. */
  readonly halt: boolean;
}

/**
 * The outcome of one request to place an order. It covers this request only: a `rejected` or `not_processed` after an
 * earlier copy of the same order was sent proves nothing about that copy (`reliability.md` 3.3).
 */
export type PlaceOutcome =
  | ({ readonly kind: 'accepted'; readonly venueOrderId: string } & PlaceDetails)
  /** Proof that this request put no order on the book. `retry` allows the same bytes once more, with new headers. */
  | ({ readonly kind: 'rejected'; readonly retry: 'same_bytes_fresh_clock' | null } & Reasoned)
  /** Proof that an earlier copy arrived, but not of its outcome: look it up. */
  | { readonly kind: 'duplicate' }
  /** The venue did not process it. The same bytes may be resent after `waitMs`; null when it did not say. */
  | ({ readonly kind: 'not_processed'; readonly waitMs: number | null } & Reasoned)
  /** The venue accepted an order under an id that is not our hash: it reads something else than what we sign. Halt. */
  | { readonly kind: 'identity_mismatch'; readonly venueOrderId: string }
  | NotSent
  /** No proof either way. `status` is null when no complete answer came, and then `said` says how the call ended. */
  | ({ readonly kind: 'unknown'; readonly status: number | null } & Reasoned);

type Verdict = (reading: PlaceReading) => PlaceOutcome;

/** The conditions of a row; the complaint must hold one of the texts in `says`, in lower case. */
interface Condition {
  readonly form?: PlaceReading['form'];
  readonly names?: PlaceReading['names'];
  readonly success?: boolean;
  readonly says?: readonly string[];
}

/** One row of the table: the first whose conditions all hold decides. */
export interface PlaceRow extends Condition {
  /** Sections of `polymarket.md` and, after R, rows of `reliability.md` 2.B. */
  readonly cites: string;
  readonly status: readonly number[];
  readonly verdict: Verdict;
}

const OK = [200];
/** Refusals come as 400, and as 200 with a message and no order id (R24). */
const REFUSED = [200, 400];

/** The complaint holds one of these texts, and the answer names no order. */
const says = (...texts: string[]): Condition => ({ names: 'none', says: texts });
/** The venue complains of something, and names no order. */
const ANYTHING = says('');

/** Every answer of POST /order; an answer that no row covers is unknown (R22, R23, R36, R37, R42). */
export const PLACE_ROWS: readonly PlaceRow[] = [
  // Answers that name an order.
  row('3.7; R25', OK, { names: 'another' }, mismatch),
  row('3.7; R26', OK, { names: 'ours', success: false }, unclear('contradiction')),
  row('3.2, 3.7; R47', OK, { names: 'ours' }, accepted),
  // Texts that do not prove a refusal, with any status.
  row('2.4, 8 H2; R28', REFUSED, says('duplicated'), duplicate),
  row('2.4; R36', REFUSED, says('context canceled', 'context deadline exceeded'), unclear('interrupted')),
  row(
    '2.4, 3.2; R47',
    REFUSED,
    says('match delayed', 'order delayed', 'delaying the order'),
    unclear('delayed_without_id'),
  ),
  // Protocol and account: further orders would fare no better.
  row(
    '2.4, 8 H14; R29',
    REFUSED,
    says('order_version_mismatch', 'invalid order version'),
    halted('order_version_mismatch'),
  ),
  row(
    '2.4, 8 H11; R27',
    REFUSED,
    says('the order owner has to', 'the order signer address has to'),
    halted('key_not_of_signer'),
  ),
  row('1, 2.4; R27', REFUSED, says('maker address not allowed'), halted('wallet_type_refused')),
  row('2.4; R31', REFUSED, says('address banned'), halted('address_banned')),
  row('2.4; R31', REFUSED, says('closed only mode'), halted('closed_only')),
  // Funds, and the market's terms.
  row('2.4, 8 H5; R27', REFUSED, says('not enough balance'), rejected('insufficient_funds')),
  row('2.4, 8 H15; R27', REFUSED, says('breaks minimum tick size rule'), rejected('invalid_tick')),
  row('2.4, 3.4; R27', REFUSED, says('marketable buy order'), rejected('notional_below_minimum')),
  row('2.4; R27', REFUSED, says('lower than the minimum', 'min size'), rejected('size_below_minimum')),
  row('2.4, 3.4; R27', REFUSED, says('invalid amounts'), rejected('amount_precision')),
  row('2.4; R27', REFUSED, says('invalid post-only order'), rejected('post_only_would_cross')),
  row('2.4, 8 H17; R27', REFUSED, says('crosses the book'), rejected('order_crosses')),
  row('2.4, 3.1; R27', REFUSED, says('invalid expiration'), rejected('invalid_expiration')),
  row('2.4; R27', REFUSED, says("couldn't be fully filled"), rejected('fok_not_filled')),
  row('2.4; R27', REFUSED, says('no orders found to match'), rejected('fak_no_match')),
  row('2.4; R69', REFUSED, says('not yet ready to process'), rejected('market_not_accepting_orders')),
  row('2.4; R27', REFUSED, says('canceled in the ctf exchange'), rejected('cancelled_on_chain')),
  row(
    '2.4; R27',
    REFUSED,
    says('invalid order payload', 'payload exceeds', 'too many orders'),
    rejected('payload_refused'),
  ),
  row('2.4, 3.7, 8; R24, R27', REFUSED, ANYTHING, rejected('venue_rejected')),
  row('3.7; R24, R26', OK, { form: 'json', names: 'none' }, unclear('no_reason')),
  // Other statuses.
  row('2.4, 8 H10; R30', [401], ANYTHING, unauthorized),
  row('2.4; R31', [403], says('restricted in your region'), halted('region_restricted')),
  row('2.4; R31', [403], ANYTHING, halted('forbidden')),
  row('2.4, 8 H12; R23, R31', [403], { form: 'page' }, unclear('gateway_page', true)),
  row('2.4; R69', [404], says('no orderbook exists', 'market not found'), rejected('market_closed')),
  row('2.4, 8 H13; R32', [425], { form: 'json', names: 'none' }, later('engine_restarting')),
  row('2.4, 8 H13; R32', [425], { form: 'unreadable' }, later('engine_restarting')),
  row('2.4, 2.5; R34, R35', [429], says('too many requests'), later('throttled')),
  row('2.4, 8; R36', [500], says('order timed out'), unclear('order_timed_out')),
  row('2.4; R38', [503], says('trading is currently disabled'), later('trading_disabled')),
  row('2.4; R38', [503], says('trading is currently cancel-only'), later('cancel_only')),
  row('2.4, 8 H13; R33', [503], says('post-only mode', 'post_only_mode'), later('post_only_mode')),
];

/** The outcome of a request to place the order with this hash. Never throws. */
export function placeOutcome(delivery: Delivery, orderHash: string): PlaceOutcome {
  if (delivery.kind === 'not_sent') return delivery;
  if (delivery.kind === 'silence') return unheard(delivery.reason);
  const reading = placeReading(delivery, orderHash);
  const decided = PLACE_ROWS.find((one) => holds(one, reading));
  return decided === undefined ? undocumented(reading) : decided.verdict(reading);
}

function holds({ status, form, names, success, says: texts }: PlaceRow, reading: PlaceReading): boolean {
  const words = `${reading.complaint.text} ${reading.complaint.code}`.trim().toLowerCase();
  return (
    status.includes(reading.status) &&
    (form === undefined || form === reading.form) &&
    (names === undefined || names === reading.names) &&
    (success === undefined || success === reading.success) &&
    (texts === undefined || (words !== '' && texts.some((text) => words.includes(text))))
  );
}

function row(cites: string, status: readonly number[], condition: Condition, verdict: Verdict): PlaceRow {
  return { cites, status, ...condition, verdict };
}

function accepted({ venueOrderId, details }: PlaceReading): PlaceOutcome {
  return { kind: 'accepted', venueOrderId, ...details };
}

function mismatch({ venueOrderId }: PlaceReading): PlaceOutcome {
  return { kind: 'identity_mismatch', venueOrderId };
}

function duplicate(): PlaceOutcome {
  return { kind: 'duplicate' };
}

function rejected(code: PlaceCode): Verdict {
  return (reading) => ({ kind: 'rejected', retry: null, ...why(code, reading.complaint.text) });
}

function halted(code: PlaceCode): Verdict {
  return (reading) => ({ kind: 'rejected', retry: null, ...why(code, reading.complaint.text, true) });
}

function unauthorized({ complaint }: PlaceReading): PlaceOutcome {
  return { kind: 'rejected', retry: 'same_bytes_fresh_clock', ...why('unauthorized', complaint.text, true) };
}

function unclear(code: PlaceCode, halt = false): Verdict {
  return ({ status, complaint }) => ({ kind: 'unknown', status, ...why(code, complaint.text, halt) });
}

function later(code: PlaceCode): Verdict {
  return ({ answer, complaint }) => {
    const waitMs = retryAfterMs(answer, complaint.retryAfterSeconds);
    return { kind: 'not_processed', waitMs, ...why(code, complaint.text) };
  };
}

/** R15 to R17, R20, R21, R39 to R41: the request may have arrived. */
function unheard(reason: string): PlaceOutcome {
  return { kind: 'unknown', status: null, ...why('unheard', reason) };
}

function undocumented(reading: PlaceReading): PlaceOutcome {
  const code = reading.form === 'json' ? 'undocumented_answer' : (`answer_${reading.form}` as const);
  return unclear(code)(reading);
}

function why(code: PlaceCode, said: string, halt = false): Reasoned {
  return { code, message: PLACE_SENTENCES[code], said: cleaned(said), halt };
}

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
function placeReading(answer: Answered, orderHash: string): PlaceReading {
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
