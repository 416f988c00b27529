import type { Price, Usdc } from '../money.js';

/** What an account may risk; null is no limit. Paper and real money are counted apart, each against the same limits. */
export interface Limits {
  /** The most that one order may be worth at its limit price. */
  readonly orderUsdc: Usdc | null;
  /** The most that may be lost in the worst case: in one market, */
  readonly marketLossUsdc: Usdc | null;
  /** in all markets of one event, */
  readonly eventLossUsdc: Usdc | null;
  /** of one league, */
  readonly leagueLossUsdc: Usdc | null;
  /** of one sport, */
  readonly sportLossUsdc: Usdc | null;
  /** and in all markets together. */
  readonly exposureUsdc: Usdc | null;
  /** The most orders that may be working at once. */
  readonly openOrders: number | null;
  /** The most that purchases may spend in a day, with what working ones may still spend. */
  readonly dailyStakeUsdc: Usdc | null;
  readonly dailyLossUsdc: Usdc | null;
  readonly drawdownUsdc: Usdc | null;
  /** The furthest that a limit price may be from the middle of the book. */
  readonly priceBand: Price | null;
  /** The most orders within any sixty seconds. */
  readonly ordersPerMinute: number | null;
}

/** No limit at all. */
export const NO_LIMITS: Limits = {
  orderUsdc: null,
  marketLossUsdc: null,
  eventLossUsdc: null,
  leagueLossUsdc: null,
  sportLossUsdc: null,
  exposureUsdc: null,
  openOrders: null,
  dailyStakeUsdc: null,
  dailyLossUsdc: null,
  drawdownUsdc: null,
  priceBand: null,
  ordersPerMinute: null,
};

/** The name of one limit. */
export type LimitName = keyof Limits;

/** All of them, in the order in which they are shown. */
export const LIMIT_NAMES = [
  'orderUsdc',
  'marketLossUsdc',
  'eventLossUsdc',
  'leagueLossUsdc',
  'sportLossUsdc',
  'exposureUsdc',
  'openOrders',
  'dailyStakeUsdc',
  'dailyLossUsdc',
  'drawdownUsdc',
  'priceBand',
  'ordersPerMinute',
] as const satisfies readonly LimitName[];

/** The code of what each limit refuses: those of accounts, of the rules of strategies, and of the server. */
export const LIMIT_CODES = {
  orderUsdc: 'order_too_large',
  marketLossUsdc: 'market_loss_exceeded',
  eventLossUsdc: 'event_loss_exceeded',
  leagueLossUsdc: 'league_loss_exceeded',
  sportLossUsdc: 'sport_loss_exceeded',
  exposureUsdc: 'account_exposure_exceeded',
  openOrders: 'max_open_exceeded',
  dailyStakeUsdc: 'daily_stake_exceeded',
  dailyLossUsdc: 'daily_loss_exceeded',
  drawdownUsdc: 'drawdown_exceeded',
  priceBand: 'price_band',
  ordersPerMinute: 'order_rate_exceeded',
  selfCross: 'self_cross',
  stakeCap: 'stake_cap_exceeded',
  bankrollCap: 'bankroll_cap_exceeded',
  betsPerDay: 'max_bets_exceeded',
  entries: 'reexecution_throttled',
  liveOrderCap: 'order_cap_exceeded',
} as const satisfies Readonly<Record<LimitName, string>> & Readonly<Record<string, string>>;

const CODES: ReadonlySet<string> = new Set(Object.values(LIMIT_CODES));

/** True of the code of a limit. */
export const isLimitCode = (code: string): boolean => CODES.has(code);

/** New values of some limits: those that are absent stay. */
export type LimitsChange = Partial<Limits>;

/** Those that may lose money that the ones before could not: some limit is higher, or gone. */
export function loosened(before: Limits, after: Limits): readonly LimitName[] {
  return LIMIT_NAMES.filter((name) => {
    const [from, to] = [before[name], after[name]];
    return from !== null && (to === null || to > from);
  });
}

/** True where some limit is set. */
export const isLimited = (limits: Limits): boolean => LIMIT_NAMES.some((name) => limits[name] !== null);

/** True where both are the same limits. */
export const sameLimits = (a: Limits, b: Limits): boolean => LIMIT_NAMES.every((name) => a[name] === b[name]);
