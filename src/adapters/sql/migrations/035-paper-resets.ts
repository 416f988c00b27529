import type { Dialect } from '../columns.js';

const KEY = 'account, strategy_id, venue, market_id, token, reset, n';
const REAL = `exists (select 1 from orders where orders.account = bet_slots.account and orders.id = bet_slots.order_id and orders.paper = `;

/** The slots of bets carry which paper money they were made with: how often it had begun anew, or that it was real money. */
export function paperResetsSchema(dialect: Dialect['name']): readonly string[] {
  if (dialect === 'postgres')
    return [
      'alter table accounts add column paper_resets bigint check (paper_resets >= 1)',
      'alter table bet_slots add column reset bigint not null default 0',
      `update bet_slots set reset = -1 where ${REAL}false)`,
      'alter table bet_slots alter column reset drop default',
      'alter table bet_slots drop constraint bet_slots_pkey',
      `alter table bet_slots add primary key (${KEY})`,
    ];
  return [
    'alter table accounts add column paper_resets integer check (paper_resets >= 1)',
    `create table bet_slots_by_reset (
      account text not null,
      strategy_id text not null,
      venue text not null,
      market_id text not null,
      token text not null,
      n integer not null check (n >= 1),
      reset integer not null,
      event_id text not null,
      day text not null,
      at text not null,
      decision_id text not null,
      order_id text,
      primary key (${KEY})
    ) strict, without rowid`,
    `insert into bet_slots_by_reset
      select account, strategy_id, venue, market_id, token, n, case when ${REAL}0) then -1 else 0 end,
        event_id, day, at, decision_id, order_id from bet_slots`,
    'drop table bet_slots',
    'alter table bet_slots_by_reset rename to bet_slots',
    'create index bet_slots_by_day on bet_slots (account, strategy_id, day)',
    'create index bet_slots_by_event on bet_slots (account, strategy_id, event_id)',
  ];
}
