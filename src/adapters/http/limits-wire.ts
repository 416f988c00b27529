import * as v from 'valibot';
import { LIMIT_NAMES, type LimitName, type Limits, type LimitsChange } from '../../core/limits/limits.js';
import { formatMicro, isPrice, type Price, type Usdc } from '../../core/money.js';
import type { LimitsInUse } from '../../core/usecases/limits/read-limits.js';
import { JsonNumber } from './json-reader.js';
import { amount, BETWEEN_0_AND_1, DECIMAL, decimalOut, describe, means, members } from './schema.js';

const MOST_ORDERS = 1_000_000;

const usd = amount<Usdc>({
  holds: (micro) => micro >= 0n,
  words: 'a decimal of 0 or more, or null',
  json: { minimum: 0 },
  example: 50,
  pattern: DECIMAL,
});

const band = amount<Price>({
  holds: isPrice,
  words: 'a decimal above 0 and below 1, or null',
  json: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
  example: 0.05,
  pattern: BETWEEN_0_AND_1,
});

const count = describe(
  v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }): number => {
      const read = dataset.value instanceof JsonNumber ? Number(dataset.value.text) : Number.NaN;
      if (Number.isInteger(read) && read >= 0 && read <= MOST_ORDERS) return read;
      addIssue({ message: `must be a whole number from 0 to ${MOST_ORDERS}, or null` });
      return NEVER;
    }),
  ),
  { type: 'integer', minimum: 0, maximum: MOST_ORDERS, examples: [20] },
);

/** Null takes a limit away, and is not the same as absent. */
const orNone = <T>(schema: v.GenericSchema<unknown, T>, words: string) => v.optional(means(v.nullable(schema), words));

const MEANING: Readonly<Record<LimitName, string>> = {
  orderUsdc: 'The most that one order may be worth at its limit price.',
  marketLossUsdc: 'The most that may be lost in one market in the worst case, with all that its working orders may do.',
  eventLossUsdc: 'The same in all markets of one event. Exclusive markets of it hedge each other; others are summed.',
  leagueLossUsdc: 'The same in all events of one league.',
  sportLossUsdc: 'The same in all events of one sport.',
  exposureUsdc: 'The same in all markets.',
  openOrders: 'The most orders that may be working at once.',
  dailyStakeUsdc: 'The most that purchases may spend in a day, fees and what working ones may still spend included.',
  dailyLossUsdc:
    'How far the equity, marked at what is bid, may fall below that of the start of the day; deposits do not count. Then trading is halted until a person ends that.',
  drawdownUsdc: 'The same below its highest since the limit was set.',
  priceBand:
    'The furthest that a limit price may be from the middle of a fresh book. Without such a book no order passes.',
  ordersPerMinute: 'The most orders within any sixty seconds; refused ones do not count.',
};

/** Each limit by its name in the interface. */
const ON_WIRE = {
  orderUsdc: 'order_usdc',
  marketLossUsdc: 'market_loss_usdc',
  eventLossUsdc: 'event_loss_usdc',
  leagueLossUsdc: 'league_loss_usdc',
  sportLossUsdc: 'sport_loss_usdc',
  exposureUsdc: 'exposure_usdc',
  openOrders: 'open_orders',
  dailyStakeUsdc: 'daily_stake_usdc',
  dailyLossUsdc: 'daily_loss_usdc',
  drawdownUsdc: 'drawdown_usdc',
  priceBand: 'price_band',
  ordersPerMinute: 'orders_per_minute',
} as const satisfies Record<LimitName, string>;

/** The body of `PUT /v1/limits`: a member that is absent stays, null takes it away. */
export const limitsBody = members({
  order_usdc: orNone(usd, MEANING.orderUsdc),
  market_loss_usdc: orNone(usd, MEANING.marketLossUsdc),
  event_loss_usdc: orNone(usd, MEANING.eventLossUsdc),
  league_loss_usdc: orNone(usd, MEANING.leagueLossUsdc),
  sport_loss_usdc: orNone(usd, MEANING.sportLossUsdc),
  exposure_usdc: orNone(usd, MEANING.exposureUsdc),
  open_orders: orNone(count, MEANING.openOrders),
  daily_stake_usdc: orNone(usd, MEANING.dailyStakeUsdc),
  daily_loss_usdc: orNone(usd, MEANING.dailyLossUsdc),
  drawdown_usdc: orNone(usd, MEANING.drawdownUsdc),
  price_band: orNone(band, MEANING.priceBand),
  orders_per_minute: orNone(count, MEANING.ordersPerMinute),
});

const money = v.nullable(decimalOut);
const whole = v.nullable(v.number());

const LIMITS_OUT = {
  order_usdc: means(money, MEANING.orderUsdc, '25'),
  market_loss_usdc: means(money, MEANING.marketLossUsdc, '50'),
  event_loss_usdc: means(money, MEANING.eventLossUsdc, '50'),
  league_loss_usdc: means(money, MEANING.leagueLossUsdc, '200'),
  sport_loss_usdc: means(money, MEANING.sportLossUsdc, '400'),
  exposure_usdc: means(money, MEANING.exposureUsdc, '500'),
  open_orders: means(whole, MEANING.openOrders, 20),
  daily_stake_usdc: means(money, MEANING.dailyStakeUsdc, '300'),
  daily_loss_usdc: means(money, MEANING.dailyLossUsdc, '100'),
  drawdown_usdc: means(money, MEANING.drawdownUsdc, '250'),
  price_band: means(money, MEANING.priceBand, '0.05'),
  orders_per_minute: means(whole, MEANING.ordersPerMinute, 60),
} as const;

/** The limits of an account, null for none. */
export const limitsOut = v.object(LIMITS_OUT);

/** The same, and how much of each is in use. */
export const limitsInUseOut = v.object({
  ...LIMITS_OUT,
  used: means(
    v.object(LIMITS_OUT),
    'How much of each is in use, on paper or with real money; null for a limit of one order, and where nothing is counted.',
  ),
});

/** The change that a body asks for. */
export function limitsChangeOf(body: v.InferOutput<typeof limitsBody>): LimitsChange {
  const named = LIMIT_NAMES.flatMap((name) => {
    const value = body[ON_WIRE[name]];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

/** Limits as the interface shows them. */
export function presentLimits(limits: Limits): v.InferInput<typeof limitsOut> {
  const shown = LIMIT_NAMES.map((name) => {
    const value = limits[name];
    return [ON_WIRE[name], typeof value === 'bigint' ? formatMicro(value) : value] as const;
  });
  return Object.fromEntries(shown) as v.InferInput<typeof limitsOut>;
}

/** Limits and what of them is in use. */
export const presentLimitsInUse = ({ limits, used }: LimitsInUse): v.InferInput<typeof limitsInUseOut> => ({
  ...presentLimits(limits),
  used: presentLimits(used),
});
