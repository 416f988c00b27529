import type { Dialect } from '../columns.js';

/** The tables of which rows are remembered between groups of writes, beside the accounts themselves. */
const REMEMBERED = ['balances', 'positions', 'strategies', 'exposures'];
const OF_A_STRANGER = `current_setting('stakeport.names_versions', true) is distinct from 'on'`;

/**
 * A version for each account, so that Postgres can store what was decided without its lock; SQLite counts commits by itself.
 * Servers name the version with each write. Whoever does not, such as an operator at the console, has a new one named by
 * the database, so that no writer can be overlooked. `group_marks` has the number
 * of the last group of each server, and whether it was stored.
 */
export function versionsSchema(dialect: Dialect['name']): readonly string[] {
  if (dialect === 'sqlite') return [];
  return [
    `alter table accounts add column version text collate "C" not null default ''`,
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
