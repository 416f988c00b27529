import type { Dialect } from '../columns.js';
import { TYPES } from './001-types.js';

/**
 * Bets, and what they are made of beside the events of orders: what an order was decided on, and the prices when it reached the book.
 * Bets are found by their id, by their outcome while they are open, and by their event; across accounts by when their
 * close is due, while they have none; and listed by strategy, market and result.
 */
export function bets(dialect: Dialect['name']): readonly string[] {
  const { text, integer, flag, long, short } = TYPES[dialect];
  return [
    `alter table orders add column decided_on ${text}`,
    `alter table orders add column at_arrival ${text}`,
    `create table bet_heads (
      account ${text} not null primary key,
      version ${integer} not null check (version >= 1),
      seq ${integer} not null check (seq >= 0),
      books ${text} not null
    ) ${short}`,
    `create table bets (
      account ${text} not null,
      id ${text} not null,
      paper ${flag} not null,
      venue ${text} not null,
      market_id ${text} not null,
      outcome ${text} not null,
      strategy_id ${text},
      event ${text} not null,
      result ${text} not null,
      opened_at ${text} not null,
      settled_at ${text},
      closes_at ${text},
      body ${text} not null,
      primary key (account, id)
    ) ${long}`,
    `create index bets_open on bets (account, outcome) where result = 'open'`,
    'create index bets_by_outcome on bets (account, outcome)',
    'create index bets_by_event on bets (account, event)',
    'create index bets_by_strategy on bets (strategy_id, account, id) where strategy_id is not null',
    'create index bets_by_market on bets (market_id, account, id)',
    'create index bets_by_close on bets (closes_at, account, id) where closes_at is not null',
    'create index bets_by_settlement on bets (account, settled_at) where settled_at is not null',
  ];
}
