import type { Dialect } from '../columns.js';

const LIMIT = '9007199254740992';
const COLUMNS =
  'account, paper, market_id, token, strategy_id, shares, reserved, cost, fees, realised, settled, returned';
const amount = (column: string): string => `${column} integer not null check (${column} >= 0 and ${column} < ${LIMIT})`;

/**
 * Lets a position with real money have more shares reserved than it holds: a venue may reverse a purchase of shares that are
 * on sale, and that has to be booked. On paper that cannot happen.
 */
export function promisedSchema(dialect: Dialect['name']): readonly string[] {
  return dialect === 'sqlite' ? rebuilt() : relaxed();
}

/** SQLite cannot change a check of an existing table. Not by renaming, as for balances. */
function rebuilt(): string[] {
  return [
    `create table positions_before as select ${COLUMNS} from positions`,
    'drop table positions',
    `create table positions (
      account text not null,
      paper integer not null,
      market_id text not null,
      token text not null check (token in ('YES', 'NO')),
      strategy_id text not null,
      ${['shares', 'reserved', 'cost', 'fees'].map(amount).join(',\n      ')},
      realised integer not null check (realised > -${LIMIT} and realised < ${LIMIT}),
      ${['settled', 'returned'].map(amount).join(',\n      ')},
      primary key (account, paper, market_id, token, strategy_id),
      check (reserved <= shares or paper = 0)
    ) strict, without rowid`,
    `insert into positions (${COLUMNS}) select ${COLUMNS} from positions_before`,
    'drop table positions_before',
  ];
}

function relaxed(): string[] {
  const kept = `reserved >= 0 and shares >= 0 and shares < ${LIMIT} and reserved < ${LIMIT}`;
  return [
    'alter table positions drop constraint positions_check',
    `alter table positions add constraint positions_check check (${kept} and (reserved <= shares or not paper))`,
  ];
}
