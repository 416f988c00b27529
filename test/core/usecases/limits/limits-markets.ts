import fc from 'fast-check';
import type { MarketId } from '../../../../src/core/ids.js';
import type { LimitsChange } from '../../../../src/core/limits/limits.js';
import { type Market, NO_VENUE, OUTCOME_SIDES, type OutcomeSide } from '../../../../src/core/market/market.js';
import type { Price, Shares, Usdc } from '../../../../src/core/money.js';
import type { Order } from '../../../../src/core/order/order.js';
import type { Strategy } from '../../../../src/core/strategy/strategy.js';
import type { HeldPosition } from '../../../../src/core/usecases/strategies/exit-orders.js';
import { limitsOfSale } from '../../../../src/core/usecases/strategies/exit-orders.js';
import type { Ledger } from '../../../../src/ports/ledger.js';
import { aMarket, anExecution, NOON, usdc } from '../../../support/builders.js';
import { aMarket as aTermedMarket } from '../../../support/scripted-market.js';
import type { Holder, Working } from './limits-oracle.js';

/** Limits as they are set first. */
export const HIGH = {
  marketLossUsdc: usdc('6'),
  eventLossUsdc: usdc('8'),
  exposureUsdc: usdc('10'),
  dailyStakeUsdc: usdc('20'),
  dailyLossUsdc: usdc('3'),
  drawdownUsdc: usdc('4'),
  openOrders: 6,
  ordersPerMinute: 12,
} satisfies LimitsChange;
/** Limits after they were lowered. */
export const LOW = {
  marketLossUsdc: usdc('3'),
  eventLossUsdc: usdc('4'),
  exposureUsdc: usdc('5'),
  dailyStakeUsdc: usdc('10'),
  dailyLossUsdc: usdc('1.5'),
  drawdownUsdc: usdc('2'),
  openOrders: 2,
  ordersPerMinute: 4,
} satisfies LimitsChange;
/** Limits of one strategy. */
export const OWN = { eventLoss: usdc('2.5'), dailyLoss: usdc('2'), maxBetsPerDay: 5, bankrollCap: usdc('12') };

/** In millionths, what a taker pays of shares × price × (1 − price). */
export const FEE = 50_000n;

/** What a venue has on the results of the three markets of a game: exactly one of them wins, one of them or another does, or that is not known. */
export const KNOWN_RESULTS = ['whole', 'open', 'unknown'] as const;
/** One of these. */
export type KnownResults = (typeof KNOWN_RESULTS)[number];
const ROLES = ['home', 'draw', 'away'] as const;

/** The three markets of a game, and one by itself. */
export function marketsAs(results: KnownResults): readonly Market[] {
  const { terms } = aTermedMarket({ fee: { rate: FEE, exponent: 1, takerOnly: false, asOf: new Date(NOON) } });
  const game = ROLES.map((role) =>
    aMarket({
      id: role as string as MarketId,
      terms,
      exclusiveSet: results === 'unknown' ? null : 'game',
      role: results === 'whole' ? role : null,
      event: { id: 'game', slug: null, title: null },
    }),
  );
  return [...game, aMarket({ id: 'other' as MarketId, terms, event: { id: 'other', slug: null, title: null } })];
}

/** The day, the next two, and one of a wrong clock: one more than are kept. */
const DAYS = [0, 1, 2, 31] as const;

const where = {
  market: fc.nat({ max: 3 }),
  outcome: fc.constantFrom(...OUTCOME_SIDES),
  cents: fc.integer({ min: 2, max: 98 }),
};
const pick = fc.nat({ max: 20 });
const trade = <T extends 'BUY' | 'SELL'>(type: T) =>
  fc.record({
    type: fc.constant(type),
    ...where,
    lots: fc.integer({ min: 1, max: 600 }),
    byStrategy: fc.boolean(),
    aimed: fc.boolean(),
  });
/** Any of what may happen. */
export const aCommand = fc.oneof(
  { weight: 7, arbitrary: trade('BUY') },
  { weight: 7, arbitrary: trade('SELL') },
  {
    weight: 14,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      pick,
      part: fc.integer({ min: 1, max: 3 }),
      better: fc.nat({ max: 5 }),
      confirmed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('undo' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('settle' as const), market: fc.nat({ max: 3 }), won: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('limits' as const), low: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ type: 'watch' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('resume' as const), anew: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('metadata' as const), results: fc.constantFrom(...KNOWN_RESULTS) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('clock' as const), day: fc.constantFrom(...DAYS) }) },
  // Two clocks that differ by a few seconds, at the end of a day.
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('midnight' as const),
      day: fc.constantFrom(...DAYS),
      seconds: fc.integer({ min: -5, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('leave' as const), pick, cents: where.cents }) },
);
/** What may happen to an account. */
export type Command = typeof aCommand extends fc.Arbitrary<infer T> ? T : never;
/** An order that somebody tries to place. */
export type Trade = Extract<Command, { type: 'BUY' | 'SELL' }>;

/** By these a sale may be refused although it raises no worst case: they are about numbers of orders, their size, or their price. */
export const OF_ANY_SALE: readonly string[] = [
  'max_open_exceeded',
  'order_rate_exceeded',
  'self_cross',
  'order_too_small',
];
/** The codes of what an account lost. */
export const OF_LOSSES: readonly string[] = ['daily_loss_exceeded', 'drawdown_exceeded'];
/** The codes by which a sale is refused that raises a worst case, and no other one. */
export const OF_RAISING_SALES: readonly string[] = [
  ...OF_LOSSES,
  'market_loss_exceeded',
  'event_loss_exceeded',
  'account_exposure_exceeded',
];

/** An order that was accepted, for what is counted. */
export interface Accepted {
  readonly order: Order;
  readonly day: number;
  readonly at: number;
}

/** What an order is about. */
export interface Wanted {
  readonly side: 'BUY' | 'SELL';
  readonly marketId: MarketId;
  readonly outcome: OutcomeSide;
  readonly price: Price;
  readonly shares: bigint;
  readonly byStrategy: boolean;
}

/** True of a purchase. */
export const isPurchase = ({ intent }: Order): boolean => intent.side === 'BUY';
/** True of an order of the strategy. */
export const isOwn = ({ intent }: Order): boolean => intent.strategy !== null;
/** What is known of a market, as the oracle takes it. */
export const groupOf = ({ event, exclusiveSet: set, role }: Market) => ({ event: event?.id ?? '', set, role });

/** What an order may still trade. */
export function workingOf(order: Order): Working {
  const { marketId: market, outcome, side, price } = order.intent;
  return { market, outcome, side, price, shares: order.intent.shares - order.filled.shares };
}

/** A fill of an order, better than its limit by so many cents where there is such a price. */
export function executionOf(order: Order, shares: Shares, better: number, confirmed: boolean) {
  const { price: limit, side } = order.intent;
  const moved = limit + (side === 'BUY' ? -1n : 1n) * BigInt(better) * 10_000n;
  const price = (moved < 10_000n || moved > 990_000n ? limit : moved) as Price;
  const fee = ((shares * FEE * price * (1_000_000n - price)) / 1_000_000n ** 3n) as Usdc;
  return { ...anExecution({ shares, price, fee, confirmed }), tradeId: `${order.id} ${order.seq}`, fee };
}

const ALL: Command = { type: 'fill', pick: 0, part: 1, better: 0, confirmed: true };
const BACK: Trade = { type: 'BUY', market: 3, outcome: 'YES', cents: 20, lots: 600, byStrategy: true, aimed: false };
/** A strategy holds both sides of a market; of the one its limit leaves a part of a sale only. */
export const HEDGED: Command[] = [
  BACK,
  ALL,
  { ...BACK, cents: 60, aimed: true },
  ALL,
  { type: 'leave', pick: 0, cents: 30 },
];

const OUTRIGHT: Trade = { ...BACK, cents: 60, byStrategy: false };
const OUT: Trade = { ...OUTRIGHT, type: 'SELL' };
/** The account loses what it may in a day: what it has left is sold all the same, and the next purchase halts it. */
export const LOST: Command[] = [
  OUTRIGHT,
  ALL,
  { ...OUTRIGHT, lots: 300 },
  ALL,
  { ...OUT, cents: 2 },
  ALL,
  { ...OUT, lots: 100 },
  { ...OUTRIGHT, lots: 100 },
  { ...OUT, lots: 100 },
];

/** What is free of an outcome with each of these, in whole lots. */
export function freeOf(
  holders: readonly Holder[],
  working: readonly Order[],
  market: MarketId,
  outcome: OutcomeSide,
): bigint {
  const sales = working.map(workingOf).filter((one) => one.side === 'SELL' && one.market === market);
  const sold = sales.filter((one) => one.outcome === outcome).reduce((sum, one) => sum + one.shares, 0n);
  const free = holders.map((one) => one.shares(market, outcome) - sold).reduce((a, b) => (a < b ? a : b));
  return free - (free % 10_000n);
}

/** A hundredth of a share, and, of a price, a cent. */
export const LOT = 10_000n;
/** For an order's fee so much more is reserved than it is: two steps by which it is rounded, and one for what was filled. */
export const FEE_STEPS = 40n;

/** What the limits leave of a sale of so many shares of a strategy. */
export async function sharesLeft(
  ledger: Ledger,
  strategy: Strategy,
  market: Market,
  outcome: OutcomeSide,
  free: bigint,
): Promise<bigint> {
  const risks = [null, strategy.id].map((strategyId) => ({ paper: true, strategyId }));
  const held = { paper: true, venue: NO_VENUE, marketId: market.id, outcome } as HeldPosition;
  const judgement = { held, view: { market, book: null }, estimate: null };
  const terms = { liveOrderCap: null, book: undefined };
  const bounds = await ledger.read({ account: strategy.account, strategies: [strategy.id], risks }, (now) =>
    limitsOfSale(now, judgement, strategy, free as Shares, terms),
  );
  return bounds.reduce((least, { most }) => ('shares' in most && most.shares < least ? most.shares : least), free);
}
