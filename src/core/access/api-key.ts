import type { AccountId } from '../ids.js';
import type { AuthScope } from './principal.js';

/** An API key without its secret, of which only a keyed digest is kept. */
export interface ApiKey {
  readonly id: string;
  readonly account: AccountId;
  readonly scopes: readonly AuthScope[];
  /** HMAC-SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** True while the key may be used. */
export function isUsable(key: ApiKey, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
}
