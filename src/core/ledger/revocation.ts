import type { ApiKey } from '../access/api-key.js';
import type { Decision, Snapshot } from './decision.js';

/** Revokes an API key that the scope names: a repetition keeps the first moment. Undefined when it does not exist. */
export function revoked(now: Snapshot, id: string, at: Date): Decision<ApiKey | undefined> {
  const key = now.key(id);
  if (key === undefined || key.revokedAt !== null) return { result: key };
  const changed = { ...key, revokedAt: at };
  return { result: changed, keys: [changed] };
}
