import { describe, expect, test } from 'vitest';
import { signerOf } from '../../../../../src/adapters/polymarket/signing/key-signature.js';
import { loginHash } from '../../../../../src/adapters/polymarket/signing/login.js';
import { orderHash } from '../../../../../src/adapters/polymarket/signing/order-hash.js';
import type { OrderDomain, OrderStruct } from '../../../../../src/adapters/polymarket/signing/signer.js';
import { CheckedSigner } from '../../../../../src/adapters/polymarket/signing/signers/checked-signer.js';
import { type SigningGuard, SigningRefused } from '../../../../../src/adapters/polymarket/signing/signing-refused.js';
import { usdc } from '../../../../../src/core/money.js';
import { KNOWN_ADDRESS, knownKey, type LoginVector, vectors } from '../vectors.js';
import { someOrder, someTerms, WALLET, ZERO } from './terms.js';

const POLYGON: OrderDomain = { chainId: 137, negRisk: false };
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const signer = (change = {}) => new CheckedSigner(knownKey(), someTerms(change));

const refusedAs = (guard: SigningGuard) => expect.objectContaining({ code: 'signing_refused', guard });

describe('a signer', () => {
  test('returns the address of its key', async () => {
    expect(await signer().address()).toBe(KNOWN_ADDRESS);
  });

  test('signs with its key for either contract of its chain', async () => {
    for (const negRisk of [true, false]) {
      const domain = { chainId: 137, negRisk };
      const signature = await signer().signOrder(someOrder(), domain);
      expect(signerOf(orderHash(someOrder(), domain), signature)).toBe(KNOWN_ADDRESS.toLowerCase());
    }
  });

  test.each([1, 2] as const)('signs for a wallet of type %d that its key controls', async (signatureType) => {
    const order = someOrder({ signatureType, maker: WALLET });
    const signature = await signer({ signatureType, funder: WALLET }).signOrder(order, POLYGON);
    expect(signerOf(orderHash(order, POLYGON), signature)).toBe(KNOWN_ADDRESS.toLowerCase());
  });

  test('signs for a deposit wallet that is maker and signer in one', async () => {
    const order = someOrder({ signatureType: 3, maker: WALLET, signer: WALLET });
    const signature = await signer({ signatureType: 3, funder: WALLET }).signOrder(order, POLYGON);
    expect(signature).toHaveLength(2 + 2 * 317);
  });

  test('does not mind the case of an address', async () => {
    const lower = KNOWN_ADDRESS.toLowerCase() as typeof KNOWN_ADDRESS;
    const one = signer({ address: lower, funder: lower });
    expect(await one.signOrder(someOrder({ maker: lower }), POLYGON)).toBe(
      await signer().signOrder(someOrder(), POLYGON),
    );
  });

  test('signs a login, as the official client does', async () => {
    for (const { login, headers } of vectors<LoginVector>('logins')) {
      expect(await signer({ chainId: login.chainId }).signLogin(login)).toBe(headers['POLY_SIGNATURE']);
    }
  });

  test('signs up to its cap, and no unit above it', async () => {
    const cap = { notionalCap: usdc('57') };
    const sale = someOrder({ side: 1, makerAmount: 100_000_000n, takerAmount: 57_000_000n });
    await expect(signer(cap).signOrder(someOrder(), POLYGON)).resolves.toMatch(/^0x/);
    await expect(signer(cap).signOrder(sale, POLYGON)).resolves.toMatch(/^0x/);
    const more = [someOrder({ makerAmount: 57_000_001n }), { ...sale, takerAmount: 57_000_001n }];
    for (const order of more) {
      await expect(signer(cap).signOrder(order, POLYGON)).rejects.toThrow(/at most 57 USDC/);
      await expect(signer(cap).signOrder(order, POLYGON)).rejects.toEqual(refusedAs('notional'));
    }
  });

  test('names the builder that it was given, and no other', async () => {
    const builder = `0x${'0'.repeat(63)}1` as const;
    await expect(signer({ builder }).signOrder(someOrder({ builder }), POLYGON)).resolves.toMatch(/^0x/);
    await expect(signer({ builder }).signOrder(someOrder({ builder: ZERO }), POLYGON)).rejects.toEqual(
      refusedAs('builder'),
    );
  });

  test('keeps its terms when the given object changes', async () => {
    const terms = { ...someTerms() };
    const one = new CheckedSigner(knownKey(), terms);
    terms.notionalCap = usdc('1000000');
    await expect(
      one.signOrder(someOrder({ makerAmount: 101_000_000n, takerAmount: 200_000_000n }), POLYGON),
    ).rejects.toEqual(refusedAs('notional'));
  });

  test('reads an order once, and signs what it checked', async () => {
    let reads = 0;
    const order = someOrder();
    const shifting = Object.defineProperty({ ...order }, 'makerAmount', {
      enumerable: true,
      get: () => (reads++ === 0 ? order.makerAmount : 99_000_000n),
    });
    expect(await signer().signOrder(shifting, POLYGON)).toBe(await signer().signOrder(order, POLYGON));
  });
});

describe('a signer refuses', () => {
  test.each<[string, SigningGuard, Partial<OrderStruct>, Partial<OrderDomain>]>([
    ['another chain', 'chain', {}, { chainId: 80_002 }],
    ['a contract that is not said', 'chain', {}, { negRisk: undefined as never }],
    ['another type of wallet', 'wallet', { signatureType: 1 }, {}],
    ['the funds of another account', 'maker', { maker: OTHER }, {}],
    ['another account as the signer', 'signer', { signer: OTHER }, {}],
    ['a builder', 'builder', { builder: `0x${'0'.repeat(63)}1` }, {}],
    ['a share for a whole dollar', 'price', { makerAmount: 50_000_000n, takerAmount: 50_000_000n }, {}],
    ['shares for nothing', 'price', { side: 1, makerAmount: 5_000_000n, takerAmount: 0n }, {}],
    ['dollars for nothing', 'price', { takerAmount: 0n }, {}],
    ['dollars below zero', 'price', { makerAmount: -5_000_000n }, {}],
    ['a third side', 'field', { side: 2 as never }, {}],
    ['a salt that a JSON number cannot hold', 'field', { salt: 1n << 53n }, {}],
    ['a salt below zero', 'field', { salt: -1n }, {}],
    ['metadata that are not 32 bytes', 'field', { metadata: '0x00' }, {}],
    ['a token above 256 bits', 'field', { tokenId: 1n << 256n }, {}],
  ])('%s', async (_, guard, order, domain) => {
    await expect(signer().signOrder(someOrder(order), { ...POLYGON, ...domain })).rejects.toEqual(refusedAs(guard));
  });

  test('the key itself as the signer of a deposit wallet', async () => {
    const deposit = signer({ signatureType: 3, funder: WALLET });
    const order = someOrder({ signatureType: 3, maker: WALLET, signer: KNOWN_ADDRESS });
    await expect(deposit.signOrder(order, POLYGON)).rejects.toEqual(refusedAs('signer'));
  });

  test('a login to another chain', async () => {
    const login = { chainId: 80_002, timestamp: 1_780_449_126, nonce: 0 };
    await expect(signer().signLogin(login)).rejects.toEqual(refusedAs('chain'));
    expect(loginHash(KNOWN_ADDRESS, login)).toMatch(/^0x/);
  });

  test.each([-1, 1.5])('a login with the nonce %d', async (nonce) => {
    await expect(signer().signLogin({ chainId: 137, timestamp: 1, nonce })).rejects.toEqual(refusedAs('field'));
  });

  test.each<[string, SigningGuard, object]>([
    ['is not the configured one', 'key', { address: OTHER }],
    ['does not pay for its own plain wallet', 'wallet', { funder: OTHER }],
    ['has no wallet to pay from', 'wallet', { signatureType: 2 }],
    ['is for a chain without contracts', 'chain', { chainId: 1 }],
  ])('to begin with a key that %s, and forgets it', (_, guard, terms) => {
    const key = knownKey();
    expect(() => new CheckedSigner(key, someTerms(terms))).toThrow(refusedAs(guard));
    expect(key).toEqual(new Uint8Array(32));
  });

  test.each([
    ['zero', new Uint8Array(32)],
    ['too large', new Uint8Array(32).fill(0xff)],
    ['too short', new Uint8Array(31).fill(1)],
  ])('to begin with a key that is %s', (_, key) => {
    expect(() => new CheckedSigner(key, someTerms())).toThrow(refusedAs('key'));
    expect(() => new CheckedSigner(key, someTerms())).toThrow(SigningRefused);
  });
});
