import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/**
 * What models say of markets. No index beside the key: a signal is replaced far more often than it is looked for in any other
 * way, and an index of expiries would be written each time.
 */
export function signalsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  const probability = (column: string) => `${column} ${integer} not null check (${column} > 0 and ${column} < 1000000)`;
  return [
    `create table signals (
      account ${text} not null,
      name ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      first_label ${text} not null,
      ${probability('first_probability')},
      second_label ${text} not null,
      ${probability('second_probability')},
      expires_at ${text} not null,
      source ${text},
      updated_at ${text} not null,
      primary key (account, name, venue, market_id)
    ) ${short}`,
  ];
}
