import fc from 'fast-check';
import type { AccountId } from '../../../src/core/ids.js';
import type { Level, MarketChange } from '../../../src/core/market/event.js';
import type { Price, Shares } from '../../../src/core/money.js';
import { ALICE, BOB, price } from '../../support/builders.js';
import type { Ask } from './view.js';

/** One thing that happens; `after` is how many milliseconds after the one before. */
export type Step = { readonly after: number } & (
  | { readonly type: 'event'; readonly change: MarketChange }
  | { readonly type: 'order'; readonly ask: Omit<Ask, 'id' | 'account'> & { readonly account: AccountId } }
  | { readonly type: 'cancel'; readonly order: number }
);

/** What happens to one market, and how long things take there. */
export interface Story {
  readonly latencyMs: number;
  readonly delaySeconds: number;
  /** When the game starts, which clears the book, in milliseconds. */
  readonly startsAt: number;
  readonly rate: string;
  readonly takerOnly: boolean;
  readonly steps: readonly Step[];
}

const GRID = ['0.05', '0.2', '0.35', '0.48', '0.5', '0.52', '0.65', '0.8', '0.95'].map(price);

export const aPrice = fc.constantFrom(...GRID);
/** Whole lots, few enough for levels to be exhausted. */
export const someShares = fc.integer({ min: 500, max: 6000 }).map((lots) => (BigInt(lots) * 10_000n) as Shares);
/** Not always whole lots, and sometimes none. */
const shown = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 6_000 }).map((lots) => (BigInt(lots) * 10_000n) as Shares) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60_000_000 }).map((micro) => BigInt(micro) as Shares) },
  { weight: 2, arbitrary: fc.constant(0n as Shares) },
);

/** Bids below a place of the grid, offers from it on. */
export const aBook: fc.Arbitrary<MarketChange & { readonly type: 'book' }> = fc
  .record({
    middle: fc.integer({ min: 1, max: GRID.length - 1 }),
    sizes: fc.array(shown, { minLength: 9, maxLength: 9 }),
  })
  .map(({ middle, sizes }) => {
    const levels = GRID.map((at, index): Level => ({ price: at, shares: sizes[index] ?? (0n as Shares) }));
    return { type: 'book', bids: levels.slice(0, middle), asks: levels.slice(middle) };
  });

const aSide = fc.constantFrom('bids' as const, 'asks' as const);
const aDirection = fc.constantFrom('BUY' as const, 'SELL' as const);
const aLevel = fc.record({ side: aSide, price: aPrice, shares: shown });

const aChange: fc.Arbitrary<MarketChange> = fc.oneof(
  { weight: 2, arbitrary: aBook },
  {
    weight: 4,
    arbitrary: fc
      .array(aLevel, { minLength: 1, maxLength: 3 })
      .map((changes): MarketChange => ({ type: 'levels', changes })),
  },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('trade'), taker: aDirection, price: aPrice, shares: someShares }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'gap', reason: 'silence' } as const) },
);

const anAsk = fc.record({
  account: fc.constantFrom(ALICE, BOB),
  outcome: fc.constantFrom('YES' as const, 'NO' as const),
  side: fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const),
  price: aPrice,
  shares: someShares,
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'FOK' as const, 'FAK' as const),
});

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('event'), after: fc.nat(400), change: aChange }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('order'), after: fc.nat(400), ask: anAsk }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel'), after: fc.nat(400), order: fc.nat(20) }) },
);

export const aStory: fc.Arbitrary<Story> = fc
  .record({
    latencyMs: fc.constantFrom(0, 0, 150),
    delaySeconds: fc.constantFrom(0, 0, 1),
    startsAt: fc.constantFrom(3_000, 1_000_000),
    rate: fc.constantFrom('0', '0.03', '0.05', '0.07'),
    takerOnly: fc.constantFrom(true, true, false),
    opening: aBook,
    steps: fc.array(aStep, { minLength: 5, maxLength: 40 }),
  })
  .map(({ opening, steps, ...rest }) => ({ ...rest, steps: [{ type: 'event', after: 0, change: opening }, ...steps] }));

/** The same price seen from the other outcome. */
export const otherSide = (at: Price): Price => (1_000_000n - at) as Price;
