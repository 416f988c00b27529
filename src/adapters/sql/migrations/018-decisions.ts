import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid', long: 'strict' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '', long: '' },
} as const;

/** What strategies decided by themselves, the slots of their bets, and how often they skipped. */
export function decisionsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short, long } = TYPES[dialect];
  return [
    `create table decisions (
      account ${text} not null,
      id ${text} not null,
      strategy_id ${text} not null,
      market_id ${text} not null,
      verdict ${text} not null check (verdict in ('bet', 'skip')),
      code ${text} check ((code is null) = (verdict = 'bet')),
      order_id ${text},
      approval_id ${text},
      body ${text} not null,
      primary key (account, id)
    ) ${long}`,
    'create index decisions_by_strategy on decisions (account, strategy_id, id)',
    'create index decisions_by_market on decisions (account, strategy_id, market_id, id)',
    `create index strategies_automated on strategies (account, id) where automation <> 'off'`,
    'create index strategies_by_change on strategies (updated_at)',
    `create table bet_slots (
      account ${text} not null,
      strategy_id ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      token ${text} not null,
      n ${integer} not null check (n >= 1),
      event_id ${text} not null,
      day ${text} not null,
      at ${text} not null,
      decision_id ${text} not null,
      order_id ${text},
      primary key (account, strategy_id, venue, market_id, token, n)
    ) ${short}`,
    'create index bet_slots_by_day on bet_slots (account, strategy_id, day)',
    'create index bet_slots_by_event on bet_slots (account, strategy_id, event_id)',
    `create table skip_counts (
      account ${text} not null,
      strategy_id ${text} not null,
      hour ${text} not null,
      code ${text} not null,
      skips ${integer} not null check (skips >= 1),
      primary key (account, strategy_id, hour, code)
    ) ${short}`,
  ];
}
