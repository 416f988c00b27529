import { least, NO_SHARES, plus, type Shares } from '../../money.js';
import { costAt, type Ladder } from '../price/ladder.js';
import type { Ratio } from '../price/ratio.js';

/** What one share of each outcome costs together, at the best levels; below 1, that is less than they pay. */
export function costOfSet(ladders: readonly Ladder[]): Ratio {
  return sumOf(
    ladders.map((ladder) => (ladder.rungs[0] === undefined ? { n: 1n, d: 1n } : costAt(ladder, ladder.rungs[0]))),
  );
}

/**
 * How many shares of each outcome can be bought while one more share of each still costs less than 1 together. A dutch bet has as many
 * shares of each, so that it pays the same whichever wins: stakes are as the costs, s = S·c/Σc.
 */
export function dutchDepth(ladders: readonly Ladder[]): Shares {
  for (let bought = NO_SHARES; ; ) {
    const next = ladders.map((ladder) => stepAfter(ladder, bought)).filter((step) => step !== null);
    const { n, d } = sumOf(next.map(({ cost }) => cost));
    if (next.length < ladders.length || n >= d) return bought;
    bought = next.map(({ until }) => until).reduce(least);
  }
}

/** What the share after so many costs, and how many shares the levels up to its own have; null where they have no more. */
function stepAfter(ladder: Ladder, bought: Shares): { readonly cost: Ratio; readonly until: Shares } | null {
  let until = NO_SHARES;
  for (const rung of ladder.rungs) {
    until = plus(until, rung.shares);
    if (until > bought) return { cost: costAt(ladder, rung), until };
  }
  return null;
}

const sumOf = (parts: readonly Ratio[]): Ratio =>
  parts.reduce((sum, part) => ({ n: sum.n * part.d + part.n * sum.d, d: sum.d * part.d }), { n: 0n, d: 1n });
