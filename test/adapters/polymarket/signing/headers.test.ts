import { describe, expect, test } from 'vitest';
import { signHash } from '../../../../src/adapters/polymarket/signing/key-signature.js';
import {
  type ApiCredentials,
  l2Headers,
  type SignedRequest,
} from '../../../../src/adapters/polymarket/signing/l2-headers.js';
import { l1Headers, loginHash } from '../../../../src/adapters/polymarket/signing/login.js';
import { SigningRefused } from '../../../../src/adapters/polymarket/signing/signing-refused.js';
import { KNOWN_ADDRESS, knownKey, type LoginVector, vectors } from './vectors.js';

interface ApiVector {
  readonly id: string;
  readonly credentials: ApiCredentials;
  readonly request: SignedRequest;
  readonly timestamp: number;
  readonly headers: Readonly<Record<string, string>>;
}

const LOGINS = vectors<LoginVector>('logins');
const REQUESTS = vectors<ApiVector>('api-headers');
const SECRET = 'x+/7Zk3bQ9+pV/LmT2sYw0RcH8JdEfGuNaBtOiKxSq4=';
const CREDENTIALS = { apiKey: 'key', secret: SECRET, passphrase: 'phrase' };
const AT = 1_780_449_126;

const signatureOf = (request: SignedRequest, secret = SECRET, at = AT) =>
  l2Headers({ ...CREDENTIALS, secret }, KNOWN_ADDRESS, request, at)['POLY_SIGNATURE'];

describe('a login', () => {
  test.each(LOGINS)('$id has the hash and the headers of the official client', ({ login, digest, headers }) => {
    const hash = loginHash(KNOWN_ADDRESS, login);
    expect(hash).toBe(digest);
    expect(l1Headers(KNOWN_ADDRESS, signHash(hash, knownKey()), login)).toEqual(headers);
  });

  test('is for a chain of the venue', () => {
    expect(() => loginHash(KNOWN_ADDRESS, { chainId: 1, timestamp: AT, nonce: 0 })).toThrow(SigningRefused);
  });
});

describe('a request with API credentials', () => {
  test.each(REQUESTS)('$id has the headers of the official client', ({ credentials, request, timestamp, headers }) => {
    expect(l2Headers(credentials, KNOWN_ADDRESS, request, timestamp)).toEqual(headers);
  });

  test('reads a secret in either alphabet, padded or not', () => {
    const request = { method: 'GET', path: '/data/orders' };
    const urlSafe = SECRET.replaceAll('+', '-').replaceAll('/', '_');
    const signatures = [SECRET, urlSafe, SECRET.slice(0, -1), urlSafe.slice(0, -1)].map((secret) =>
      signatureOf(request, secret),
    );
    expect(new Set(signatures).size).toBe(1);
  });

  test('leaves the query out', () => {
    const bare = signatureOf({ method: 'GET', path: '/data/trades' });
    expect(signatureOf({ method: 'GET', path: '/data/trades?market=0x1&before=5' })).toBe(bare);
    expect(signatureOf({ method: 'GET', path: '/data/trades/' })).not.toBe(bare);
  });

  test.each<[string, SignedRequest, number]>([
    ['the method', { method: 'DELETE', path: '/order', body: '{"a":1}' }, AT],
    ['the path', { method: 'POST', path: '/orders', body: '{"a":1}' }, AT],
    ['one byte of the body', { method: 'POST', path: '/order', body: '{"a": 1}' }, AT],
    ['the second', { method: 'POST', path: '/order', body: '{"a":1}' }, AT + 1],
  ])('depends on %s', (_, request, at) => {
    expect(signatureOf(request, SECRET, at)).not.toBe(signatureOf({ method: 'POST', path: '/order', body: '{"a":1}' }));
  });
});
