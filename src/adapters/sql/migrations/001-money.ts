import type { Dialect } from '../columns.js';
import { LIMIT, signed, type Types, unsigned } from './001-types.js';

/** Accounts, what they have and hold, its journal and its history. */
export function moneyTables(dialect: Dialect['name'], t: Types): readonly string[] {
  return [...accounts(dialect, t), balances(t), ...positions(t), journal(t), equity(t)];
}

/** What holds for the whole service is in the row of the account `*`. An account without limits has nothing of them. */
function accounts(dialect: Dialect['name'], { text, integer, flag, short }: Types): readonly string[] {
  const version = dialect === 'postgres' ? `version ${text} not null default '',` : '';
  return [
    `create table accounts (
      id ${text} not null primary key,
      live_enabled ${flag} not null,
      halt_code text,
      halt_message text check ((halt_code is null) = (halt_message is null)),
      halted_at text check ((halt_code is null) = (halted_at is null)),
      ${version}
      trading ${text},
      limits ${text},
      losses ${text},
      alarms ${text},
      paper_resets ${integer} check (paper_resets >= 1)
    ) ${short}`,
    'create index accounts_measured on accounts (id) where losses is not null',
    `create table trading_history (
      account ${text} not null,
      seq ${integer} not null check (seq >= 1),
      state ${text} not null,
      primary key (account, seq)
    ) ${short}`,
  ];
}

/** Real money is at one venue; on paper the empty text stands for all of them. */
function balances({ text, integer, flag, zero, empty, short }: Types): string {
  return `create table balances (
      account ${text} not null,
      paper ${flag} not null,
      venue ${text} not null ${empty},
      cash ${integer} not null,
      reserved ${integer} not null,
      outstanding ${integer} not null ${zero} check (${unsigned('outstanding')}),
      counted ${text},
      primary key (account, paper, venue),
      check (${unsigned('reserved')} and ${signed('cash')})
    ) ${short}`;
}

/**
 * A position may have more shares reserved than it holds: an exchange over a network may undo a purchase of shares on sale.
 * That an exchange in this process never does is for the core to check, which knows the exchange.
 */
function positions({ text, integer, flag, zero, short }: Types): readonly string[] {
  return [
    `create table positions (
      account ${text} not null,
      paper ${flag} not null,
      market_id ${text} not null,
      token ${text} not null check (token in ('YES', 'NO')),
      strategy_id ${text} not null,
      venue ${text} not null,
      shares ${integer} not null check (${unsigned('shares')}),
      reserved ${integer} not null check (${unsigned('reserved')}),
      cost ${integer} not null check (${unsigned('cost')}),
      fees ${integer} not null ${zero} check (${unsigned('fees')}),
      realised ${integer} not null ${zero} check (${signed('realised')}),
      settled ${integer} not null ${zero} check (${unsigned('settled')}),
      returned ${integer} not null ${zero} check (${unsigned('returned')}),
      redeemable ${integer} not null ${zero} check (redeemable >= 0 and redeemable <= returned),
      risk ${text},
      entries ${text},
      wanted ${integer} check (wanted > 0 and wanted < ${LIMIT}),
      held_fees ${integer} check (held_fees > 0 and held_fees < ${LIMIT}),
      primary key (account, paper, market_id, token, strategy_id, venue)
    ) ${short}`,
    'create index positions_redeemable on positions (account, market_id, token, venue) where redeemable > 0',
    'create index positions_on_paper on positions (account, strategy_id, market_id, token, venue) where paper',
    'create index positions_with_money on positions (account, strategy_id, market_id, token, venue) where not paper',
    'create index positions_at_risk on positions (account, paper, strategy_id) where risk is not null',
  ];
}

/** Lines are numbered from 1, so that the first one represents its entry. */
function journal({ text, integer, flag, short }: Types): string {
  return `create table journal_lines (
      account ${text} not null,
      paper ${flag} not null,
      entry ${text} not null,
      line ${integer} not null check (line >= 1),
      at ${text} not null,
      cause ${text} not null,
      order_id ${text},
      ledger ${text} not null check (ledger in ('cash', 'position', 'redeemable', 'fees', 'realised', 'capital')),
      market_id ${text},
      token ${text} check (token in ('YES', 'NO')),
      amount ${integer} not null check (amount <> 0 and ${signed('amount')}),
      venue ${text} not null default '',
      held_venue ${text},
      primary key (account, paper, entry, line),
      check ((ledger = 'position') = (market_id is not null)),
      check ((market_id is null) = (token is null))
    ) ${short}`;
}

function equity({ text, integer, flag, short }: Types): string {
  return `create table equity (
      account ${text} not null,
      paper ${flag} not null,
      strategy_id ${text} not null,
      at ${text} not null,
      cash ${integer} check (${signed('cash')}),
      positions ${integer} not null check (${unsigned('positions')}),
      realised ${integer} not null check (${signed('realised')}),
      unrealised ${integer} not null check (${signed('unrealised')}),
      fees ${integer} not null check (${unsigned('fees')}),
      redeemable ${integer} not null default 0 check (${unsigned('redeemable')}),
      primary key (account, paper, strategy_id, at)
    ) ${short}`;
}

/** The tables of which rows are remembered between groups of writes, beside the accounts themselves. */
const REMEMBERED = ['balances', 'positions', 'strategies', 'exposures'];
const OF_A_STRANGER = `current_setting('stakeport.names_versions', true) is distinct from 'on'`;

/**
 * A version for each account, so that Postgres can store what was decided without its lock; SQLite counts commits by itself.
 * Servers name the version with each write. For a writer that does not, such as an operator at the console, the database
 * names a new one, so that no writer can be overlooked. `group_marks` has the number of the last group of each server, and
 * whether it was stored.
 */
export function versionsOfAccounts(): readonly string[] {
  return [
    `create table group_marks (
      writer text collate "C" not null primary key,
      number bigint not null,
      stored boolean not null,
      at timestamptz not null default now()
    )`,
    `create function name_version() returns trigger language plpgsql as $$
    begin
      new.version := gen_random_uuid()::text;
      return new;
    end $$`,
    `create trigger name_version before update on accounts
      for each row when (new.version = old.version) execute function name_version()`,
    `create function move_version() returns trigger language plpgsql as $$
    begin
      update accounts set version = gen_random_uuid()::text where id in (old.account, new.account);
      return null;
    end $$`,
    ...REMEMBERED.map(
      (table) => `create trigger move_version after insert or update or delete on ${table}
        for each row when (${OF_A_STRANGER}) execute function move_version()`,
    ),
  ];
}
