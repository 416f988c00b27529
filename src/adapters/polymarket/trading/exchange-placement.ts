import type { Refusal } from '../../../core/order/order.js';
import type { Rejected, Unknown } from '../../../ports/exchange.js';
import type { PlaceOutcome } from './place-outcomes.js';

/** Why no further order should be sent for the account before a person has looked. */
export type Halt = Refusal;

type Refused = Exclude<PlaceOutcome, { readonly kind: 'accepted' | 'duplicate' }>;

/** What an outcome that is no acceptance proves of an order of which this was the only copy ever sent. */
export function refusedPlacement(outcome: Refused): Rejected | Unknown {
  switch (outcome.kind) {
    case 'rejected':
    case 'not_processed':
      return rejected(outcome.code, withWords(outcome));
    case 'not_sent':
      return rejected('not_sent', NOT_SENT[outcome.reason]);
    case 'identity_mismatch':
      return { kind: 'unknown', reason: MISMATCH };
    case 'unknown':
      return { kind: 'unknown', reason: withWords(outcome) };
  }
}

/** What a person has to look at before anything further is sent; null when nothing. */
export function haltOf(outcome: PlaceOutcome): Halt | null {
  if (outcome.kind === 'identity_mismatch') return { code: 'identity_mismatch', message: MISMATCH };
  if (outcome.kind !== 'rejected' && outcome.kind !== 'unknown') return null;
  return outcome.halt ? { code: outcome.code, message: withWords(outcome) } : null;
}

/** Proof that no order came of it. */
export function rejected(code: string, message: string): Rejected {
  return { kind: 'rejected', refusal: { code, message } };
}

const MISMATCH = 'The exchange named another order than the one that was signed.';
const ANEW = 'Nothing was sent: the order can be placed anew.';

const NOT_SENT: Readonly<Record<Extract<PlaceOutcome, { kind: 'not_sent' }>['reason'], string>> = {
  unreachable: `The exchange could not be reached. ${ANEW}`,
  connect_timeout: `The exchange could not be reached in time. ${ANEW}`,
  tls_failed: `The exchange did not prove who it is. ${ANEW}`,
  throttled: `Too many orders are waiting for their turn at the exchange. ${ANEW}`,
  late: `The order could not be sent in time. ${ANEW}`,
  aborted: `The server is about to end. ${ANEW}`,
  withdrawn: `The order could not be sent in time. ${ANEW}`,
  malformed: `The order could not be written. ${ANEW}`,
};

function withWords({ message, said }: { readonly message: string; readonly said: string }): string {
  return said === '' ? message : `${message} It said: ${said}`;
}
