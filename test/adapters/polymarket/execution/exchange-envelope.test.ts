import { describe, expect, test } from 'vitest';
import { envelopeOf, type OrderWallet } from '../../../../src/adapters/polymarket/execution/envelope.js';
import {
  type OwnUnsigned,
  unsignedIn,
  unsignedText,
} from '../../../../src/adapters/polymarket/execution/unsigned-order.js';
import type { Market } from '../../../../src/core/market/market.js';
import { NO_SHARES } from '../../../../src/core/money.js';
import { type DraftChanges, price, usdc } from '../../../support/builders.js';
import { NOON } from '../../../support/fake-venue/trading-day.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { GAME, listed, liveIntent } from './exchange-fixture.js';

const WALLET: OrderWallet = { chainId: 137, signatureType: 0, address: KNOWN_ADDRESS };
const SAFE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SEALING = { now: new Date(NOON), offsetMs: 0, sendWithinMs: 15_000 };

type Case = DraftChanges & { readonly market?: Market; readonly wallet?: OrderWallet; readonly offsetMs?: number };

function unsigned({ market = listed(), wallet = WALLET, offsetMs = 0, ...draft }: Case = {}): OwnUnsigned {
  const intent = liveIntent(draft, market);
  const envelope = envelopeOf(intent, market, wallet, { ...SEALING, offsetMs });
  if ('code' in envelope) throw new Error(envelope.code);
  const own = unsignedIn({ intent: { ...intent, envelope } });
  if (own === null) throw new Error('it cannot be read');
  expect(unsignedText(own)).toBe(envelope.content);
  return own;
}

function refusal({ market = listed(), ...draft }: Case): unknown {
  return envelopeOf(liveIntent(draft, market), market, WALLET, SEALING);
}

describe('an envelope', () => {
  test('fixes all that is signed, by the venue’s clock', () => {
    const { struct, domain, orderType, expiration, postOnly, sendBy } = unsigned({ offsetMs: 1500, postOnly: true });
    expect(struct).toMatchObject({
      maker: KNOWN_ADDRESS,
      signer: KNOWN_ADDRESS,
      tokenId: BigInt(GAME.tokens[0]),
      side: 0,
      signatureType: 0,
      makerAmount: 10_000_000n,
      takerAmount: 20_000_000n,
      timestamp: BigInt(NOON + 1500),
    });
    expect([struct.metadata, struct.builder]).toEqual([`0x${'0'.repeat(64)}`, `0x${'0'.repeat(64)}`]);
    expect({ domain, orderType, expiration, postOnly }).toEqual({
      domain: { chainId: 137, negRisk: false },
      orderType: 'GTC',
      expiration: 0,
      postOnly: true,
    });
    expect(sendBy).toEqual(new Date(NOON + 15_000));
  });

  test('of the same order is another one each time', () => {
    const made = Array.from({ length: 50 }, () => unsigned());
    expect(new Set(made.map(({ hash }) => hash)).size).toBe(50);
    expect(made.every(({ struct }) => struct.salt < 2n ** 53n)).toBe(true);
  });

  test('names the right token, contract and paying wallet', () => {
    const terms = listed().terms;
    const market = listed({ terms: terms === null ? null : { ...terms, negRisk: true } });
    expect(unsigned({ market, outcome: 'NO' })).toMatchObject({
      struct: { tokenId: BigInt(GAME.tokens[1]) },
      domain: { negRisk: true },
    });
    const wallet = (signatureType: 2 | 3) => ({ ...WALLET, signatureType, funder: SAFE }) as const;
    expect(unsigned({ wallet: wallet(2) }).struct).toMatchObject({ maker: SAFE, signer: KNOWN_ADDRESS });
    expect(unsigned({ wallet: wallet(3) }).struct).toMatchObject({ maker: SAFE, signer: SAFE });
  });

  test('ends a GTD order at expires_at, sixty seconds before its expiration', () => {
    const expiresAt = new Date(NOON + 600_999);
    expect(unsigned({ timeInForce: 'GTD', expiresAt }).expiration).toBe(NOON / 1000 + 660);
  });

  test.each([
    ['a FOK purchase', { timeInForce: 'FOK', size: usdc('9.999') } as const, usdc('9.99')],
    ['a FAK purchase', { timeInForce: 'FAK', price: price('0.33') } as const, usdc('10')],
    ['a purchase that can rest', { timeInForce: 'GTC' } as const, null],
    ['a FOK sale', { timeInForce: 'FOK', side: 'SELL' } as const, null],
  ])('returns the dollars that the venue may spend whole: %s', (_name, draft, spends) => {
    const intent = liveIntent(draft);
    const envelope = envelopeOf(intent, listed(), WALLET, SEALING);
    expect(envelope).toMatchObject({ spends });
    if (spends !== null) expect(unsigned(draft).struct.makerAmount).toBe(spends);
  });

  test('that is not one of our envelopes is not read', () => {
    const intent = liveIntent();
    for (const content of ['', '{}', 'null', '{"version":2}']) {
      const envelope = { content, sendBy: new Date(NOON), spends: null, dust: NO_SHARES };
      expect(unsignedIn({ intent: { ...intent, envelope } })).toBe(null);
    }
    expect(unsignedIn({ intent })).toBe(null);
  });
});

describe('what is signed never goes above what was asked for', () => {
  const prices = ['0.01', '0.33', '0.57', '0.99'].map(price);
  const sizes = ['1', '10', '10.009', '33.333333', '47.11'].map(usdc);
  const forces = ['GTC', 'FOK', 'FAK'] as const;
  const cases = prices.flatMap((limit) =>
    sizes.flatMap((size) => forces.map((force) => [limit, size, force] as const)),
  );

  test.each(cases)('a purchase at %s for %s, %s', (limit, size, timeInForce) => {
    const intent = liveIntent({ price: limit, size, timeInForce });
    const { struct } = unsigned({ price: limit, size, timeInForce });
    expect(struct.makerAmount).toBeLessThanOrEqual(intent.size);
    expect(struct.makerAmount).toBeGreaterThan(intent.size - 20_000n);
    if (timeInForce === 'GTC') expect(struct.takerAmount).toBe(intent.shares);
    else expect([struct.makerAmount % 10_000n, struct.takerAmount % 100n]).toEqual([0n, 0n]);
  });

  test.each(cases)('a sale at %s for %s, %s', (limit, size, timeInForce) => {
    const intent = liveIntent({ price: limit, size, timeInForce, side: 'SELL' });
    const { struct } = unsigned({ price: limit, size, timeInForce, side: 'SELL' });
    expect(struct.makerAmount).toBe(intent.shares);
    expect(struct.takerAmount).toBe((intent.shares * limit) / 1_000_000n);
  });
});

describe('an order is refused, with what to do', () => {
  const terms = listed().terms;
  const finer = terms === null ? null : { ...terms, tick: price('0.001') };

  test.each<[string, Case, string]>([
    ['without terms', { market: listed({ terms: null }) }, 'market_terms_unknown'],
    ['without ids', { market: listed({ outcomes: null }) }, 'market_unlisted'],
    ['without a condition', { market: listed({ conditionId: null }) }, 'market_unlisted'],
    ['with a token that is no number', { market: withToken('0x1f') }, 'market_unlisted'],
    ['off the grid', { price: price('0.505') }, 'invalid_tick'],
    ['that ends too soon', { timeInForce: 'GTD', expiresAt: new Date(NOON + 124_999) }, 'expiry_too_near'],
    ['without the end it needs', { timeInForce: 'GTD' }, 'expiry_too_near'],
    ['with an end it may not have', { expiresAt: new Date(NOON + 600_000) }, 'invalid_expiration'],
    ['at once and post-only', { timeInForce: 'FOK', postOnly: true }, 'invalid_post_only'],
    ['of less than a cent', { timeInForce: 'FOK', size: usdc('0.009') }, 'invalid_amounts'],
    [
      'whose product has too many decimals',
      {
        timeInForce: 'FAK',
        side: 'SELL',
        price: price('0.333'),
        size: usdc('3.34'),
        market: listed({ terms: finer }),
      },
      'invalid_amounts',
    ],
  ])('%s', (_name, order, code) => {
    expect(refusal(order)).toEqual({ code, message: expect.stringMatching(/\.$/) });
  });

  test('and one that ends just late enough is not', () => {
    const expiresAt = new Date(NOON + 125_000);
    expect(unsigned({ timeInForce: 'GTD', expiresAt }).expiration).toBe(NOON / 1000 + 185);
  });
});

function withToken(tokenId: string): Market {
  const market = listed();
  const [first, second] = market.outcomes ?? [];
  if (first === undefined || second === undefined) throw new Error('a listed market has outcomes');
  return { ...market, outcomes: [{ ...first, tokenId }, second] };
}
