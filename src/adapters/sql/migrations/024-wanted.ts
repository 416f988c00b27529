import type { Dialect } from '../columns.js';

const LIMIT = '9007199254740992';
const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
/** An order that spends dollars, and has no envelope, may get as many shares as the rest of them buys at the finest price. */
const WANTED = `case
  when envelope is not null or envelope_spends is null then shares - filled_shares
  when (envelope_spends - filled_notional) * 10000 >= ${LIMIT} then ${LIMIT} - 1
  else (envelope_spends - filled_notional) * 10000 end`;
const OUTCOME = ['account', 'paper', 'venue', 'market_id', 'token'];

/** The shares that working purchases may still bring of each outcome; computed once for existing rows. */
export function wantedSchema(dialect: Dialect['name']): readonly string[] {
  const integer = dialect === 'sqlite' ? 'integer' : 'bigint';
  const columns = OUTCOME.join(', ');
  // Summed first: a market of many orders costs no more than many markets.
  const bought = `select ${columns}, sum(${WANTED}) as wanted from orders
    where side = 'BUY' and ${WORKING} and ${WANTED} > 0 group by ${columns}`;
  const same = OUTCOME.map((name) => `positions.${name} = bought.${name}`).join(' and ');
  return [
    `alter table positions add column wanted ${integer} check (wanted > 0 and wanted < ${LIMIT})`,
    `update positions set wanted = bought.wanted from (${bought}) as bought where ${same} and positions.strategy_id = ''`,
  ];
}
