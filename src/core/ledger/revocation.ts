import type { ApiKey } from '../access/api-key.js';
import { automatedOnPaper } from '../strategy/strategy.js';
import type { Decision, Scope, Snapshot } from './decision.js';

/** What the revocation of an API key reads and changes. */
export const revocationOf = ({ account, id }: ApiKey): Scope => ({ account, keys: [id], automatedBy: id });

/**
 * Revokes an API key that the scope names: a repetition keeps the first moment. The strategies that trade with real money by
 * themselves because of it are on paper from the same moment on. Undefined when the key does not exist.
 */
export function revoked(now: Snapshot, id: string, at: Date): Decision<ApiKey | undefined> {
  const key = now.key(id);
  if (key === undefined || key.revokedAt !== null) return { result: key };
  const changed = { ...key, revokedAt: at };
  const live = now.automatedBy(id).filter(({ archivedAt }) => archivedAt === null);
  return { result: changed, keys: [changed], strategies: live.map((one) => automatedOnPaper(one, at)) };
}
