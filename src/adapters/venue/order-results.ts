import type { Refusal } from '../../core/order/order.js';
import type { Rejected, Unknown } from '../../ports/exchange.js';
import type { NotSent } from '../transport/send-once.js';

/** Called when a venue's data about an order is inconsistent, with its identity there. */
export type Alarm = (what: string, venueOrderId: string) => void;

/** No proof either way. */
export const unknown = (reason: string): Unknown => ({ kind: 'unknown', reason });

/** Proof that no order resulted; presumed where a venue has been seen to answer so for an order that traded after all. */
export function rejected(code: string, message: string): Rejected {
  return { kind: 'rejected', refusal: { code, message }, ...(PRESUMED.has(code) && { presumed: true }) };
}

const PRESUMED: ReadonlySet<string> = new Set(['fok_not_filled', 'fak_no_match', 'dropped_after_delay']);

/** Why an account is halted of whose orders the venue named one by another identity than it was sent under. */
export const MISMATCH: Refusal = {
  code: 'identity_mismatch',
  message: 'The venue named another order than the one that was signed.',
};

/** For every order after that: the venue reads something else than what is sent. */
export function mismatched(): Rejected {
  return { ...rejected(MISMATCH.code, `${MISMATCH.message} Nothing further is sent.`), halt: MISMATCH };
}

/** The sentence of a code, with the venue's own words where it gave any. */
export function withWords({ message, said }: { readonly message: string; readonly said: string }): string {
  return said === '' ? message : `${message} It said: ${said}`;
}

const CAN_RETRY = 'Nothing was sent: the order can be placed again.';

/** Why not one byte of an order left this machine, in sentences. */
export const NOT_SENT: Readonly<Record<NotSent['reason'], string>> = {
  unreachable: `The venue could not be reached. ${CAN_RETRY}`,
  connect_timeout: `The venue could not be reached in time. ${CAN_RETRY}`,
  tls_failed: `TLS verification of the venue failed. ${CAN_RETRY}`,
  throttled: `Too many orders are waiting for their turn at the venue. ${CAN_RETRY}`,
  late: `The order could not be sent in time. ${CAN_RETRY}`,
  aborted: `The server is shutting down. ${CAN_RETRY}`,
  withdrawn: `The order could not be sent in time. ${CAN_RETRY}`,
  malformed: `The order could not be written. ${CAN_RETRY}`,
};
