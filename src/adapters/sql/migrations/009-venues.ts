import type { Dialect } from '../columns.js';

const LIMIT = '9007199254740992';

/** Until now only markets with a condition id had a venue, and there was one venue for real money. */
const VENUE_OF = (row: string, isPaper: string): string =>
  `case when not ${isPaper} or exists (select 1 from listed_markets where listed_markets.market_id = ${row}.market_id)
    then 'polymarket' else 'none' end`;

const TYPES = {
  sqlite: { text: 'text', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', short: '' },
} as const;

const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
const MARKET = `(venue || '/' || market_id)`;

/**
 * Orders, positions and markets get a venue; real money is at one venue, and on paper the empty text stands for all of them.
 * The ids of orders at venues get a table of their own, because they belong to the venue: every key of an account's rows
 * begins with the account.
 */
export function venuesSchema(dialect: Dialect['name']): readonly string[] {
  const { text, short } = TYPES[dialect];
  const isPaper = dialect === 'sqlite' ? '(paper = 1)' : 'paper';
  const named = `${text} not null default`;
  return [
    // Computed once, because a market without a condition id may have a million orders, and as many journal lines.
    `create table listed_markets (market_id ${text} not null primary key)`,
    'insert into listed_markets select distinct market_id from orders where condition_id is not null',
    `alter table orders add column venue ${named} 'none'`,
    `alter table orders add column venue_reference ${text}`,
    `update orders set venue = 'polymarket' where condition_id is not null or not ${isPaper}`,
    ...envelopes(dialect),
    `alter table journal_lines add column venue ${named} ''`,
    `alter table journal_lines add column held_venue ${text}`,
    `update journal_lines set venue = 'polymarket' where not ${isPaper}`,
    `update journal_lines set held_venue = ${VENUE_OF('journal_lines', isPaper)} where market_id is not null`,
    ...(dialect === 'sqlite' ? rebuilt() : extended()),
    'create index positions_redeemable on positions (account, market_id, token, venue) where redeemable > 0',
    'create index positions_on_paper on positions (account, strategy_id, market_id, token, venue) where paper',
    'create index positions_with_money on positions (account, strategy_id, market_id, token, venue) where not paper',
    ...marketsInUse(),
    ...venueOrders(text, short),
    'drop table listed_markets',
  ];
}

/**
 * The rounding of the one venue is stored with each signed envelope, and with each rejection whether trades may still
 * correct it.
 */
function envelopes(dialect: Dialect['name']): string[] {
  const [least, integer, no, yes] =
    dialect === 'sqlite'
      ? ['min', 'integer', 'integer not null default 0', 1]
      : ['least', 'bigint', 'boolean not null default false', true];
  return [
    `alter table orders add column envelope_dust ${integer}`,
    `update orders set envelope_dust = ${least}(10000, shares / 100) where envelope is not null`,
    `alter table orders add column presumed ${no}`,
    `update orders set presumed = ${yes} where state = 'rejected'
      and refusal_code in ('never_arrived', 'dropped_after_delay', 'fok_not_filled', 'fak_no_match')`,
  ];
}

/** A market is looked up by its venue and id together. */
function marketsInUse(): string[] {
  return [
    'drop index orders_working_by_market',
    'drop index orders_unsettled',
    'drop index orders_settled_by_day',
    `create index orders_working_by_market on orders (${MARKET}, id) where ${WORKING}`,
    `create index orders_unsettled on orders (${MARKET}, id) where filled_shares > 0 and settled_at is null`,
    `create index orders_settled_by_day on orders (substr(settled_at, 1, 10), ${MARKET}, settled_at)
      where settled_at is not null`,
  ];
}

/** A venue's report about one order must never be applied to two of ours: the key is the venue's id. */
function venueOrders(text: string, short: string): string[] {
  return [
    'drop index orders_by_venue_order_id',
    `create table venue_orders (
      venue ${text} not null,
      venue_order_id ${text} not null,
      account ${text} not null,
      order_id ${text} not null,
      primary key (venue, venue_order_id)
    ) ${short}`,
    `insert into venue_orders (venue, venue_order_id, account, order_id)
      select venue, venue_order_id, account, id from orders where not paper and venue_order_id is not null`,
  ];
}

const amount = (column: string): string => `${column} integer not null check (${column} >= 0 and ${column} < ${LIMIT})`;
const HELD = 'account, paper, market_id, token, strategy_id, shares, reserved, cost, fees, realised, settled, returned';
const CASH = 'account, paper, cash, reserved, outstanding';

/** SQLite cannot change the key of an existing table. */
function rebuilt(): string[] {
  return [
    `create table positions_before as select ${HELD}, redeemable from positions`,
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
      primary key (account, paper, market_id, token, strategy_id, venue),
      check (reserved <= shares or paper = 0)
    ) strict, without rowid`,
    `insert into positions (${HELD}, redeemable, venue)
      select ${HELD}, redeemable, ${VENUE_OF('positions_before', '(paper = 1)')} from positions_before`,
    'drop table positions_before',
    `create table balances_before as select ${CASH} from balances`,
    'drop table balances',
    `create table balances (
      account text not null,
      paper integer not null,
      venue text not null,
      cash integer not null,
      reserved integer not null,
      outstanding integer not null check (outstanding >= 0 and outstanding < ${LIMIT}),
      primary key (account, paper, venue),
      check (reserved >= 0 and reserved < ${LIMIT} and cash > -${LIMIT} and cash < ${LIMIT})
    ) strict, without rowid`,
    `insert into balances (${CASH}, venue)
      select ${CASH}, case paper when 1 then '' else 'polymarket' end from balances_before`,
    'drop table balances_before',
  ];
}

function extended(): string[] {
  return [
    'drop index positions_redeemable',
    'drop index positions_on_paper',
    'drop index positions_with_money',
    `alter table positions add column venue text collate "C" not null default 'none'`,
    `update positions set venue = ${VENUE_OF('positions', 'paper')}`,
    'alter table positions alter column venue drop default',
    'alter table positions drop constraint positions_pkey',
    'alter table positions add primary key (account, paper, market_id, token, strategy_id, venue)',
    `alter table balances add column venue text collate "C" not null default ''`,
    `update balances set venue = 'polymarket' where not paper`,
    'alter table balances drop constraint balances_pkey',
    'alter table balances add primary key (account, paper, venue)',
  ];
}
