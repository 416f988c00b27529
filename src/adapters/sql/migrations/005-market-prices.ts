import type { Dialect } from '../columns.js';
import { TYPES } from './001-types.js';

/** The best prices of markets by the minute: listed by market, and forgotten by age. */
export function marketPrices(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  const price = (column: string) => `${column} ${integer} check (${column} >= 0 and ${column} <= 1000000)`;
  return [
    `create table market_prices (
      venue ${text} not null,
      market_id ${text} not null,
      at ${text} not null,
      ${price('bid')},
      ${price('ask')},
      primary key (venue, market_id, at)
    ) ${short}`,
    'create index market_prices_by_age on market_prices (at)',
  ];
}
