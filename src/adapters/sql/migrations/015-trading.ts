import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/**
 * What was set about the trading of each account, beside its halt, and the history of that. What holds for the whole service
 * is in the row of the account `*`. The sport of an order with real money is on record with it; for those already placed it is
 * not known.
 */
export function tradingSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  return [
    `alter table accounts add column trading ${text}`,
    `alter table orders add column sport ${text}`,
    `create table trading_history (
      account ${text} not null,
      seq ${integer} not null check (seq >= 1),
      state ${text} not null,
      primary key (account, seq)
    ) ${short}`,
  ];
}
