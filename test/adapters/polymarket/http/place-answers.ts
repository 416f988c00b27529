import { type PlaceOutcome, placeOutcome } from '../../../../src/adapters/polymarket/http/place-outcomes.js';
import type { Answered } from '../../../../src/adapters/transport/send-once.js';

/** The expected id of the order. */
export const HASH = `0x${'ab'.repeat(32)}`;
/** The id of another order. */
export const OTHER = `0x${'cd'.repeat(32)}`;

/** An answer of the venue, where it differs from the usual one. */
export interface Said {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Answered['headers'];
}

function answer({ status = 200, body = '', headers = { 'content-type': 'application/json' } }: Said): Answered {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answered', status, headers, body: Buffer.from(bytes) };
}

/** The outcome of the order with `HASH` by this answer. */
export const outcome = (said: Said): PlaceOutcome => placeOutcome(answer(said), HASH);
/** A refusal by status. */
export const error = (status: number, text: string): Said => ({ status, body: { error: text } });
/** A refusal with status 200. */
export const refusal = (text: string, id: unknown = ''): Said => ({
  body: { success: true, orderID: id, status: '', errorMsg: text },
});
/** What a gateway shows to people. */
export const PAGE: Said = { headers: { 'content-type': 'text/html' }, body: '<html>Just a moment</html>' };
