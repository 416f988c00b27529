import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ApiKey, isUsable } from '../../core/access/api-key.js';
import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Clock } from '../../ports/system.js';

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
    // An unknown id takes the same work, so that the response time does not reveal which ids exist.
    const matches = sameDigest(digestSecret(this.pepper, secret), Buffer.from(key?.digest ?? NO_DIGEST, 'hex'));
    if (key === undefined || !matches || !isUsable(key, this.clock.now())) return { kind: 'invalid' };
    const { id, account, scopes } = key;
    return { kind: 'principal', principal: { account, credential: id, kind: 'key', scopes: new Set(scopes) } };
  }
}

function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The prefix of every API key, so that secret scanners and people recognise a leaked one. */
export const API_KEY_PREFIX = 'sp_';

const API_KEY = /^sp_([a-z0-9]{1,32})_([A-Za-z0-9_-]{43})$/;

/** The two parts of an API key; the id is public, the secret is 256 bits in base64url. */
export interface ApiKeyText {
  readonly id: string;
  readonly secret: string;
}

/** Writes `sp_<id>_<secret>`. */
export function formatApiKey({ id, secret }: ApiKeyText): string {
  return `${API_KEY_PREFIX}${id}_${secret}`;
}

/** Parses a key, or returns undefined for a malformed one. An id has no underscore; a secret may have several. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const [, id, secret] = API_KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** HMAC-SHA-256 of a secret under the pepper, 32 bytes. A fast hash is right for a secret of 256 random bits. */
export function digestSecret(pepper: string, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/** More than any token of ours or of an issuer needs, and far less than would be costly to check. */
const LONGEST = 8192;

const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The token in `Bearer <token>` (RFC 6750), or undefined for anything else: the scheme in any case, exactly one space,
 * at most 8192 characters in all.
 */
export function bearerToken(authorization: string): string | undefined {
  return authorization.length > LONGEST ? undefined : BEARER.exec(authorization)?.[1];
}
