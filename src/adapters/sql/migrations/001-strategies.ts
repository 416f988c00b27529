import { type Types, unsigned } from './001-types.js';

/** Strategies with what they have at work, what they decided, and what they decide by. */
export function strategyTables(t: Types): readonly string[] {
  return [...strategies(t), ...decisions(t), ...bets(t), ...approvals(t), ...observed(t)];
}

/** Each index of a list is partial, so that a query selects it by its condition. */
function strategies(t: Types): readonly string[] {
  const { text, integer, flag, long, short } = t;
  const columns = strategyColumns(t);
  return [
    `create table strategies (${columns},
      primary key (account, id)
    ) ${long}`,
    'create index strategies_kept on strategies (account, id) where archived_at is null',
    'create index strategies_by_sport on strategies (sport, account, id) where archived_at is null',
    'create index strategies_paused on strategies (account, id) where archived_at is null and is_paused',
    'create index strategies_running on strategies (account, id) where archived_at is null and not is_paused',
    `create index strategies_automated on strategies (account, id) where automation <> 'off'`,
    'create index strategies_by_change on strategies (updated_at)',
    `create table strategy_versions (${columns},
      primary key (account, id, version),
      foreign key (account, id) references strategies (account, id)
    ) ${long}`,
    `create table exposures (
      account ${text} not null,
      strategy_id ${text} not null,
      paper ${flag} not null,
      committed ${integer} not null check (${unsigned('committed')}),
      counted ${text} not null,
      primary key (account, strategy_id, paper),
      foreign key (account, strategy_id) references strategies (account, id)
    ) ${short}`,
  ];
}

/** Only an API key lets a strategy trade by itself with real money. */
function strategyColumns({ text, integer, flag, yes }: Types): string {
  return `
      account ${text} not null,
      id ${text} not null,
      version ${integer} not null check (version >= 1),
      name ${text} not null,
      sport ${text} not null,
      rules ${text} not null,
      bankroll_cap ${integer} not null check (${unsigned('bankroll_cap')}),
      stake_cap ${integer} not null check (${unsigned('stake_cap')}),
      is_paused ${flag} not null,
      paper_only ${flag} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      archived_at ${text},
      automation ${text} not null default 'off' check (automation in ('off', 'approve', 'auto')),
      automation_paper ${flag} not null default ${yes},
      automation_key ${text} check (automation_paper = (automation_key is null))`;
}

function decisions({ text, integer, long, short }: Types): readonly string[] {
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

/** The slots of bets carry which paper money they were made with: how often it had begun anew, or that it was real money. */
function bets({ text, integer, short }: Types): readonly string[] {
  return [
    `create table bet_slots (
      account ${text} not null,
      strategy_id ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      token ${text} not null,
      n ${integer} not null check (n >= 1),
      reset ${integer} not null,
      event_id ${text} not null,
      day ${text} not null,
      at ${text} not null,
      decision_id ${text} not null,
      order_id ${text},
      primary key (account, strategy_id, venue, market_id, token, reset, n)
    ) ${short}`,
    'create index bet_slots_by_day on bet_slots (account, strategy_id, day)',
    'create index bet_slots_by_event on bet_slots (account, strategy_id, event_id)',
  ];
}

/** Bets that wait, or waited, for a person. Of one outcome there is at most one that waits. */
function approvals({ text, flag, long }: Types): readonly string[] {
  return [
    `create table approvals (
      account ${text} not null,
      id ${text} not null,
      state ${text} not null check (state in ('waiting', 'approved', 'rejected', 'expired', 'refused')),
      strategy_id ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      token ${text} not null,
      paper ${flag} not null,
      event_id ${text} not null,
      day ${text} not null,
      expires_at ${text} not null,
      decided_by ${text} check ((decided_by is null) = (state in ('waiting', 'expired'))),
      decided_at ${text} check ((decided_at is null) = (decided_by is null)),
      order_id ${text} check (order_id is null or state in ('approved', 'refused')),
      decision ${text} not null,
      primary key (account, id)
    ) ${long}`,
    `create unique index approvals_waiting on approvals (account, strategy_id, venue, market_id, token)
      where state = 'waiting'`,
    'create index approvals_by_market on approvals (account, strategy_id, venue, market_id)',
    'create index approvals_by_state on approvals (account, state, id)',
    `create index approvals_by_end on approvals (expires_at) where state = 'waiting'`,
  ];
}

/**
 * The first price of each market for a strategy, and the signals of models. Signals have no index beside the key: a signal is
 * replaced far more often than it is searched for in any other way.
 */
function observed({ text, integer, short }: Types): readonly string[] {
  const probability = (column: string) => `${column} ${integer} not null check (${column} > 0 and ${column} < 1000000)`;
  return [
    `create table first_prices (
      account ${text} not null,
      strategy_id ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      outcome ${text} not null check (outcome in ('YES', 'NO')),
      price ${integer} not null check (price between 0 and 1000000),
      at ${text} not null,
      primary key (account, strategy_id, venue, market_id, outcome)
    ) ${short}`,
    'create index first_prices_by_market on first_prices (venue, market_id)',
    `create table signals (
      account ${text} not null,
      name ${text} not null,
      venue ${text} not null,
      market_id ${text} not null,
      first_label ${text} not null,
      ${probability('first_probability')},
      second_label ${text} not null,
      ${probability('second_probability')},
      expires_at ${text} not null,
      source ${text},
      updated_at ${text} not null,
      primary key (account, name, venue, market_id)
    ) ${short}`,
  ];
}
