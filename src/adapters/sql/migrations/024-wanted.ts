import type { Dialect } from '../dialect.js';

const LIMIT = '9007199254740992';
const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
const OUTCOME = ['account', 'paper', 'venue', 'market_id', 'token'];

/** The shares that working purchases may still bring of each outcome; computed once for existing rows. */
export function wantedSchema(dialect: Dialect['name']): readonly string[] {
  const integer = dialect === 'sqlite' ? 'integer' : 'bigint';
  const columns = OUTCOME.join(', ');
  // Summed first: a market of many orders costs no more than many markets.
  const bought = `select ${columns}, sum(shares - filled_shares) as wanted from orders
    where side = 'BUY' and shares > filled_shares and ${WORKING} group by ${columns}`;
  const same = OUTCOME.map((name) => `positions.${name} = bought.${name}`).join(' and ');
  return [
    `alter table positions add column wanted ${integer} check (wanted > 0 and wanted < ${LIMIT})`,
    `update positions set wanted = bought.wanted from (${bought}) as bought where ${same} and positions.strategy_id = ''`,
  ];
}
