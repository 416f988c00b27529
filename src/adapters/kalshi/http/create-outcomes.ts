import * as v from 'valibot';
import type { Shares } from '../../../core/money.js';
import { type Body, bodyOf } from '../../transport/body.js';
import type { Answered, Delivery, NotSent } from '../../transport/send-once.js';
import { boundedText } from '../../venue/wire-types.js';
import { complains, type KalshiError, kalshiErrorIn, saidIn } from './answer.js';
import { CREATE_SENTENCES, type CreateCode } from './create-sentences.js';
import { contractCount } from './fixed-point.js';

/** The reason, as a stable code and its sentence; `said` is the venue's own text, cleaned. */
interface Reasoned {
  readonly code: CreateCode;
  readonly message: string;
  readonly said: string;
  /** True when no further order should be sent for the account before a person has checked. */
  readonly halt: boolean;
}

/** What an acceptance says; the fills themselves are read. */
export interface CreatedOrder {
  /** The venue's own name for the order. */
  readonly orderId: string;
  readonly filled: Shares;
  readonly remaining: Shares;
}

/**
 * The outcome of one request to create an order (`kalshi.md`, under table 10). It covers this request only: what follows an earlier copy of
 * the same order proves nothing about that copy, but for `duplicate`.
 */
export type CreateOutcome =
  | ({ readonly kind: 'accepted' } & CreatedOrder)
  /** Proof that this request put no order on the book. `retry` allows the same body once more, with new headers. */
  | ({ readonly kind: 'rejected'; readonly retry: 'fresh_clock' | null } & Reasoned)
  /** Proof that an earlier copy arrived, but not of its outcome: look it up. */
  | { readonly kind: 'duplicate' }
  /** The venue did not process it: the same body may be sent again. */
  | ({ readonly kind: 'not_processed' } & Reasoned)
  /** The venue names the order by another identity than ours. Halt. */
  | { readonly kind: 'identity_mismatch'; readonly clientOrderId: string }
  | NotSent
  /** No proof either way. The same body may be sent again: its identity is used once. `status` is null when no complete answer came. */
  | ({ readonly kind: 'unknown'; readonly status: number | null } & Reasoned);

type Verdict = (reading: CreateReading) => CreateOutcome;

/** The conditions of a row: the first whose conditions all hold decides. */
export interface CreateRow {
  /** Sections and hazards of `kalshi.md`. */
  readonly cites: string;
  readonly status: readonly number[];
  /** What the code of the complaint begins with, in lower case; absent for any complaint, and null for none. */
  readonly code?: readonly string[] | null;
  /** A text within the complaint, in lower case. */
  readonly says?: string;
  readonly verdict: Verdict;
}

const REFUSED = [400, 403, 404, 409];

/** Every answer to a create that does not name an order; one that no row covers is unknown (K1, K25). */
export const CREATE_ROWS: readonly CreateRow[] = [
  row('2.3, 5.3; K2', [409, 400], duplicate, ['order_already_exists']),
  row('2.3; K18', [401], unauthorized, ['header_timestamp_expired']),
  row('2.3', [401], halted('unauthorized')),
  row('2.3; K25', [410], halted('order_version_mismatch')),
  row('2.3; K19', [409, 400, 503], later('trading_disabled'), ['trading_is_paused', 'exchange_is_paused']),
  row('2.3; K20', REFUSED, rejected('market_closed'), ['market_closed', 'market_inactive', 'market_already_closed']),
  row('2.3', [409, 400], rejected('fok_not_filled'), ['fill_or_kill_insufficient', 'fok_insufficient']),
  row('2.3; K15', [400, 409], rejected('insufficient_funds'), ['insufficient_balance', 'available_balance_too_low']),
  row('2.3; K14', [400], rejected('invalid_tick'), ['invalid_price']),
  row('2.3', [400], rejected('post_only_would_cross'), ['invalid_order'], 'post only cross'),
  row('2.3', [400], rejected('payload_refused'), ['invalid_order'], 'reduce'),
  row('2.3', [400], rejected('invalid_expiration'), ['invalid_order'], 'expiration'),
  row('2.3; K9', [400], rejected('payload_refused'), ['invalid_order_size']),
  row('2.3', [400, 409], rejected('self_cross'), ['self_cross_attempt']),
  row('2.3, 9', REFUSED, rejected('risk_limit'), ['exceeded_per_market_risk', 'exceeded_order_group', 'risk_limit']),
  row('9; K17', [403], halted('region_attestation_expired'), undefined, 'attest'),
  row('9; K17', [403], halted('region_attestation_expired'), undefined, 'region'),
  row('2.3', [403], halted('forbidden')),
  row('2.3', [404], rejected('market_unlisted')),
  row('2.3', [400], rejected('venue_rejected')),
  // A 409 with a code that nobody has named proves nothing.
  row('2.3; K2', [409], unclear('undocumented_answer')),
  row('2.4', [429], later('throttled')),
  row('2.3', [500, 502, 503, 504], unclear('venue_failed')),
  // A success that names an order comes first; one that complains is a refusal (K25), one that says nothing is unknown (row 24).
  row('K25', [200, 201], rejected('venue_rejected')),
  row('K25', [200, 201], unclear('no_reason'), null),
];

/** The outcome of a request to create the order of this identity. Never throws. */
export function createOutcome(delivery: Delivery, clientOrderId: string): CreateOutcome {
  if (delivery.kind === 'not_sent') return delivery;
  if (delivery.kind === 'silence') {
    return { kind: 'unknown', status: null, ...why('unheard', delivery.reason) };
  }
  const reading = createReading(delivery);
  const { accepted, status } = reading;
  if (accepted !== null && (status === 200 || status === 201)) {
    const { client_order_id: named } = accepted;
    if (named !== '' && named !== clientOrderId) return { kind: 'identity_mismatch', clientOrderId: named };
    const { order_id: orderId, fill_count: filled, remaining_count: remaining } = accepted;
    return { kind: 'accepted', orderId, filled, remaining };
  }
  const decided = CREATE_ROWS.find((one) => holds(one, reading));
  return decided === undefined ? undocumented(reading) : decided.verdict(reading);
}

function holds({ status, code, says }: CreateRow, reading: CreateReading): boolean {
  const { complaint } = reading;
  if (!status.includes(reading.status) || reading.form !== 'json') return false;
  if (code === null) return !complains(complaint);
  if (!complains(complaint)) return false;
  const words = `${complaint.code} ${complaint.message} ${complaint.details}`.toLowerCase().replaceAll('_', ' ');
  return (
    (code === undefined || code.some((one) => complaint.code.startsWith(one))) &&
    (says === undefined || words.includes(says))
  );
}

function row(
  cites: string,
  status: readonly number[],
  verdict: Verdict,
  code?: readonly string[] | null,
  says?: string,
): CreateRow {
  return { cites, status, verdict, ...(code !== undefined && { code }), ...(says !== undefined && { says }) };
}

function duplicate(): CreateOutcome {
  return { kind: 'duplicate' };
}

function rejected(code: CreateCode): Verdict {
  return ({ complaint }) => ({ kind: 'rejected', retry: null, ...why(code, saidIn(complaint)) });
}

function halted(code: CreateCode): Verdict {
  return ({ complaint }) => ({ kind: 'rejected', retry: null, ...why(code, saidIn(complaint), true) });
}

function unauthorized({ complaint }: CreateReading): CreateOutcome {
  return { kind: 'rejected', retry: 'fresh_clock', ...why('unauthorized', saidIn(complaint), true) };
}

function unclear(code: CreateCode): Verdict {
  return ({ status, complaint }) => ({ kind: 'unknown', status, ...why(code, saidIn(complaint)) });
}

function later(code: CreateCode): Verdict {
  return ({ complaint }) => ({ kind: 'not_processed', ...why(code, saidIn(complaint)) });
}

function undocumented(reading: CreateReading): CreateOutcome {
  const code = reading.form === 'json' ? 'undocumented_answer' : (`answer_${reading.form}` as const);
  return unclear(code)(reading);
}

function why(code: CreateCode, said: string, halt = false): Reasoned {
  return { code, message: CREATE_SENTENCES[code], said, halt };
}

const acceptance = v.object({
  order_id: v.pipe(boundedText, v.nonEmpty()),
  client_order_id: v.nullish(boundedText, ''),
  fill_count: contractCount,
  remaining_count: contractCount,
});

interface CreateReading {
  readonly status: number;
  readonly form: Body['form'];
  readonly accepted: v.InferOutput<typeof acceptance> | null;
  readonly complaint: KalshiError;
}

function createReading(answer: Answered): CreateReading {
  const { status } = answer;
  const body = bodyOf(answer);
  if (body.form !== 'json') return { status, form: body.form, accepted: null, complaint: kalshiErrorIn(null) };
  const read = v.safeParse(acceptance, body.value);
  return {
    status,
    form: 'json',
    accepted: read.success ? read.output : null,
    complaint: kalshiErrorIn(body.value),
  };
}
