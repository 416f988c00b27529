import type { Refusal } from '../../../core/order/order.js';
import type { Rejected, Unknown } from '../../../ports/exchange.js';
import { MISMATCH, NOT_SENT, rejected, withWords } from '../../venue/order-results.js';
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

/** The venue itself never answers so: a gateway does, or the answer contradicts itself. */
const STRANGE: ReadonlySet<PlaceCode> = new Set(['answer_page', 'gateway_page', 'contradiction']);
function haltOf(outcome: Extract<Refused, { readonly halt: boolean }>): { readonly halt?: Refusal } {
  return outcome.halt ? { halt: { code: outcome.code, message: withWords(outcome) } } : {};
}
