import { IdempotencyKeyReused } from '../errors.js';
import type { Snapshot } from './decision.js';
import type { KeyedRequest } from './request.js';

/**
 * The id of the record that an earlier request with this key made, or undefined when the key is new or has expired by
 * `now`, in the machine's time.
 * @throws IdempotencyKeyReused when the key meant something else.
 */
export function earlierResult(snapshot: Snapshot, request: KeyedRequest | null, now: Date): string | undefined {
  const record = request === null ? undefined : snapshot.request(request.key);
  if (record === undefined || (record.expiresAt !== null && record.expiresAt <= now)) return undefined;
  if (record.meaning !== request?.meaning) throw new IdempotencyKeyReused();
  return record.resource;
}
