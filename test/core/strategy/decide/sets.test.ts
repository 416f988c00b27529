import { describe, expect, it } from 'vitest';
import { decideBet } from '../../../../src/core/strategy/decide/decide.js';
import { price, shares, usdc } from '../../../support/builders.js';
import { aBook, type InputChanges, inputsOfSet, memberOf } from './view.js';

const ROLES = ['home', 'draw', 'away'] as const;
type Row = readonly [bids: string, asks: string, probability?: bigint];

const decidedAll = (rows: readonly Row[], changes: InputChanges) => {
  const members = rows.map(([bids, asks, p = null], at) => memberOf(ROLES[at] ?? 'home', aBook(bids, asks), p));
  return inputsOfSet(members, changes).map(decideBet);
};

describe('A dutch bet', () => {
  const dutch = { rules: { outcome: 'each', sizing: { method: 'dutch', value: usdc('90') } } } as const;
  const rows: readonly Row[] = [
    ['0.39x500', '0.4x500'],
    ['0.24x500', '0.25x500'],
    ['0.24x500', '0.25x500'],
  ];

  it('divides its stake by cost, so every winner pays the same', () => {
    const bets = decidedAll(rows, dutch);
    expect(bets.map(({ cost }) => cost)).toEqual([usdc('40'), usdc('25'), usdc('25')]);
    expect(bets.map((bet) => bet.shares)).toEqual([shares('100'), shares('100'), shares('100')]);
  });

  it('stops where one more share of each would cost a dollar', () => {
    const shallow: readonly Row[] = [
      ['0.39x500', '0.4x60 0.42x500'],
      ['0.28x500', '0.29x500'],
      ['0.28x500', '0.29x500'],
    ];
    const bets = decidedAll(shallow, dutch);
    expect(bets.map(({ shares: bought, boundBy }) => [bought, boundBy])).toEqual(
      bets.map(() => [shares('60'), 'depth']),
    );
  });

  it('is not made where it cannot win, nor in part', () => {
    const dear: readonly Row[] = [['0.49x500', '0.5x500'], ...rows.slice(1)];
    expect(decidedAll(dear, dutch).map(({ code }) => code)).toEqual(['no_edge', 'no_edge', 'no_edge']);
    const odds = { rules: { ...dutch.rules, filter: { maxOdds: 3_000_000n } } };
    expect(decidedAll(rows, odds).map(({ code }) => code)).toEqual([
      'set_incomplete',
      'odds_out_of_range',
      'odds_out_of_range',
    ]);
    const few: readonly Row[] = [['0.39x500', '0.4x3'], ...rows.slice(1)];
    expect(decidedAll(few, dutch).map(({ code }) => code)).toEqual(['below_minimum', 'below_minimum', 'below_minimum']);
  });
});

describe('Kelly on each outcome of a game', () => {
  const kelly = {
    rules: {
      outcome: 'each',
      sizing: { method: 'kelly', value: 1_000_000n },
      signal: { name: 'model', required: true },
    },
  } as const;
  const rows: readonly Row[] = [
    ['0.44x9000', '0.45x9000', 500_000n],
    ['0.26x9000', '0.27x9000', 300_000n],
    ['0.34x9000', '0.35x9000', 200_000n],
  ];

  it('stakes what the reserve rate leaves, together more than one by one', () => {
    const [home, draw, away] = decidedAll(rows, kelly);
    // f = 0.178571 and 0.107143 of 1000; dollars are spent in whole cents.
    expect(home).toMatchObject({ verdict: 'bet', price: price('0.45'), shares: shares('396.82'), boundBy: 'method' });
    expect(draw).toMatchObject({ verdict: 'bet', price: price('0.27'), shares: shares('396.81'), boundBy: 'method' });
    expect(away).toMatchObject({ verdict: 'skip', code: 'no_edge' });
  });

  it('needs probability and book of every outcome, and a sum of 1', () => {
    const without: readonly Row[] = [...rows.slice(0, 2), ['0.34x9000', '0.35x9000']];
    expect(decidedAll(without, kelly)[0]).toMatchObject({ code: 'input_missing:probabilities' });
    const more: readonly Row[] = [...rows.slice(0, 2), ['0.34x9000', '0.35x9000', 221_000n]];
    expect(decidedAll(more, kelly)[0]).toMatchObject({ code: 'implausible_signal' });
    const [home] = inputsOfSet(
      rows.map(([bids, asks, p = null], at) => memberOf(ROLES[at] ?? 'home', aBook(bids, asks), p)),
      kelly,
    );
    if (home === undefined) throw new RangeError('there is a home team');
    const others = home.others.map((other) => ({ ...other, book: null }));
    expect(decideBet({ ...home, others })).toMatchObject({ code: 'input_missing:books' });
  });
});
