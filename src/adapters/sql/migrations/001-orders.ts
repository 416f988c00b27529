import { LIMIT, type Types, unsigned } from './001-types.js';

/** Orders with their indexes, fills and histories, and what is known of them at venues. */
export function orderTables(t: Types): readonly string[] {
  return [
    `create table orders (${intentColumns(t)},${progressColumns(t)},${contextColumns(t)},${ORDER_CHECKS},
      primary key (account, id),
      foreign key (account, strategy_id, strategy_version) references strategy_versions (account, id, version)
    ) ${t.long}`,
    ...orderIndexes(),
    fills(t),
    ...histories(t),
    ...atVenues(t),
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
      shares ${integer} not null check (${unsigned('shares')}),
      time_in_force ${text} not null,
      expires_at ${text},
      post_only ${flag} not null,
      paper ${flag} not null,
      strategy_id ${text},
      strategy_version ${integer}`;
}

function progressColumns({ text, integer }: Types): string {
  return `
      state ${text} not null,
      status ${text} not null,
      venue_order_id ${text},
      filled_shares ${integer} not null check (filled_shares < ${LIMIT}),
      confirmed_shares ${integer} not null,
      filled_notional ${integer} not null check (${unsigned('filled_notional')}),
      fees ${integer} not null check (${unsigned('fees')}),
      returned ${integer} check (${unsigned('returned')}),
      settled_at ${text},
      refusal_code ${text},
      refusal_message ${text},
      updated_at ${text} not null,
      seq ${integer} not null check (seq >= 1),
      event_hash ${text} not null`;
}

/** Fees, the envelope for a venue, and what limits and strategies count an order for. */
function contextColumns({ text, integer, flag, no }: Types): string {
  return `
      fee_schedule text,
      envelope text,
      send_by text,
      envelope_spends ${integer} check (${unsigned('envelope_spends')}),
      arrives_at text,
      venue ${text} not null default 'none',
      venue_reference ${text},
      envelope_dust ${integer},
      presumed ${flag} not null default ${no},
      sport ${text},
      decision_id ${text},
      day ${text},
      bet ${text}`;
}

const ORDER_CHECKS = `
      check ((strategy_id is null) = (strategy_version is null)),
      check (0 <= confirmed_shares and confirmed_shares <= filled_shares),
      check (side = 'SELL' or filled_notional <= size),
      check (side = 'BUY' or filled_shares <= shares),
      check ((refusal_code is not null) = (state in ('denied', 'rejected', 'failed', 'unknown'))),
      check ((refusal_code is null) = (refusal_message is null)),
      check (venue_order_id is not null
        or state not in ('delayed', 'open', 'cancel_pending', 'filled', 'cancelled', 'failed')),
      check (state <> 'filled' or filled_shares > 0),
      check ((returned is null) = (settled_at is null)),
      check ((status = 'settled') = (settled_at is not null)),
      check (settled_at is null or settled_at >= placed_at)`;

const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
/** A market is looked up by its venue and id together. */
const MARKET = `(venue || '/' || market_id)`;
const KIND = `status || '/' || case when paper then 'paper' else 'money' end`;

/**
 * The primary key serves the plain list, newest first; each further index serves a filter of that list, or a periodic read across
 * all accounts, so that a read costs in proportion to its answer. Those by status, strategy and venue are of one text, so that
 * the orders that meet a combination of filters are one part of an index, or a few. None begins with the account unless it is
 * partial: Postgres, while it has no statistics yet, would use it instead of the primary key; of `orders_by_moment`
 * the condition holds for every order. None is by market and status: with orders in a thousand markets, it would
 * cost more than any other.
 */
function orderIndexes(): readonly string[] {
  return [
    'create index orders_by_id on orders (id)',
    'create index orders_by_moment on orders (account, placed_at, id) where price > 0',
    `create index orders_by_status on orders ((${KIND}), account, id)`,
    `create index orders_by_strategy on orders ((strategy_id || '/' || ${KIND}), account, id, venue)
      where strategy_id is not null`,
    `create index orders_by_venue on orders ((venue || '/' || ${KIND}), account, id)`,
    'create index orders_by_market on orders (market_id, account, id, status, paper, strategy_id, venue)',
    // Nearly always empty: what a restart must process.
    `create index orders_in_flight on orders (id) where state in ('pending', 'submitting', 'unknown')`,
    `create index orders_working on orders (id) where ${WORKING}`,
    `create index orders_working_by_market on orders (${MARKET}, id) where ${WORKING}`,
    `create index orders_unsettled on orders (${MARKET}, id) where filled_shares > 0 and settled_at is null`,
    `create index orders_settled_by_day on orders (substr(settled_at, 1, 10), ${MARKET}, settled_at)
      where settled_at is not null`,
  ];
}

function fills({ text, integer, long }: Types): string {
  return `create table fills (
      account ${text} not null,
      order_id ${text} not null,
      trade_id ${text} not null,
      n ${integer} not null check (n >= 1),
      shares ${integer} not null check (shares > 0 and shares < ${LIMIT}),
      price ${integer} not null check (${unsigned('price')}),
      notional ${integer} not null check (${unsigned('notional')}),
      fee ${integer} not null check (${unsigned('fee')}),
      liquidity ${text} not null,
      settlement ${text} not null check (settlement in ('provisional', 'confirmed', 'voided')),
      model ${text},
      basis_cost ${integer} not null check (${unsigned('basis_cost')}),
      basis_strategy_shares ${integer} not null check (${unsigned('basis_strategy_shares')}),
      basis_strategy_cost ${integer} not null check (${unsigned('basis_strategy_cost')}),
      basis_fees ${integer} check (${unsigned('basis_fees')}),
      basis_strategy_fees ${integer} check (${unsigned('basis_strategy_fees')}),
      taken ${text},
      primary key (account, order_id, trade_id),
      foreign key (account, order_id) references orders (account, id)
    ) ${long}`;
}

/** The events of each order, and jobs: due by the clock of the database, so that servers need not agree on the time. */
function histories({ text, integer, long, short }: Types): readonly string[] {
  return [
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
    `create table order_jobs (
      account ${text} not null,
      order_id ${text} not null,
      fence ${integer} not null check (fence >= 1),
      due_at ${integer},
      primary key (account, order_id)
    ) ${short}`,
    'create index order_jobs_due on order_jobs (due_at) where due_at is not null',
  ];
}

/**
 * A venue's report about one order must never be applied to two of ours: the key is the venue's id. Orders of the wallet
 * that were not placed here have their identity first in the key, because they are listed in that order.
 */
function atVenues({ text, integer, flag, short }: Types): readonly string[] {
  return [
    `create table venue_orders (
      venue ${text} not null,
      venue_order_id ${text} not null,
      account ${text} not null,
      order_id ${text} not null,
      primary key (venue, venue_order_id)
    ) ${short}`,
    `create table external_orders (
      venue ${text} not null,
      venue_order_id ${text} not null,
      condition_id ${text} not null,
      token_id ${text},
      side ${text} check (side in ('BUY', 'SELL')),
      price ${integer} check (${unsigned('price')}),
      shares ${integer} check (${unsigned('shares')}),
      resting ${flag} not null,
      first_seen ${text} not null,
      primary key (venue_order_id, venue)
    ) ${short}`,
  ];
}
