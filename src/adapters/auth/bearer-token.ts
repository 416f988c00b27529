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
