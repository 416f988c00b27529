import type { Price, Usdc } from '../money.js';

/** What values a limit takes: USDC of 0 or more, a difference of prices above 0 and below 1, or a whole number from 0 to `MOST_ORDERS`. */
export type LimitKind = 'usdc' | 'price' | 'count';

/** The greatest limit of a number of orders. */
export const MOST_ORDERS = 1_000_000;

/**
 * A state that refuses bets at every price until it ends: of trading, of the bets that are open, of the bets of a day, of prices of what
 * is held, or of the other outcome while that is held.
 */
export type RefusingState = 'trading' | 'open' | 'day' | 'marks' | 'held';

/** Everything that is stated about one limit of accounts, wherever it is named; `core/posting` enforces it. */
export interface Limit {
  readonly kind: LimitKind;
  /** Its name in the interface. */
  readonly shown: string;
  /** Its meaning in requests and answers. */
  readonly meaning: string;
  /** A value of it as answers show it. */
  readonly example: string | number;
  /** Its row in docs/limits.md: what it is the most of, and an example. */
  readonly row: readonly [most: string, example: string];
  /** Its name for people, on the page and on a terminal. */
  readonly label: string;
  /** Its place on the overview; absent where it is not shown there. */
  readonly overview?: number;
  /** The code of a refusal. */
  readonly code: string;
  /** The sentence of a refusal without its figures; that of a worst case goes on after the account, or the strategy. */
  readonly sentence: string;
  /** What a refused caller may do. */
  readonly help: string;
  /** What a refused bet waits for at every price; absent where it may pass at another one. */
  readonly waitsFor?: RefusingState;
}

/** The limits of an account, in the order in which they are shown; paper and real money are counted separately against the same limits. */
export const LIMITS = {
  orderUsdc: {
    kind: 'usdc',
    shown: 'order_usdc',
    meaning: 'The most that one order may be worth at its limit price.',
    example: '25',
    row: ['that one order is worth at its limit price, either side', '`size_usdc` 30 with 25 is denied.'],
    label: 'One order',
    code: 'order_too_large',
    sentence: 'The order is worth more than one order of the account may be',
    help: "`size_usdc` is above `order_usdc` of the account's limits. Reduce it, or raise the limit with `PUT /v1/limits`.",
  },
  marketLossUsdc: {
    kind: 'usdc',
    shown: 'market_loss_usdc',
    meaning: 'The most that may be lost in one market in the worst case, with all that its working orders may do.',
    example: '50',
    row: [
      'lost in one market in the worst case',
      '40 paid for YES and 15 for NO, 60 shares each: whatever wins pays 60, so nothing can be lost.',
    ],
    label: 'Worst loss in a market',
    code: 'market_loss_exceeded',
    sentence: 'could lose more in this market than it may',
    help: 'The account could lose more in the market than `market_loss_usdc`, in the worst case. An order that lowers it passes.',
  },
  eventLossUsdc: {
    kind: 'usdc',
    shown: 'event_loss_usdc',
    meaning: 'The same in all markets of one event. Exclusive markets of it hedge each other; others are summed.',
    example: '50',
    row: ['lost in all markets of one event', 'See below.'],
    label: 'Worst loss in an event',
    code: 'event_loss_exceeded',
    sentence: 'could lose more in this event than it may',
    help: 'The account could lose more in the event than `event_loss_usdc`, or its strategy more than `limits.event_loss` of its rules, in the worst case. An order that lowers it passes.',
  },
  leagueLossUsdc: {
    kind: 'usdc',
    shown: 'league_loss_usdc',
    meaning: 'The same in all events of one league.',
    example: '200',
    row: ['lost in all events of one league: a sum, never netted', 'Two games, 30 at risk in each: 60.'],
    label: 'Worst loss in a league',
    code: 'league_loss_exceeded',
    sentence: 'could lose more in this league than it may',
    help: 'The account could lose more in the league than `league_loss_usdc`, in the worst case of each event.',
  },
  sportLossUsdc: {
    kind: 'usdc',
    shown: 'sport_loss_usdc',
    meaning: 'The same in all events of one sport.',
    example: '400',
    row: ['lost in all events of one sport: a sum, never netted', 'The same, over all leagues.'],
    label: 'Worst loss in a sport',
    code: 'sport_loss_exceeded',
    sentence: 'could lose more in this sport than it may',
    help: 'The account could lose more in the sport than `sport_loss_usdc`, in the worst case of each event.',
  },
  exposureUsdc: {
    kind: 'usdc',
    shown: 'exposure_usdc',
    meaning: 'The same in all markets.',
    example: '500',
    row: ['lost in all events', 'The same, over all sports.'],
    label: 'Worst loss in all markets',
    overview: 3,
    code: 'account_exposure_exceeded',
    sentence: 'could lose more in all markets together than it may',
    help: 'The account could lose more in all markets together than `exposure_usdc`, in the worst case of each event.',
  },
  openOrders: {
    kind: 'count',
    shown: 'open_orders',
    meaning: 'The most orders that may be working at once.',
    example: 20,
    row: ['orders that work at once', 'With 20, the 21st waits for one to end.'],
    label: 'Working orders at once',
    code: 'max_open_exceeded',
    sentence: 'The account has as many open orders as it may',
    help: 'The account has as many working orders as `open_orders` allows. Cancel one, or wait until one ends.',
    waitsFor: 'open',
  },
  dailyStakeUsdc: {
    kind: 'usdc',
    shown: 'daily_stake_usdc',
    meaning: 'The most that purchases may spend in a day, fees and what working ones may still spend included.',
    example: '300',
    row: [
      'that purchases of a day spend, with fees, and with what working ones of that day may still spend',
      '200 spent, 60 reserved, an order of 50 with 300 is denied. Cancelling gives 60 back. What rests since yesterday counts for yesterday.',
    ],
    label: 'Daily stake',
    overview: 4,
    code: 'daily_stake_exceeded',
    sentence: 'The purchases of the day could cost more than they may',
    help: 'What purchases spent today, what working ones may still spend and what this one may cost are above `daily_stake_usdc`. Wait for the next day, or raise the limit.',
  },
  dailyLossUsdc: {
    kind: 'usdc',
    shown: 'daily_loss_usdc',
    meaning:
      'How far the equity, marked at what is bid, may fall below that of the start of the day; deposits do not count. Then trading is halted until a person ends that.',
    example: '100',
    row: ['that equity falls below that of the start of the day', 'See below.'],
    label: 'Daily loss',
    overview: 1,
    code: 'daily_loss_exceeded',
    sentence: 'The account has lost today what it may lose in a day',
    help: 'The equity of the account is as far below that of the start of the day as `daily_loss_usdc` allows. Trading is halted until a person ends that (`POST /v1/trading/state`), on the next day or with a higher limit. Or the strategy of a purchase has lost `limits.daily_loss` of its rules today: it may sell, and buys again on the next day.',
  },
  drawdownUsdc: {
    kind: 'usdc',
    shown: 'drawdown_usdc',
    meaning: 'The same below its highest since the limit was set.',
    example: '250',
    row: [
      'that equity falls below its peak since the limit was set',
      'Up 40 on Monday, down 25 on Tuesday: 25, whatever the day.',
    ],
    label: 'Drawdown',
    overview: 2,
    code: 'drawdown_exceeded',
    sentence: 'The equity of the account is as far below its peak as it may be',
    help: 'The equity of the account is as far below its peak as `drawdown_usdc` allows. Trading is halted until a person raises the limit, or sets it anew, and ends the halt.',
  },
  priceBand: {
    kind: 'price',
    shown: 'price_band',
    meaning:
      'The furthest that a limit price may be from the middle of a fresh book. Without such a book no order passes.',
    example: '0.05',
    row: [
      'distance of a limit price from the middle of the book',
      'Bid 0.55, ask 0.57, band 0.05: from 0.51 to 0.61. Without a fresh book with both sides: `market_data_stale`.',
    ],
    label: 'Distance from the middle price',
    code: 'price_band',
    sentence: 'The price is too far from the middle of the book',
    help: 'The limit price is further from the middle of the book than `price_band` allows. Set a nearer one.',
  },
  ordersPerMinute: {
    kind: 'count',
    shown: 'orders_per_minute',
    meaning: 'The most orders within any sixty seconds; refused ones do not count.',
    example: 60,
    row: [
      'orders within any sixty seconds; refused ones do not count, nor what a clock counted that was more than a minute ahead',
      'A loop that places too fast is stopped at once.',
    ],
    label: 'Orders in a minute',
    code: 'order_rate_exceeded',
    sentence: 'The account has placed as many orders within a minute as it may',
    help: 'The account has placed as many orders within a minute as `orders_per_minute` allows. Wait.',
  },
} as const satisfies Readonly<Record<string, Limit>>;

/** The table, as a type. */
export type LimitTable = typeof LIMITS;

/** The name of one limit. */
export type LimitName = keyof LimitTable;

/** All of them, in the order in which they are shown. */
export const LIMIT_NAMES: readonly LimitName[] = Object.keys(LIMITS) as LimitName[];

/** The description of a limit. */
export const limitOf = (name: LimitName): Limit => LIMITS[name];

/** The value of each kind. */
export interface LimitValues extends Readonly<Record<LimitKind, unknown>> {
  readonly usdc: Usdc;
  readonly price: Price;
  readonly count: number;
}

/** What an account may risk; null is no limit. */
export type Limits = { readonly [Name in LimitName]: LimitValues[LimitTable[Name]['kind']] | null };

/** A record with one value for each limit, by its name in the core. */
const each = <T>(value: (name: LimitName) => T) =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, value(name)])) as { readonly [Name in LimitName]: T };

/** No limit at all. */
export const NO_LIMITS: Limits = each(() => null);

/** The code of what each limit refuses: those of accounts, of the caps of strategies, and of the server. */
export const LIMIT_CODES = {
  ...each((name): string => LIMITS[name].code),
  selfCross: 'self_cross',
  stakeCap: 'stake_cap_exceeded',
  bankrollCap: 'bankroll_cap_exceeded',
  entries: 'reexecution_throttled',
  liveOrderCap: 'order_cap_exceeded',
} as const;

const CODES: ReadonlySet<string> = new Set(Object.values(LIMIT_CODES));

/** True of the code of a limit that is not of the rules of a strategy. */
export const isLimitCode = (code: string): boolean => CODES.has(code);

/** New values of some limits: those that are absent stay. */
export type LimitsChange = Partial<Limits>;

/** The limits that allow more loss after the change: raised, or removed. */
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

/** True where equity has to be marked: a loss is limited. */
export const limitsLosses = ({ dailyLossUsdc, drawdownUsdc }: Limits): boolean =>
  dailyLossUsdc !== null || drawdownUsdc !== null;
