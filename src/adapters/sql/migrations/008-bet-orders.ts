import type { Dialect } from '../columns.js';
import { TYPES } from './001-types.js';

/** Orders of bets that have many: a bet that trades again is written without those that came long before. */
export function betOrders(dialect: Dialect['name']): readonly string[] {
  const { text, integer, long } = TYPES[dialect];
  return [
    `create table bet_orders (
      account ${text} not null,
      bet ${text} not null,
      place ${integer} not null check (place >= 0),
      body ${text} not null,
      primary key (account, bet, place)
    ) ${long}`,
  ];
}
