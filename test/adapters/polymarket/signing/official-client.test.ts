import { OrderBuilder, orderToJsonV2, type SignedOrder } from '@polymarket/clob-client-v2';
import { createWalletClient, hashTypedData, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { limitAmounts, marketAmounts, type OrderAmounts } from '../../../../src/adapters/polymarket/signing/amounts.js';
import { EXCHANGES } from '../../../../src/adapters/polymarket/signing/exchanges.js';
import { orderBody } from '../../../../src/adapters/polymarket/signing/order-body.js';
import { ORDER_TYPE, orderHash } from '../../../../src/adapters/polymarket/signing/order-hash.js';
import { OrderInexpressible } from '../../../../src/adapters/polymarket/signing/order-inexpressible.js';
import type { OrderStruct } from '../../../../src/adapters/polymarket/signing/signer.js';
import { CheckedSigner } from '../../../../src/adapters/polymarket/signing/signers/checked-signer.js';
import { formatMicro, MOST_SHARES, ONE, type Price, type Shares, type Usdc } from '../../../../src/core/money.js';
import { KNOWN_ADDRESS, KNOWN_KEY, knownKey, structOf, type WireOrder } from './vectors.js';

/** An order wish; amounts are in 10⁻⁶. */
interface Wish {
  readonly kind: 'limit' | 'market';
  readonly side: 'BUY' | 'SELL';
  readonly chainId: 137 | 80002;
  readonly negRisk: boolean;
  readonly signatureType: 0 | 1 | 2 | 3;
  readonly funder: `0x${string}`;
  readonly tokenId: bigint;
  readonly tick: bigint;
  readonly price: bigint;
  /** Dollars for a market purchase, and shares otherwise. */
  readonly size: bigint;
}

const TICKS = ['100000', '10000', '5000', '2500', '1000', '100'].map(BigInt);

/** The tick as the official client names it. */
const tickName = (tick: bigint) => formatMicro(tick) as '0.1' | '0.01' | '0.005' | '0.0025' | '0.001' | '0.0001';

/**
 * Wishes in all their kinds, the same for the same seed. Most sizes are of a few shares or dollars, some of very many.
 */
function randomWishes(count: number, seed: number): Wish[] {
  const pick = pickerFrom(seed);
  const oneOf = <T>(...choices: readonly T[]): T => choices[pick(choices.length)] as T;
  return Array.from({ length: count }, (): Wish => {
    const tick = oneOf(...TICKS);
    const signatureType = oneOf<Wish['signatureType']>(0, 1, 2, 3);
    return {
      kind: oneOf('limit', 'market'),
      side: oneOf('BUY', 'SELL'),
      chainId: oneOf<Wish['chainId']>(137, 80002),
      negRisk: oneOf(true, false),
      signatureType,
      funder: signatureType === 0 ? KNOWN_ADDRESS : `0x${bits(160, pick).toString(16).padStart(40, '0')}`,
      tokenId: bits(256, pick),
      tick,
      price: tick * BigInt(1 + pick(Number(ONE / tick) - 1)),
      size: 10_000n * BigInt(100 + pick(oneOf(1_000, 100_000, 100_000_000))),
    };
  });
}

function bits(count: number, pick: (below: number) => number): bigint {
  let drawn = 0n;
  for (let bit = 0; bit < count; bit += 16) drawn = (drawn << 16n) | BigInt(pick(65_536));
  return drawn;
}

/** Mulberry32. */
function pickerFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const WISHES = randomWishes(1_000, 20_261_121);
const FOUR_DECIMALS = 100n;
const account = privateKeyToAccount(`0x${KNOWN_KEY}`);
const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:9') });
const FIELDS = ORDER_TYPE.slice('Order('.length, -1)
  .split(',')
  .map((field) => field.split(' '))
  .map(([type = '', name = '']) => ({ type, name }));

const built = await Promise.all(WISHES.map(async (wish) => ({ wish, official: await officialOrder(wish) })));

/**
 * The official client reads binary fractions; every price and size here is one that prints as the decimal that is
 * meant.
 */
async function officialOrder({
  kind,
  side,
  chainId,
  signatureType,
  funder,
  ...wish
}: Wish): Promise<WireOrder & SignedOrder> {
  const builder = new OrderBuilder(wallet, chainId, signatureType as number, funder);
  const order = { tokenID: `${wish.tokenId}`, side: side as never, price: Number(formatMicro(wish.price)) };
  const size = Number(formatMicro(wish.size));
  const options = { tickSize: tickName(wish.tick), negRisk: wish.negRisk };
  const signed =
    kind === 'limit'
      ? await builder.buildOrder({ ...order, size }, options, 2)
      : await builder.buildMarketOrder({ ...order, amount: size }, options, 2);
  return signed as unknown as WireOrder & SignedOrder;
}

function ourAmounts({ kind, side, price, size, tick }: Wish): OrderAmounts {
  const grid = [price as Price, tick as Price] as const;
  if (kind === 'limit') return limitAmounts(side, grid[0], size as Shares, grid[1]);
  return side === 'BUY'
    ? marketAmounts(side, grid[0], size as Usdc, grid[1])
    : marketAmounts(side, grid[0], size as Shares, grid[1]);
}

/** Integers alone, by the rule of the official client: its amounts where its binary fractions do not get in between. */
function byItsRule({ kind, side, price, size, tick }: Wish): string {
  const decimals = { '0.1': 3, '0.01': 4, '0.005': 5, '0.0025': 6, '0.001': 5, '0.0001': 6 }[tickName(tick)];
  if (side === 'SELL') return `${size} ${(size * price) / ONE}`;
  if (kind === 'limit') return `${(size * price) / ONE} ${size}`;
  const step = 10n ** BigInt(6 - decimals);
  return `${size} ${((size * ONE) / price / step) * step}`;
}

/** Why the amounts of an order cannot be compared; null for one whose must be the same. */
function skipped(wish: Wish, { makerAmount, takerAmount }: WireOrder): string | null {
  if (`${makerAmount} ${takerAmount}` !== byItsRule(wish)) return 'binary fractions of the official client';
  if (wish.kind === 'limit' || BigInt(takerAmount) % FOUR_DECIMALS === 0n) return null;
  return `refused by the venue: more than four decimals in a market ${wish.side}`;
}

describe('on 1,000 random orders, the official client and we', () => {
  test('agree on every amount that the venue takes', () => {
    const counts = new Map<string, number>();
    for (const { wish, official } of built) {
      const reason = skipped(wish, official);
      counts.set(reason ?? 'compared', (counts.get(reason ?? 'compared') ?? 0) + 1);
      if (reason !== null) continue;
      const { makerAmount, takerAmount } = ourAmounts(wish);
      expect(`${makerAmount} ${takerAmount}`, JSON.stringify(official)).toBe(
        `${official.makerAmount} ${official.takerAmount}`,
      );
    }
    console.log(Object.fromEntries(counts));
    expect(counts.get('compared')).toBeGreaterThan(600);
    expect(counts.get('binary fractions of the official client') ?? 0).toBeLessThan(20);
  });

  test('differ by at most a unit where its binary fractions interfere', () => {
    const inexact = built.filter(({ wish, official }) => skipped(wish, official)?.startsWith('binary'));
    const distances = inexact.map(({ wish, official }) => {
      const [maker = 0n, taker = 0n] = byItsRule(wish).split(' ').map(BigInt);
      return [maker - BigInt(official.makerAmount), taker - BigInt(official.takerAmount)];
    });
    expect(distances.flat().filter((distance) => distance > 1n || distance < -1n)).toEqual([]);
  });

  test('differ where the venue refuses its order: ours is smaller or refused', () => {
    for (const { wish, official } of built.filter((row) => skipped(row.wish, row.official)?.startsWith('refused'))) {
      if (wish.side === 'SELL') expect(() => ourAmounts(wish)).toThrow(OrderInexpressible);
      else {
        const theirs = BigInt(official.takerAmount);
        expect(ourAmounts(wish).takerAmount).toBe(theirs - (theirs % FOUR_DECIMALS));
      }
    }
  });

  test('agree on every signature and every byte sent', async () => {
    const terms = { owner: 'key', orderType: 'GTC', expiration: 0, postOnly: false, deferExec: false } as const;
    for (const { wish, official } of built) {
      const { chainId, signatureType, funder } = wish;
      const notionalCap = MOST_SHARES as bigint as Usdc;
      const signer = new CheckedSigner(knownKey(), { chainId, signatureType, funder, notionalCap });
      const order = structOf(official);
      expect(await signer.signOrder(order, wish)).toBe(official.signature);
      const theirs = orderToJsonV2(official as never, 'key', 'GTC' as never);
      expect(orderBody(order, official.signature as `0x${string}`, terms)).toBe(JSON.stringify(theirs));
    }
  });

  test('agree with viem on every id at the venue', () => {
    for (const { wish, official } of built) {
      const order = structOf(official);
      expect(orderHash(order, wish)).toBe(hashByViem(order, wish));
    }
  });
});

function hashByViem(message: OrderStruct, { chainId, negRisk }: Wish): string {
  return hashTypedData({
    domain: {
      name: 'Polymarket CTF Exchange',
      version: '2',
      chainId,
      verifyingContract: negRisk ? EXCHANGES.negRisk : EXCHANGES.standard,
    },
    types: { Order: FIELDS },
    primaryType: 'Order',
    message: { ...message },
  });
}
