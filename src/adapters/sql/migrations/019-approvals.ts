import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', boolean: 'integer', kind: 'strict' },
  postgres: { text: 'text collate "C"', boolean: 'boolean', kind: '' },
} as const;

/** Bets of strategies that wait, or waited, for a person. Of one outcome there is at most one that waits. */
export function approvalsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, boolean, kind } = TYPES[dialect];
  return [
    `create table approvals (
      account ${text} not null,
      id ${text} not null,
      state ${text} not null check (state in ('waiting', 'approved', 'rejected', 'expired', 'refused')),
      strategy_id ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      token ${text} not null,
      paper ${boolean} not null,
      event_id ${text} not null,
      day ${text} not null,
      expires_at ${text} not null,
      decided_by ${text} check ((decided_by is null) = (state in ('waiting', 'expired'))),
      decided_at ${text} check ((decided_at is null) = (decided_by is null)),
      order_id ${text} check (order_id is null or state in ('approved', 'refused')),
      decision ${text} not null,
      primary key (account, id)
    ) ${kind}`,
    `create unique index approvals_waiting on approvals (account, strategy_id, venue, market_id, token)
      where state = 'waiting'`,
    'create index approvals_by_market on approvals (account, strategy_id, venue, market_id)',
    'create index approvals_by_state on approvals (account, state, id)',
    `create index approvals_by_end on approvals (expires_at) where state = 'waiting'`,
  ];
}
