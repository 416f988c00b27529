import { ONE } from '../../money.js';

/** An exact fraction. `d` is above zero. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

/** Micro-units as a fraction. */
export const ratioOf = (micro: bigint): Ratio => ({ n: micro, d: ONE });

/** Above zero where `a` is more, below zero where it is less. */
export const compareRatios = (a: Ratio, b: Ratio): bigint => a.n * b.d - b.n * a.d;

/** The largest whole number that is not above. */
export function floorOf({ n, d }: Ratio): bigint {
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

/** In micro-units, rounded down. */
export const microFloor = ({ n, d }: Ratio): bigint => floorOf({ n: n * ONE, d });

/** In micro-units, rounded up. */
export const microCeil = ({ n, d }: Ratio): bigint => -floorOf({ n: -n * ONE, d });
