import { createHmac } from 'node:crypto';
import type { Hex } from './signer.js';

/** The credentials from a login. The secret is base64, in either alphabet, with or without its padding. */
export interface ApiCredentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** What the signature covers: `body` is the exact text that is sent; the query of `path` is left out. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

/**
 * The headers of a request with API credentials (`polymarket.md` 4.3). `address` is that of the key, for every type of
 * wallet; `timestamp` is in seconds of the venue's clock.
 */
export function l2Headers(
  credentials: ApiCredentials,
  address: Hex,
  request: SignedRequest,
  timestamp: number,
): Record<string, string> {
  const { method, path, body = '' } = request;
  const query = path.indexOf('?');
  const signedPath = query === -1 ? path : path.slice(0, query);
  const hmac = createHmac('sha256', Buffer.from(credentials.secret, 'base64'));
  const signature = hmac.update(`${timestamp}${method}${signedPath}${body}`).digest('base64');
  return {
    POLY_ADDRESS: address,
    POLY_SIGNATURE: signature.replaceAll('+', '-').replaceAll('/', '_'),
    POLY_TIMESTAMP: `${timestamp}`,
    POLY_API_KEY: credentials.apiKey,
    POLY_PASSPHRASE: credentials.passphrase,
  };
}
