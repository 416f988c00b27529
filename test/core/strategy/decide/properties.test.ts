import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mirrored } from '../../../../src/core/market/book.js';
import type { Level } from '../../../../src/core/market/event.js';
import type { Price, Shares, Usdc } from '../../../../src/core/money.js';
import type { BetDecision } from '../../../../src/core/strategy/decide/decide.js';
import type { SizingMethod } from '../../../../src/core/strategy/rules/rule-member.js';
import { aStrategy } from '../../../support/builders.js';
import { runs } from '../../../support/runs.js';
import { FREE } from '../../../support/scripted-market.js';
import { aGame, decided, type InputChanges, likely, NOW } from './view.js';

const LEVELS = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 50_000 })), {
  minLength: 1,
  maxLength: 4,
});
const BOOK = fc.record({ middle: fc.integer({ min: 25, max: 75 }), bids: LEVELS, asks: LEVELS });
const FEE = fc.record({ rate: fc.constantFrom(0n, 30_000n, 50_000n), exponent: fc.constantFrom(1, 2) });
const METHODS = fc.constantFrom<SizingMethod>(
  'flat',
  'fixed_fraction',
  'kelly',
  'to_win',
  'fixed_liability',
  'edge_proportional',
);

type Steps = readonly (readonly [cents: number, size: number])[];

function levelsOf(middle: number, steps: Steps, direction: 1 | -1): readonly Level[] {
  let at = middle;
  return steps.map(([cents, size]) => {
    at += direction * cents;
    return { price: (BigInt(at) * 10_000n) as Price, shares: (BigInt(size) * 10_000n) as Shares };
  });
}

const bookOf = ({ middle, bids, asks }: { middle: number; bids: Steps; asks: Steps }) => ({
  bids: levelsOf(middle, bids, -1),
  asks: levelsOf(middle, asks, 1),
  at: NOW,
  fresh: true,
});

const turned = (levels: readonly Level[]) => levels.map(({ price, shares }) => ({ price: mirrored(price), shares }));

const MODEL = { signal: { name: 'model', required: true } };
const usdcOf = (cents: number) => (BigInt(cents) * 10_000n) as Usdc;
const amounts = ({ verdict, code, token, price, size, shares, cost, boundBy }: BetDecision) => [
  verdict,
  code,
  token,
  price,
  size,
  shares,
  cost,
  boundBy,
];

describe('Whatever the book', () => {
  it('laying an outcome is backing its complement at the remaining probability', () => {
    let [bets, tried] = [0, 0];
    const story = fc.property(
      BOOK,
      FEE,
      METHODS,
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: -200, max: 200 }),
      (drawn, fee, method, amount, off) => {
        tried += 1;
        const book = bookOf(drawn);
        const market = aGame({ fee: { ...FREE, ...fee } });
        const p = BigInt(drawn.middle) * 10_000n + BigInt(off) * 1000n;
        const sizing = {
          method,
          value:
            BigInt(amount) *
            (method === 'flat' || method === 'to_win' || method === 'fixed_liability' ? 100_000n : 2_000n),
        };
        const laid = decided({
          market,
          book,
          estimate: likely(p),
          rules: { ...MODEL, sizing, filter: { side: 'LAY' }, outcome: { index: 0 } },
        });
        const backed = decided({
          market,
          book,
          estimate: likely(p),
          outcome: 'NO',
          rules: { ...MODEL, sizing, outcome: { index: 1 } },
        });
        expect(amounts(laid)).toEqual(amounts(backed));
        expect(laid.edge).toBe(backed.edge);
        // The same bet seen from the mirrored market, where the complement comes first.
        const mirror = { ...book, bids: turned(book.asks), asks: turned(book.bids) };
        const first = decided({ market, book: mirror, estimate: likely(1_000_000n - p), rules: { ...MODEL, sizing } });
        expect([first.price, first.size, first.cost]).toEqual([laid.price, laid.size, laid.cost]);
        if (laid.verdict === 'bet') bets += 1;
      },
    );
    fc.assert(story, { numRuns: runs(200) });
    expect(bets).toBeGreaterThan(tried / 4);
  });

  it('a larger edge never bets less under Kelly', () => {
    let [bets, tried] = [0, 0];
    const story = fc.property(
      BOOK,
      FEE,
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 40 }),
      (drawn, fee, fraction, off, more) => {
        tried += 1;
        const stake = (p: bigint) =>
          decided({
            market: aGame({ fee: { ...FREE, ...fee } }),
            book: bookOf(drawn),
            estimate: likely(p),
            rules: { ...MODEL, sizing: { method: 'kelly', value: BigInt(fraction) * 1000n } },
          });
        const p = BigInt(drawn.middle) * 10_000n + BigInt(off) * 1000n;
        const [less, larger] = [stake(p), stake(p + BigInt(more) * 1000n)];
        if (less.verdict === 'skip' || larger.code === 'implausible_signal') return;
        bets += 1;
        expect(larger.verdict).toBe('bet');
        expect((larger.shares ?? 0n) >= less.shares).toBe(true);
      },
    );
    fc.assert(story, { numRuns: runs(300) });
    expect(bets).toBeGreaterThan(tried / 4);
  });

  it('no cap is exceeded', () => {
    let [bets, tried] = [0, 0];
    const cents = fc.integer({ min: 300, max: 60_000 });
    const caps = fc.record({ stakeCap: cents, bankroll: cents, event: cents, cash: cents, venue: cents });
    const story = fc.property(BOOK, FEE, METHODS, cents, caps, (drawn, fee, method, wanted, drawnCaps) => {
      tried += 1;
      const [stakeCap, bankrollCap, event, freeCash, venueMaximum] = Object.values(drawnCaps).map(usdcOf) as [
        Usdc,
        Usdc,
        Usdc,
        Usdc,
        Usdc,
      ];
      const value =
        method === 'fixed_fraction' || method === 'kelly' || method === 'edge_proportional'
          ? BigInt(wanted) * 16n
          : usdcOf(wanted);
      const inputs: InputChanges = {
        market: aGame({ fee: { ...FREE, ...fee } }),
        book: bookOf(drawn),
        freeCash,
        venueMaximum,
        estimate: likely(BigInt(drawn.middle) * 10_000n + 100_000n),
        strategy: aStrategy({ stakeCap, bankrollCap }),
        limitsLeft: [{ name: 'event_loss_usdc', left: event }],
        rules: { ...MODEL, sizing: { method, value } },
      };
      const bet = decided(inputs);
      if (bet.verdict === 'skip') return;
      bets += 1;
      const most = BigInt(
        (bet.inputs['most_cost'] ?? '').replace(
          /^(\d+)(?:\.(\d*))?$/,
          (_, whole, part = '') => whole + part.padEnd(6, '0'),
        ),
      );
      expect(bet.size <= stakeCap && bet.size <= venueMaximum).toBe(true);
      expect(bet.cost <= most && most <= bankrollCap && most <= event && most <= freeCash).toBe(true);
      const depth = (inputs.book?.asks ?? [])
        .filter(({ price }) => price <= bet.price)
        .reduce((sum, { shares }) => sum + shares, 0n);
      expect(bet.shares <= depth).toBe(true);
    });
    fc.assert(story, { numRuns: runs(300) });
    expect(bets).toBeGreaterThan(tried / 4);
  });
});
