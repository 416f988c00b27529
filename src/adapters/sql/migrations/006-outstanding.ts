import type { Dialect } from '../columns.js';

const LIMIT = '9007199254740992';
const MOST = '9007199254740991';

const TYPES = {
  sqlite: { integer: 'integer', smaller: 'min' },
  postgres: { integer: 'bigint', smaller: 'least' },
} as const;

/** Shares an account may still be paid for: its positions plus its working purchases; computed once for existing rows. */
export function outstandingSchema(dialect: Dialect['name']): readonly string[] {
  const { integer, smaller } = TYPES[dialect];
  const own = 'account = balances.account and paper = balances.paper';
  const held = `select sum(shares + settled + redeemable - returned) from positions where ${own} and strategy_id = ''`;
  const working = `'pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending'`;
  const wanted =
    `select sum(shares - filled_shares) from orders where ${own} and side = 'BUY' and state in (${working}) ` +
    'and shares > filled_shares';
  return [
    `alter table balances add column outstanding ${integer} not null default 0
      check (outstanding >= 0 and outstanding < ${LIMIT})`,
    `update balances set outstanding = ${smaller}(${MOST}, coalesce((${held}), 0) + coalesce((${wanted}), 0))`,
  ];
}
