import type { Dialect } from '../columns.js';
import { TYPES } from './001-types.js';

/** Sums over the bets of an account, by what they are divided by; made anew of all bets where their form is not the one of the program. */
export function betSums(dialect: Dialect['name']): readonly string[] {
  const { text, flag, short } = TYPES[dialect];
  return [
    `alter table bet_heads add column sums_form ${text} not null default ''`,
    `create table bet_sums (
      account ${text} not null,
      name ${text} not null,
      divided_by ${text} not null,
      paper ${flag} not null,
      body ${text} not null,
      primary key (account, name)
    ) ${short}`,
    'create index bet_sums_by_division on bet_sums (account, divided_by, paper)',
  ];
}
