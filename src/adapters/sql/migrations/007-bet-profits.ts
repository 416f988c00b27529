import type { Dialect } from '../columns.js';
import { signed, TYPES } from './001-types.js';

/**
 * What bets that ended earned, which they are listed by: each kind of money apart. Open ones, which change most often, are not in the
 * index. It has what they are filtered by, too: 10⁵ bets of which few are asked for took 0.7 s, as each row was read.
 */
export function betProfits(dialect: Dialect['name']): readonly string[] {
  const { integer } = TYPES[dialect];
  const profit = dialect === 'postgres' ? "(body::json ->> 'profit')::bigint" : "cast(body ->> '$.profit' as integer)";
  return [
    `alter table bets add column profit ${integer} check (${signed('profit')})`,
    `update bets set profit = ${profit} where settled_at is not null`,
    `create index bets_by_profit on bets
      ((case when paper then 'paper' else 'money' end), account, profit, id, strategy_id, result) where profit is not null`,
  ];
}
