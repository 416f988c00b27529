import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', boolean: 'integer', kind: 'strict' },
  postgres: { text: 'text collate "C"', integer: 'bigint', boolean: 'boolean', kind: '' },
} as const;

/** Where events are sent to, how far each endpoint has come, and what it did not take. */
export function endpointsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, boolean, kind } = TYPES[dialect];
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
      primary key (account, id)
    ) ${kind}`,
    `create index endpoints_active on endpoints (account, id) where state = 'active'`,
    `create table endpoint_progress (
      account ${text} not null,
      endpoint_id ${text} not null,
      passed ${integer} not null,
      held_until ${text},
      failing_since ${text},
      delivered_at ${text},
      epoch ${integer} not null,
      primary key (account, endpoint_id)
    ) ${kind}`,
    `create table endpoint_deliveries (
      account ${text} not null,
      endpoint_id ${text} not null,
      seq ${integer} not null,
      type ${text} not null,
      order_id ${text},
      tries ${integer} not null,
      next_at ${text},
      is_passed ${boolean} not null,
      tried_at ${text},
      status ${integer},
      said ${text} not null,
      primary key (account, endpoint_id, seq)
    ) ${kind}`,
    `create index endpoint_deliveries_waiting on endpoint_deliveries (account, endpoint_id, seq) where next_at is not null`,
  ];
}
