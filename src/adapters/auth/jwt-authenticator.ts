import { type JWTPayload, jwtVerify } from 'jose';
import * as v from 'valibot';
import { AUTH_SCOPES, type AuthScope, accountNamed, type Principal } from '../../core/access/principal.js';
import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';
import type { Clock } from '../../ports/system.js';
import { bearerToken } from './api-key-authenticator.js';
import { IssuerKeys, IssuerKeysUnavailable } from './issuer-keys.js';

/** Asymmetric signatures only: a verifier without a secret cannot be tricked into using a public key as one. */
const ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
const LONGEST_LIFETIME_S = 3600;
const CLOCK_TOLERANCE_S = 30;

/** The accepted issuer and audience of access tokens; all three are compared exactly. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** https, or http on a loopback host. */
  readonly jwksUrl: URL;
}

const Claims = v.object({
  sub: v.string(),
  iat: v.number(),
  exp: v.number(),
  jti: v.optional(v.string()),
  scope: v.optional(v.string(), ''),
});

/**
 * Access tokens (RFC 9068: `typ` is `at+jwt`, which excludes ID tokens) in `Authorization: Bearer`. The account is `sub`,
 * and the scopes are the known words of `scope`. `x-dev-user` has no effect. Answers `unavailable` when the issuer's keys
 * are needed and cannot be fetched.
 */
export class JwtAuthenticator implements Authenticator {
  readonly #keys: IssuerKeys;

  /** @throws TypeError unless the JWKS URL is https, or http on a loopback host. */
  constructor(
    private readonly trusted: TokenIssuer,
    private readonly clock: Clock,
  ) {
    this.#keys = new IssuerKeys(trusted.jwksUrl, clock);
  }

  async authenticate({ authorization }: Credentials): Promise<Authentication> {
    if (authorization === undefined) return { kind: 'missing' };
    const token = bearerToken(authorization);
    if (token === undefined) return { kind: 'invalid' };
    try {
      const principal = principalOf(await this.#verify(token));
      return principal === undefined ? { kind: 'invalid' } : { kind: 'principal', principal };
    } catch (cause) {
      return cause instanceof IssuerKeysUnavailable ? { kind: 'unavailable', cause } : { kind: 'invalid' };
    }
  }

  async #verify(token: string): Promise<JWTPayload> {
    const { issuer, audience } = this.trusted;
    const { payload, protectedHeader } = await jwtVerify(token, (header, jws) => this.#keys.find(header, jws), {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      typ: 'at+jwt',
      currentDate: this.clock.now(),
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: LONGEST_LIFETIME_S,
    });
    // jose supports one extension; an access token needs none.
    if (protectedHeader.crit !== undefined) throw new TypeError('a critical extension is not understood');
    return payload;
  }
}

function principalOf(payload: JWTPayload): Principal | undefined {
  const { sub, iat, exp, jti, scope } = v.parse(Claims, payload);
  const account = accountNamed(sub);
  const shortLived = exp - iat <= LONGEST_LIFETIME_S;
  if (account === undefined || !shortLived) return undefined;
  return { account, credential: jti ?? sub, kind: 'jwt', scopes: knownScopes(scope) };
}

function knownScopes(scope: string): ReadonlySet<AuthScope> {
  const words = new Set(scope.split(' '));
  return new Set(AUTH_SCOPES.filter((known) => words.has(known)));
}
