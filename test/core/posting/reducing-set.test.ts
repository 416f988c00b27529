import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPosition } from '../../../src/core/account/position.js';
import type { OutcomeRole } from '../../../src/core/market/market.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import { intentOf } from '../../../src/core/order/draft.js';
import { mostCost } from '../../../src/core/order/order.js';
import { type HeldMarket, lowersWorstCase } from '../../../src/core/posting/trading-stop.js';
import { ALICE, aMarket, anOrderDraft, WHERE } from '../../support/builders.js';
import { runs } from '../../support/runs.js';

/** Shares of one market: held, for sale, and still to be bought. */
interface Shown {
  readonly YES?: Amounts;
  readonly NO?: Amounts;
}
type Amounts = readonly [held: number, onSale?: number, wanted?: number];

const KEY = { account: ALICE, paper: true, ...WHERE, outcome: 'YES', strategyId: null } as const;
const whole = (shares = 0) => (BigInt(shares) * 1_000_000n) as Shares;
const position = ([held, onSale, wanted]: Amounts = [0]) => ({
  ...emptyPosition(KEY),
  shares: whole(held),
  reserved: whole(onSale),
  wanted: whole(wanted),
});
const market = (role: OutcomeRole | null, { YES, NO }: Shown = {}): HeldMarket => ({
  role,
  YES: position(YES),
  NO: position(NO),
});
const order = (side: 'BUY' | 'SELL', shares: number, cents: number, outcome: 'YES' | 'NO' = 'YES') => {
  const size = BigInt(shares * cents) * 10_000n;
  const draft = anOrderDraft({ outcome, side, price: (BigInt(cents) * 10_000n) as Price, size: size as Usdc });
  return intentOf(draft, aMarket(), null);
};

/** Ten shares of home, draw and away: ten dollars come back, whoever wins. */
const [HOME, DRAW, AWAY] = (['home', 'draw', 'away'] as const).map((role) => market(role, { YES: [10] })) as [
  HeldMarket,
  HeldMarket,
  HeldMarket,
];

describe('In reducing mode, over markets of which exactly one resolves YES', () => {
  it('one leg of a full set is not sold', () => {
    expect(lowersWorstCase(order('SELL', 10, 30), HOME)).toBe(true);
    expect(lowersWorstCase(order('SELL', 10, 30), HOME, [DRAW, AWAY])).toBe(false);
    // Without the draw nothing is sure, and what is sold for three dollars is more than nothing.
    expect(lowersWorstCase(order('SELL', 10, 30), HOME, [AWAY])).toBe(true);
  });

  it('only the leg that completes a set is bought', () => {
    expect(lowersWorstCase(order('BUY', 10, 30), market('away'), [HOME, DRAW])).toBe(true);
    expect(lowersWorstCase(order('BUY', 10, 30), market('away'), [HOME])).toBe(false);
    expect(lowersWorstCase(order('BUY', 10, 30), market('away'))).toBe(false);
  });

  it('a set not known to be whole may resolve without any YES', () => {
    const named = [HOME, DRAW].map((one) => ({ ...one, role: null }));
    expect(lowersWorstCase(order('BUY', 10, 30), market(null), named)).toBe(false);
  });

  it('NO of a leg hedges its YES, up to the shares held', () => {
    const held = market('home', { YES: [10] });
    expect(lowersWorstCase(order('BUY', 10, 30, 'NO'), held, [DRAW])).toBe(true);
    expect(lowersWorstCase(order('BUY', 11, 30, 'NO'), held, [DRAW])).toBe(false);
    expect(lowersWorstCase(order('BUY', 10, 30), held, [market('draw', { NO: [10] })])).toBe(false);
  });

  it('each accepted order raises the least return, whichever resting orders fill', () => {
    const accepted = { BUY: 0, SELL: 0 };
    const tell = (told: Story) => {
      if (isAccepted(told)) accepted[told.side] += 1;
    };
    fc.assert(fc.property(story, tell), { numRuns: runs(1000) });
    for (const times of Object.values(accepted)) expect(times).toBeGreaterThan(4);
  });
});

const amounts = fc
  .tuple(...[20, 8, 4].map((max) => fc.integer({ min: 0, max })))
  .map(([held = 0, onSale = 0, wanted = 0]): Amounts => [held + onSale, onSale, wanted]);
const aSide = fc.constantFrom('BUY' as const, 'SELL' as const);
const anOutcome = fc.constantFrom('YES' as const, 'NO' as const);
const story = fc.record({
  set: fc.array(fc.record({ YES: amounts, NO: amounts }), { minLength: 1, maxLength: 3 }),
  isWhole: fc.boolean(),
  side: aSide,
  outcome: anOutcome,
  shares: fc.integer({ min: 1, max: 8 }),
  cents: fc.integer({ min: 1, max: 99 }),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;
const ROLES = ['home', 'draw', 'away'] as const;

/** Fails where the order is accepted, and does not raise the least that comes back whichever of the orders that rest are filled. */
function isAccepted({ set, isWhole, side, outcome, shares, cents }: Story): boolean {
  const markets = set.map((one, at) => market(isWhole ? (ROLES[at] ?? null) : null, one));
  const [own, ...others] = markets as [HeldMarket, ...HeldMarket[]];
  const asked = order(side, shares, cents, outcome);
  if (!lowersWorstCase(asked, own, others)) return false;
  const [cost, moved] = side === 'BUY' ? [mostCost(asked), shares] : [-BigInt(shares * cents) * 10_000n, -shares];
  const winners = [...(isWhole && set.length === 3 ? [] : [-1]), ...set.keys()];
  const back = (filled: Held, more: number) => leastBack(filled, winners, outcome, more);
  const lost = everyFill(set).find((filled) => back(filled, moved) - 2n * cost <= back(filled, 0));
  expect(lost).toBeUndefined();
  return true;
}

type Held = readonly (readonly [yes: number, no: number])[];

/** What is held once each of the resting orders is filled, or not. Their money is the same with every result. */
function everyFill(set: readonly Required<Shown>[]): readonly Held[] {
  const ways = ([held, onSale = 0, wanted = 0]: Amounts) => [
    held,
    held - onSale,
    held + wanted,
    held - onSale + wanted,
  ];
  return set.reduce<readonly Held[]>(
    (all, { YES, NO }) =>
      all.flatMap((one) => ways(YES).flatMap((yes) => ways(NO).map((no) => [...one, [yes, no] as const]))),
    [[]],
  );
}

/** Twice the least that comes back by any of these winners, -1 for none of them, or by one half for every share. */
function leastBack(held: Held, winners: readonly number[], outcome: 'YES' | 'NO', more: number): bigint {
  const own = (at: number, side: 'YES' | 'NO') => (at === 0 && side === outcome ? more : 0);
  const sums = winners.map((winner) =>
    held.reduce((all, [yes, no], at) => all + 2 * (at === winner ? yes + own(at, 'YES') : no + own(at, 'NO')), 0),
  );
  const split = held.reduce((all, [yes, no], at) => all + yes + no + own(at, 'YES') + own(at, 'NO'), 0);
  return BigInt(Math.min(split, ...sums)) * 1_000_000n;
}
