import { timingSafeEqual } from 'node:crypto';
import { type ApiKey, isUsable } from '../../core/access/api-key.js';
import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Clock } from '../../ports/system.js';
import { type ApiKeyText, digestSecret, parseApiKey } from './api-key-text.js';
import { bearerToken } from './bearer-token.js';

/** A digest of no known secret: what an unknown key id is compared with. */
const NO_DIGEST = '0'.repeat(64);

/**
 * `Authorization: Bearer sp_<id>_<secret>` against the stored keys, expiry and revocation included, on every request.
 * `x-dev-user` has no effect. Answers `unavailable` when the store cannot be read.
 */
export class ApiKeyAuthenticator implements Authenticator {
  /** `pepper` is the one that the keys were made with. */
  constructor(
    private readonly keys: Pick<KeyStore, 'findKey'>,
    private readonly pepper: string,
    private readonly clock: Clock,
  ) {}

  async authenticate({ authorization }: Credentials): Promise<Authentication> {
    if (authorization === undefined) return { kind: 'missing' };
    const presented = parseApiKey(bearerToken(authorization) ?? '');
    if (presented === undefined) return { kind: 'invalid' };
    try {
      return this.#judge(presented, await this.keys.findKey(presented.id));
    } catch (cause) {
      return { kind: 'unavailable', cause };
    }
  }

  #judge({ secret }: ApiKeyText, key: ApiKey | undefined): Authentication {
    // The same work is done for an unknown id, so that the response time does not reveal which ids exist.
    const matches = sameDigest(digestSecret(this.pepper, secret), Buffer.from(key?.digest ?? NO_DIGEST, 'hex'));
    if (key === undefined || !matches || !isUsable(key, this.clock.now())) return { kind: 'invalid' };
    const { id, account, scopes } = key;
    return { kind: 'principal', principal: { account, credential: id, kind: 'key', scopes: new Set(scopes) } };
  }
}

function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
