import type { Refusal } from '../../../core/order/order.js';
import type { Rejected, Unknown } from '../../../ports/exchange.js';
import type { PlaceOutcome } from '../http/place-outcomes.js';
import type { PlaceCode } from '../http/place-sentences.js';

type Refused = Exclude<PlaceOutcome, { readonly kind: 'accepted' | 'duplicate' }>;

/**
 * What a non-acceptance proves of an order of which no other copy can have arrived, with a halt when a person must look
 * before anything further is sent.
 */
export function refusedResult(outcome: Refused): Rejected | Unknown {
  switch (outcome.kind) {
    case 'rejected':
    case 'not_processed':
      return { ...rejected(outcome.code, withWords(outcome)), ...haltOf(outcome) };
    case 'not_sent':
      return rejected('not_sent', NOT_SENT[outcome.reason]);
    case 'identity_mismatch':
      return { kind: 'unknown', reason: MISMATCH.message, halt: MISMATCH };
    case 'unknown':
      return { kind: 'unknown', reason: withWords(outcome), ...haltOf(outcome) };
  }
}

/** What a person should look at in the answer to a placement; usually null. */
export function alarmOf(outcome: PlaceOutcome): string | null {
  if (outcome.kind === 'identity_mismatch') return `${MISMATCH.message} It named ${outcome.venueOrderId}.`;
  if (outcome.kind === 'not_sent') return outcome.reason === 'tls_failed' ? NOT_SENT.tls_failed : null;
  if (!('code' in outcome)) return null;
  if (outcome.halt) return `${outcome.message} Its account is halted until it is released.`;
  return STRANGE.has(outcome.code) ? outcome.message : null;
}

/** For every order after the venue accepted one under a different identity: it reads something else than what is signed. */
export function mismatched(): Rejected {
  return { ...rejected(MISMATCH.code, `${MISMATCH.message} Nothing further is sent.`), halt: MISMATCH };
}

/** Proof that no order resulted; presumed when the venue has been seen to answer so for an order that traded after all. */
export function rejected(code: string, message: string): Rejected {
  return { kind: 'rejected', refusal: { code, message }, ...(PRESUMED.has(code) && { presumed: true }) };
}

const PRESUMED: ReadonlySet<string> = new Set(['fok_not_filled', 'fak_no_match', 'dropped_after_delay']);

const MISMATCH: Refusal = {
  code: 'identity_mismatch',
  message: 'The venue named another order than the one that was signed.',
};
/** The venue itself never answers so: a gateway does, or the answer contradicts itself. */
const STRANGE: ReadonlySet<PlaceCode> = new Set(['answer_page', 'gateway_page', 'contradiction']);
const CAN_RETRY = 'Nothing was sent: the order can be placed again.';

const NOT_SENT: Readonly<Record<Extract<PlaceOutcome, { kind: 'not_sent' }>['reason'], string>> = {
  unreachable: `The venue could not be reached. ${CAN_RETRY}`,
  connect_timeout: `The venue could not be reached in time. ${CAN_RETRY}`,
  tls_failed: `TLS verification of the venue failed. ${CAN_RETRY}`,
  throttled: `Too many orders are waiting for their turn at the venue. ${CAN_RETRY}`,
  late: `The order could not be sent in time. ${CAN_RETRY}`,
  aborted: `The server is shutting down. ${CAN_RETRY}`,
  withdrawn: `The order could not be sent in time. ${CAN_RETRY}`,
  malformed: `The order could not be written. ${CAN_RETRY}`,
};

function haltOf(outcome: Extract<Refused, { readonly halt: boolean }>): { readonly halt?: Refusal } {
  return outcome.halt ? { halt: { code: outcome.code, message: withWords(outcome) } } : {};
}

function withWords({ message, said }: { readonly message: string; readonly said: string }): string {
  return said === '' ? message : `${message} It said: ${said}`;
}
