import { formatMicro, ONE } from '../../../../src/core/money.js';
import { KNOWN_ADDRESS } from './vectors.js';

/** An order wish; amounts are in 10⁻⁶. */
export interface Wish {
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
export const tickName = (tick: bigint) => formatMicro(tick) as '0.1' | '0.01' | '0.005' | '0.0025' | '0.001' | '0.0001';

/**
 * Wishes in all their kinds, the same for the same seed. Most sizes are of a few shares or dollars, some of very many.
 */
export function randomWishes(count: number, seed: number): Wish[] {
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
