import type { Types } from './001-types.js';

/** Credentials, idempotency keys, leases of servers, and the events of accounts with where they are sent to. */
export function accessTables(t: Types): readonly string[] {
  return [...access(t), ...servers(t), ...events(t)];
}

/** Sessions are few, so nothing but the key is an index. */
function access({ text, long, short }: Types): readonly string[] {
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
    `create table sessions (
      digest ${text} not null primary key,
      key_id ${text} not null,
      started_at ${text} not null,
      used_at ${text} not null
    ) ${short}`,
  ];
}

/**
 * Which server holds each lease, and until when by the clock of the database: rows are never deleted, because the fence must
 * grow. And how far each tape was played.
 */
function servers({ text, integer, short }: Types): readonly string[] {
  return [
    `create table leases (
      name ${text} not null primary key,
      owner ${text} not null,
      fence ${integer} not null check (fence >= 1),
      expires_at ${integer} not null
    ) ${short}`,
    `create table bookmarks (name ${text} not null primary key, at ${text} not null) ${short}`,
  ];
}

function events(t: Types): readonly string[] {
  const { text, integer, short } = t;
  return [
    `create table account_events (
      account ${text} not null,
      seq ${integer} not null check (seq >= 1),
      type ${text} not null,
      recorded_at ${text} not null,
      subject ${text},
      number ${integer},
      body ${text},
      primary key (account, seq)
    ) ${short}`,
    ...endpoints(t),
  ];
}

/** Where events are sent to, how far each endpoint has come, and what it did not take. */
function endpoints({ text, integer, flag, long }: Types): readonly string[] {
  return [
    `create table endpoints (
      account ${text} not null,
      id ${text} not null,
      target ${text} not null,
      types ${text} not null,
      description ${text} not null,
      state ${text} not null check (state in ('unverified', 'active', 'disabled', 'removed')),
      disabled_because ${text} check ((disabled_because is null) = (state <> 'disabled')),
      starts_after ${integer} not null,
      skipped ${text},
      secrets ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      "by" ${text} not null,
      primary key (account, id)
    ) ${long}`,
    `create index endpoints_active on endpoints (account, id) where state = 'active'`,
    `create table endpoint_progress (
      account ${text} not null,
      endpoint_id ${text} not null,
      passed ${integer} not null,
      held_until ${text},
      failing_since ${text},
      delivered_at ${text},
      epoch ${integer} not null,
      urgent_passed ${integer} not null default 0,
      primary key (account, endpoint_id)
    ) ${long}`,
    `create table endpoint_deliveries (
      account ${text} not null,
      endpoint_id ${text} not null,
      seq ${integer} not null,
      type ${text} not null,
      order_id ${text},
      tries ${integer} not null,
      next_at ${text},
      is_passed ${flag} not null,
      tried_at ${text},
      status ${integer},
      said ${text} not null,
      primary key (account, endpoint_id, seq)
    ) ${long}`,
    'create index endpoint_deliveries_waiting on endpoint_deliveries (account, endpoint_id, seq) where next_at is not null',
  ];
}
