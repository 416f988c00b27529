import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/** At which price a strategy first saw what it would buy in a market. */
export function firstPricesSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  return [
    `create table first_prices (
      account ${text} not null,
      strategy_id ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      outcome ${text} not null check (outcome in ('YES', 'NO')),
      price ${integer} not null check (price between 0 and 1000000),
      at ${text} not null,
      primary key (account, strategy_id, venue, market_id, outcome)
    ) ${short}`,
    'create index first_prices_by_market on first_prices (venue, market_id)',
  ];
}
