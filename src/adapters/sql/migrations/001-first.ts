import type { Dialect } from '../columns.js';

/** Amounts stay below 2^53, where every driver returns them exactly; the bound also keeps NaN and infinity out. */
const LIMIT = '9007199254740992';

/**
 * The initial tables. The checks repeat the invariants of the core, so that neither a bug nor a manual change can store what
 * the core would refuse.
 *
 * Moments are ISO 8601 text in UTC with milliseconds in both databases: exact, equal, and in order as text.
 * Keys start with the account, so that an account's rows can only be reached through its name; text compares bytewise in
 * both databases.
 */
export function firstSchema(dialect: Dialect['name']): readonly string[] {
  const t = TYPES[dialect];
  return [
    `create table accounts (id ${t.text} not null primary key, live_enabled ${t.flag} not null) ${t.short}`,
    ...money(t),
    ...strategies(t),
    ...orders(t),
    ...access(t),
  ];
}

/** Short rows are stored in their key's tree, long ones apart from it, so that a new row touches few pages. */
const TYPES = {
  sqlite: { text: 'text', integer: 'integer', flag: 'integer', long: 'strict', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', flag: 'boolean', long: '', short: '' },
} as const;

type Types = (typeof TYPES)[keyof typeof TYPES];

function money({ text, integer, flag, short }: Types): string[] {
  return [
    `create table balances (
      account ${text} not null,
      paper ${flag} not null,
      cash ${integer} not null,
      reserved ${integer} not null,
      primary key (account, paper),
      check (reserved >= 0 and reserved <= cash and cash < ${LIMIT})
    ) ${short}`,
    `create table positions (
      account ${text} not null,
      paper ${flag} not null,
      market_id ${text} not null,
      token ${text} not null check (token in ('YES', 'NO')),
      strategy_id ${text} not null,
      shares ${integer} not null,
      reserved ${integer} not null,
      cost ${integer} not null,
      primary key (account, paper, market_id, token, strategy_id),
      check (reserved >= 0 and reserved <= shares and shares < ${LIMIT}),
      check (cost >= 0 and cost < ${LIMIT})
    ) ${short}`,
  ];
}

function strategies({ text, integer, flag, long, short }: Types): string[] {
  const columns = `
      account ${text} not null,
      id ${text} not null,
      version ${integer} not null check (version >= 1),
      name ${text} not null,
      sport ${text} not null,
      rules ${text} not null,
      bankroll_cap ${integer} not null check (bankroll_cap >= 0 and bankroll_cap < ${LIMIT}),
      stake_cap ${integer} not null check (stake_cap >= 0 and stake_cap < ${LIMIT}),
      is_paused ${flag} not null,
      paper_only ${flag} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      archived_at ${text}`;
  return [
    `create table strategies (${columns},
      primary key (account, id)
    ) ${long}`,
    `create table strategy_versions (${columns},
      primary key (account, id, version),
      foreign key (account, id) references strategies (account, id)
    ) ${long}`,
    `create table exposures (
      account ${text} not null,
      strategy_id ${text} not null,
      paper ${flag} not null,
      committed ${integer} not null check (committed >= 0 and committed < ${LIMIT}),
      primary key (account, strategy_id, paper),
      foreign key (account, strategy_id) references strategies (account, id)
    ) ${short}`,
  ];
}

function orders(t: Types): string[] {
  const { text, integer, long } = t;
  return [
    `create table orders (${intentColumns(t)}, ${progressColumns(t)},
      primary key (account, id),
      foreign key (account, strategy_id, strategy_version) references strategy_versions (account, id, version)
    ) ${long}`,
    // The primary key serves the plain list, newest first; each further index serves one filter of that list. None begins
    // with the account: Postgres, while it has no statistics yet, would use it instead of the primary key.
    'create index orders_by_market on orders (market_id, account, id)',
    'create index orders_by_strategy on orders (strategy_id, account, id) where strategy_id is not null',
    'create index orders_by_status on orders (status, account, id)',
    // Nearly always empty: what a restart must process.
    `create index orders_in_flight on orders (id) where state in ('pending', 'submitting', 'unknown')`,
    fillsTable(t),
    `create table order_events (
      account ${text} not null,
      order_id ${text} not null,
      seq ${integer} not null check (seq >= 1),
      at ${text} not null,
      change ${text} not null,
      hash ${text} not null,
      primary key (account, order_id, seq),
      foreign key (account, order_id) references orders (account, id)
    ) ${long}`,
  ];
}

function intentColumns({ text, integer, flag }: Types): string {
  return `
      account ${text} not null,
      id ${text} not null,
      placed_at ${text} not null,
      market_id ${text} not null,
      market_slug ${text},
      condition_id ${text},
      question ${text},
      outcome_label ${text},
      token ${text} not null check (token in ('YES', 'NO')),
      side ${text} not null check (side in ('BUY', 'SELL')),
      price ${integer} not null check (price > 0 and price < 1000000),
      size ${integer} not null check (size > 0 and size < ${LIMIT}),
      shares ${integer} not null check (shares >= 0 and shares < ${LIMIT}),
      time_in_force ${text} not null,
      expires_at ${text},
      post_only ${flag} not null,
      paper ${flag} not null,
      strategy_id ${text},
      strategy_version ${integer}`;
}

function progressColumns({ text, integer }: Types): string {
  const accepted = `'delayed', 'open', 'cancel_pending', 'filled', 'cancelled', 'failed'`;
  return `
      state ${text} not null,
      status ${text} not null,
      venue_order_id ${text},
      filled_shares ${integer} not null check (filled_shares < ${LIMIT}),
      confirmed_shares ${integer} not null,
      filled_notional ${integer} not null check (filled_notional >= 0 and filled_notional < ${LIMIT}),
      fees ${integer} not null check (fees >= 0 and fees < ${LIMIT}),
      returned ${integer} check (returned >= 0 and returned < ${LIMIT}),
      settled_at ${text},
      refusal_code ${text},
      refusal_message ${text},
      updated_at ${text} not null,
      seq ${integer} not null check (seq >= 1),
      event_hash ${text} not null,
      check ((strategy_id is null) = (strategy_version is null)),
      check (0 <= confirmed_shares and confirmed_shares <= filled_shares),
      check (side = 'SELL' or filled_notional <= size),
      check (side = 'BUY' or filled_shares <= shares),
      check ((refusal_code is not null) = (state in ('denied', 'rejected', 'failed', 'unknown'))),
      check ((refusal_code is null) = (refusal_message is null)),
      check (venue_order_id is not null or state not in (${accepted})),
      check (state <> 'filled' or filled_shares > 0),
      check ((returned is null) = (settled_at is null)),
      check ((status = 'settled') = (settled_at is not null)),
      check (settled_at is null or settled_at >= placed_at)`;
}

function fillsTable({ text, integer, long }: Types): string {
  return `create table fills (
      account ${text} not null,
      order_id ${text} not null,
      trade_id ${text} not null,
      n ${integer} not null check (n >= 1),
      shares ${integer} not null check (shares > 0 and shares < ${LIMIT}),
      price ${integer} not null check (price >= 0 and price < ${LIMIT}),
      notional ${integer} not null check (notional >= 0 and notional < ${LIMIT}),
      fee ${integer} not null check (fee >= 0 and fee < ${LIMIT}),
      liquidity ${text} not null,
      settlement ${text} not null check (settlement in ('provisional', 'confirmed', 'voided')),
      model ${text},
      basis_cost ${integer} not null check (basis_cost >= 0 and basis_cost < ${LIMIT}),
      basis_strategy_shares ${integer} not null check (basis_strategy_shares >= 0 and basis_strategy_shares < ${LIMIT}),
      basis_strategy_cost ${integer} not null check (basis_strategy_cost >= 0 and basis_strategy_cost < ${LIMIT}),
      primary key (account, order_id, trade_id),
      foreign key (account, order_id) references orders (account, id)
    ) ${long}`;
}

function access({ text, long }: Types): string[] {
  return [
    `create table requests (
      account ${text} not null,
      route ${text} not null,
      key ${text} not null,
      meaning ${text} not null,
      resource ${text} not null,
      created_at ${text} not null,
      expires_at ${text},
      primary key (account, route, key)
    ) ${long}`,
    'create index requests_by_expiry on requests (expires_at) where expires_at is not null',
    `create table api_keys (
      id ${text} not null primary key,
      account ${text} not null,
      scopes ${text} not null,
      digest ${text} not null,
      created_at ${text} not null,
      expires_at ${text},
      revoked_at ${text}
    ) ${long}`,
  ];
}
