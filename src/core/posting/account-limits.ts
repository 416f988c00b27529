import type { Balance } from '../account/account.js';
import type { PositionKey } from '../account/position.js';
import { NOTHING_COUNTED, ordersWithinMinute, stakeOn } from '../limits/counted.js';
import type { HeldRisks } from '../limits/held-risks.js';
import { LIMIT_CODES, LIMITS, type Limits, NO_LIMITS } from '../limits/limits.js';
import { NOTHING_WORKING } from '../limits/risk.js';
import { type BookView, isCrossed, seenFrom } from '../market/book.js';
import type { OutcomeSide } from '../market/market.js';
import { formatMicro, minus, NO_USDC, ONE, type Price, plus, type Usdc } from '../money.js';
import { mostCost, type Order, type Refusal, refusal } from '../order/order.js';
import type { LimitLeft } from '../strategy/conditions/candidate.js';
import type { PriceLeft, SaleBound } from '../strategy/exit/exit-inputs.js';
import { aboveLimit, dollars, lossesLeft, overLosses, type RiskFacts } from './worst-case-limits.js';

/** What the limits of an account are compared with, all of the moment of the decision but for the book. */
export interface LimitFacts extends RiskFacts {
  readonly limits: Limits;
  /** The cash of the account, on paper or with real money as the order is. */
  readonly balances: readonly Balance[];
  /** The book of the market as it was read before; undefined where there is none. */
  readonly book: BookView | undefined;
  readonly at: Date;
  /** The day of `at`. */
  readonly today: string;
}

/**
 * Why an order that was not reserved yet is above a limit of its account, or null. An order that raises no worst case passes
 * even where that is at its limit: a hedge, or a sale.
 */
export function overLimits(order: Order, facts: LimitFacts): Refusal | null {
  return (
    tooLarge(order, facts) ??
    tooMany(order, facts) ??
    outOfBand(order, facts) ??
    selfCross(order, facts) ??
    overDailyStake(order, facts) ??
    overLosses(order, facts, 'The account')
  );
}

/** What the limits of amounts leave for one more purchase of an outcome, in the order in which `overLimits` tests them. */
export function limitsLeft(
  key: PositionKey,
  facts: Pick<LimitFacts, 'limits' | 'risks' | 'group' | 'balances' | 'today'>,
): readonly LimitLeft[] {
  const { orderUsdc, dailyStakeUsdc } = facts.limits;
  const ofDay = (cap: Usdc) => notNegative(minus(cap, stakeOf(facts.balances, facts.today)));
  return [
    ...(orderUsdc === null ? [] : [{ name: LIMITS.orderUsdc.shown, left: orderUsdc, isSize: true as const }]),
    ...(dailyStakeUsdc === null ? [] : [{ name: LIMITS.dailyStakeUsdc.shown, left: ofDay(dailyStakeUsdc) }]),
    ...lossesLeft(key, facts),
  ];
}

function tooLarge({ intent }: Order, { limits }: LimitFacts): Refusal | null {
  const cap = limits.orderUsdc;
  if (cap === null || intent.size <= cap) return null;
  return aboveLimit('orderUsdc', dollars(intent.size, cap));
}

function tooMany(_: Order, { limits, risks, balances, at }: LimitFacts): Refusal | null {
  const { openOrders, ordersPerMinute } = limits;
  const recent = balances.reduce((sum, { counted = NOTHING_COUNTED }) => sum + ordersWithinMinute(counted, at), 0);
  if (ordersPerMinute !== null && recent >= ordersPerMinute)
    return aboveLimit('ordersPerMinute', `orders=${recent}, cap=${ordersPerMinute}.`);
  const open = risks.openOrders;
  if (openOrders === null || open < openOrders) return null;
  return aboveLimit('openOrders', `orders=${open}, cap=${openOrders}.`);
}

/** Best prices of an outcome, and twice the middle between them, which is a whole number; null without a fresh book that has both sides. */
function twiceMiddle(outcome: OutcomeSide, book: BookView | undefined): Sides | null {
  if (book === undefined || isCrossed(book)) return null;
  const { bids, asks, fresh } = seenFrom(outcome, book);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  return fresh && bid !== undefined && ask !== undefined ? { bid, ask, twice: bid + ask } : null;
}

interface Sides {
  readonly bid: Price;
  readonly ask: Price;
  readonly twice: bigint;
}

function outOfBand({ intent }: Order, { limits, book }: LimitFacts): Refusal | null {
  const cap = limits.priceBand;
  if (cap === null) return null;
  const middle = twiceMiddle(intent.outcome, book);
  if (middle === null) {
    const words = 'The account has a price band, and the market has no fresh book with both sides to measure it from.';
    return refusal('market_data_stale', words);
  }
  const distance = 2n * intent.price - middle.twice;
  if ((distance < 0n ? -distance : distance) <= 2n * cap) return null;
  const prices = `price ${formatMicro(intent.price)}, bid ${formatMicro(middle.bid)}, ask ${formatMicro(middle.ask)}`;
  return aboveLimit('priceBand', `${prices}, cap=${formatMicro(cap)}.`);
}

/** A BUY of one outcome at p meets a SELL of it at p or below, and a BUY of the other one at 1 − p or above. */
function selfCross({ intent }: Order, { risks }: LimitFacts): Refusal | null {
  const { side, price } = intent;
  const own = ownPrices(intent, side === 'BUY' ? 'asks' : 'bids', risks);
  if (!own.some((one) => (side === 'BUY' ? one <= price : one >= price))) return null;
  return refusal(
    LIMIT_CODES.selfCross,
    'The order would trade with an order of the same account that is working in this market.',
  );
}

/** The prices, as those of this outcome, at which working orders of the account would buy it (`bids`), or sell it (`asks`). */
function ownPrices(key: Outcome, as: 'bids' | 'asks', risks: RiskFacts['risks']): readonly Price[] {
  return risks.inMarket(key).flatMap((held) => {
    const working = held.risk?.working ?? NOTHING_WORKING;
    if (held.outcome === key.outcome) return working[as].map(([price]) => price);
    return working[as === 'bids' ? 'asks' : 'bids'].map(([price]) => (ONE - price) as Price);
  });
}

type Outcome = Pick<PositionKey, 'venue' | 'marketId' | 'outcome'>;

/** The least prices at which `overLimits` lets a sale pass: by the band, where a book tells its middle, and by what the account itself would buy. */
export function leastPrices(
  key: Outcome,
  { limits, risks, book }: Pick<LimitFacts, 'limits' | 'risks' | 'book'>,
): readonly SaleBound<PriceLeft>[] {
  const cap = limits.priceBand;
  const middle = cap === null ? null : twiceMiddle(key.outcome, book);
  const own = ownPrices(key, 'bids', risks);
  const bounds: SaleBound<PriceLeft>[] = [];
  if (cap !== null && middle !== null) {
    const price = ((middle.twice + 1n) / 2n - cap) as Price;
    bounds.push({ name: LIMITS.priceBand.shown, code: LIMITS.priceBand.code, most: { price, cap } });
  }
  if (own.length > 0) {
    const highest = own.reduce((most, price) => (price > most ? price : most));
    const most = { price: (highest + 1n) as Price, cap: null };
    bounds.push({ name: 'self_cross', code: LIMIT_CODES.selfCross, most });
  }
  return bounds;
}

function overDailyStake({ intent }: Order, { limits, balances, today }: LimitFacts): Refusal | null {
  const cap = limits.dailyStakeUsdc;
  if (cap === null || intent.side === 'SELL') return null;
  const stake = plus(stakeOf(balances, today), mostCost(intent));
  if (stake <= cap) return null;
  return aboveLimit('dailyStakeUsdc', dollars(stake, cap));
}

/** What purchases of today spent, and what working ones of today may still spend. */
export const stakeOf = (balances: readonly Balance[], today: string): Usdc =>
  balances.reduce(
    (sum, { reserved, counted = NOTHING_COUNTED }) => plus(sum, stakeOn(counted, today, reserved)),
    NO_USDC,
  );

const notNegative = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);

/**
 * How much of each limit is in use: of a limit of one market, event, league or sport, the most in any of them. Null for a
 * limit of one order.
 */
export function usedLimits(risks: HeldRisks, balances: readonly Balance[], at: Date, today: string): Limits {
  const { markets, events, leagues, sports, exposure } = risks.losses;
  return {
    ...NO_LIMITS,
    marketLossUsdc: mostOf(markets),
    eventLossUsdc: mostOf(events),
    leagueLossUsdc: mostOf(leagues),
    sportLossUsdc: mostOf(sports),
    exposureUsdc: exposure,
    openOrders: risks.openOrders,
    dailyStakeUsdc: stakeOf(balances, today),
    ordersPerMinute: balances.reduce((sum, { counted = NOTHING_COUNTED }) => sum + ordersWithinMinute(counted, at), 0),
  };
}

const mostOf = (losses: ReadonlyMap<string, Usdc>): Usdc =>
  [...losses.values()].reduce((most, loss) => (loss > most ? loss : most), NO_USDC);
