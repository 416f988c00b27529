import type { Dialect } from '../columns.js';

const LIMIT = '9007199254740992';
const COLUMNS = `account, paper, market_id, token, strategy_id, venue, shares, reserved, cost, fees, realised, settled,
  returned, redeemable`;
const amount = (column: string): string => `${column} integer not null check (${column} >= 0 and ${column} < ${LIMIT})`;

/**
 * Lets every position have more shares reserved than it holds, on paper too: any exchange over a network may undo a purchase
 * of shares on sale. That an exchange in this process never does is for the core to check, which knows the exchange.
 */
export function reservedSchema(dialect: Dialect['name']): readonly string[] {
  return dialect === 'sqlite' ? rebuilt() : relaxed();
}

/** SQLite cannot change a check of an existing table, and its indexes go with it. */
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
      venue text not null,
      ${['shares', 'reserved', 'cost', 'fees'].map(amount).join(',\n      ')},
      realised integer not null check (realised > -${LIMIT} and realised < ${LIMIT}),
      ${['settled', 'returned'].map(amount).join(',\n      ')},
      redeemable integer not null check (redeemable >= 0 and redeemable <= returned),
      primary key (account, paper, market_id, token, strategy_id, venue)
    ) strict, without rowid`,
    `insert into positions (${COLUMNS}) select ${COLUMNS} from positions_before`,
    'drop table positions_before',
    'create index positions_redeemable on positions (account, market_id, token, venue) where redeemable > 0',
    'create index positions_on_paper on positions (account, strategy_id, market_id, token, venue) where paper',
    'create index positions_with_money on positions (account, strategy_id, market_id, token, venue) where not paper',
  ];
}

function relaxed(): string[] {
  const kept = `reserved >= 0 and shares >= 0 and shares < ${LIMIT} and reserved < ${LIMIT}`;
  return [
    'alter table positions drop constraint positions_check',
    `alter table positions add constraint positions_check check (${kept})`,
  ];
}
