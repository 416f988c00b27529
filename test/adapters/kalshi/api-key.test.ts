import { describe, expect, test } from 'vitest';
import { ApiKeyFile, accessHeaders } from '../../../src/adapters/kalshi/http/api-key.js';
import { anRsaKey, ED25519_KEY, isSignedBy, keyFileOf } from '../../support/fake-kalshi/keys.js';

const AT = 1_703_123_456_789;
/** Signatures by the test key of RFC 8032, made elsewhere. */
const VECTORS = [
  [
    'GET',
    '/trade-api/v2/portfolio/balance',
    'caolQIFa1fF7caKRpD82JbF1w9tsbGMzaRudHdnCIwVEkhfFIlzIy4HeCQTeFteU9o8UTOmEvwbutRb9MEJbAA==',
  ],
  [
    'POST',
    '/trade-api/v2/portfolio/events/orders',
    '0QpWibMOICW7GcsR2QVXSLi+4s2EwyYdYP2ypIV/6vEqQPr5hKsX+kHaxO6SOVuIR60F5Lms8Ds0mnn63IMMBA==',
  ],
  [
    'GET',
    '/trade-api/ws/v2',
    'UxSfhWWEyZ1QqfOB6kwZsQObor0jGMZVIh+hDqydvkYD4gYeWXPuOB2+jmtHhWtK00AKZNNunN+JcxddbXtNDA==',
  ],
] as const;

describe('a request to Kalshi', () => {
  test.each(VECTORS)('is signed by an Ed25519 key as %s %s', async (method, path, signature) => {
    const key = await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY));
    expect(accessHeaders(key, { method, path }, AT)).toEqual({
      'KALSHI-ACCESS-KEY': ED25519_KEY.id,
      'KALSHI-ACCESS-TIMESTAMP': '1703123456789',
      'KALSHI-ACCESS-SIGNATURE': signature,
    });
  });

  test('is signed by an RSA key with PSS and a salt of 32', async () => {
    const own = anRsaKey();
    const key = await ApiKeyFile.open(own.id, keyFileOf(own));
    expect(isSignedBy(own, 'text', key.sign('text'))).toBe(true);
    expect(isSignedBy(own, 'other', key.sign('text'))).toBe(false);
  });
});

describe('a key file of Kalshi', () => {
  const refused = (pem: string, mode?: number) => ApiKeyFile.open('id', keyFileOf({ pem }, mode));

  test('that others may read is refused with the command that mends it', async () => {
    await expect(refused(ED25519_KEY.pem, 0o644)).rejects.toThrow(/mode 0644.*chmod 0400/);
  });

  test('that holds no key, or a small one, is refused without its text', async () => {
    await expect(refused('a secret')).rejects.toThrow(/must hold a private key in PEM/);
    await expect(refused('a secret')).rejects.not.toThrow(/a secret/);
    await expect(refused(anRsaKey(1024).pem)).rejects.toThrow(/at least 2048 bits/);
  });
});
