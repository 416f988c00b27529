import { describe, expect, test } from 'vitest';
import { addressOf, signerOf, signHash } from '../../../../src/adapters/polymarket/signing/key-signature.js';
import { orderBody } from '../../../../src/adapters/polymarket/signing/order-body.js';
import { orderHash } from '../../../../src/adapters/polymarket/signing/order-hash.js';
import { orderSignature } from '../../../../src/adapters/polymarket/signing/order-signature.js';
import { salt } from '../../../../src/adapters/polymarket/signing/salt.js';
import type { Hex } from '../../../../src/adapters/polymarket/signing/signer.js';
import { SigningRefused } from '../../../../src/adapters/polymarket/signing/signing-refused.js';
import { KNOWN_ADDRESS, knownKey, type OrderVector, type SignedVector, structOf, vectors } from './vectors.js';

const ORDERS = vectors<OrderVector>('orders');
const OTHERS = vectors<SignedVector & { readonly name: string }>('other-implementation');
const KEY = knownKey();
const EXAMPLE = structOf((ORDERS[0] as OrderVector).order);
const POLYGON = { chainId: 137, negRisk: false };

describe('an order that the official client has built', () => {
  test('is at hand for every type of wallet and both contracts', () => {
    expect(new Set(ORDERS.map(({ order }) => order.signatureType))).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(ORDERS.map(({ negRisk }) => negRisk))).toEqual(new Set([true, false]));
  });

  test.each(ORDERS)('$id has the same id at the venue', ({ order, hash, ...domain }) => {
    expect(orderHash(structOf(order), domain)).toBe(hash);
  });

  test.each(ORDERS)(
    '$id has the same hash to sign, and the same signature',
    ({ order, digest, signature, ...domain }) => {
      const signed: Hex[] = [];
      const sign = (hash: Hex) => {
        signed.push(hash);
        return signHash(hash, KEY);
      };
      expect(orderSignature(structOf(order), domain, sign)).toBe(signature);
      expect(signed).toEqual([digest]);
    },
  );

  test.each(ORDERS)('$id is signed by the address of the key', ({ digest, signature }) => {
    expect(signerOf(digest, signature.slice(0, 132) as Hex)).toBe(KNOWN_ADDRESS.toLowerCase());
  });

  test.each(ORDERS)('$id is the same bytes on the wire', ({ order, signature, terms, body }) => {
    expect(orderBody(structOf(order), signature, terms)).toBe(body);
  });
});

describe('an order that another implementation has signed', () => {
  test.each(OTHERS)('$name has the same id and signature', ({ order, hash, signature, ...domain }) => {
    const struct = structOf(order);
    expect(orderHash(struct, domain)).toBe(hash);
    expect(orderSignature(struct, domain, (digest) => signHash(digest, KEY))).toBe(signature);
  });
});

describe('what cannot be signed', () => {
  test('is an order for a chain without contracts', () => {
    expect(() => orderHash(EXAMPLE, { ...POLYGON, chainId: 1 })).toThrow(SigningRefused);
  });

  test.each<[string, object]>([
    ['a number below zero', { makerAmount: -1n }],
    ['a number above 256 bits', { tokenId: 1n << 256n }],
    ['an address that is too short', { maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb922' }],
    ['an address that is none', { signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb9226g' }],
    ['an address without 0x', { maker: '00f39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['metadata of 31 bytes', { metadata: `0x${'00'.repeat(31)}` }],
    ['a builder that is none', { builder: `0x${'zz'.repeat(32)}` }],
  ])('is %s', (_, change) => {
    expect(() => orderHash({ ...EXAMPLE, ...change }, POLYGON)).toThrow(RangeError);
  });

  test('is a salt that a JSON number cannot hold', () => {
    const terms = { owner: '', orderType: 'GTC', expiration: 0, postOnly: false, deferExec: false } as const;
    expect(orderBody({ ...EXAMPLE, salt: (1n << 53n) - 1n }, '0x', terms)).toContain('"salt":9007199254740991,');
    expect(() => orderBody({ ...EXAMPLE, salt: 1n << 53n }, '0x', terms)).toThrow(RangeError);
  });
});

describe('a salt', () => {
  test('is below 2^53, uses every bit, and never repeats', () => {
    const salts = Array.from({ length: 20_000 }, salt);
    expect(new Set(salts).size).toBe(salts.length);
    expect(salts.every((one) => one >= 0n && one < 1n << 53n)).toBe(true);
    expect(salts.reduce((bits, one) => bits | one, 0n)).toBe((1n << 53n) - 1n);
    expect(salts.reduce((bits, one) => bits & one)).toBe(0n);
  });
});

describe('the address of a key', () => {
  test('has its checksum', () => {
    expect(addressOf(KEY)).toBe(KNOWN_ADDRESS);
  });

  test('is not recovered from a signature with an impossible recovery id', () => {
    expect(signerOf(`0x${'11'.repeat(32)}`, `0x${'22'.repeat(64)}1d`)).toBeNull();
  });
});
