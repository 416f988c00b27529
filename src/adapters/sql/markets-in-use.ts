import type { MarketId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import { text } from './cells.js';
import { comparable } from './row-reader.js';
import type { Store } from './store.js';

/** Orders that may still trade; spelt as in their partial indexes, which are found by their text. */
export const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
/** Orders with fills and no result; spelt as in its index too. */
export const UNSETTLED = 'filled_shares > 0 and settled_at is null';

/**
 * The next `?` markets after the one named in which some order meets the condition: an index with the market in front is
 * left for the next market as soon as one is found, so that the number of orders costs nothing.
 */
function markets(meeting: string, also = 'true'): string {
  const next = (after: string) => `select min(market_id) from orders where ${meeting} and market_id > ${after}`;
  return `with recursive known(id) as (
      ${next('?')} union all select (${next('known.id')}) from known where known.id is not null
    ) select id from known where id is not null and ${also} limit ?`;
}

const SETTLED = 'settled_at is not null';
const SINCE = `exists (select 1 from orders where ${SETTLED} and market_id = known.id and settled_at >= ?)`;
const IN_USE = [markets(WORKING), markets(UNSETTLED), markets(SETTLED, SINCE)];
const ALL = `${IN_USE.map((part) => `select id from (${part}) as part`).join(' union ')} order by id limit ?`;

/** Markets, by id, in which orders are working, wait for a result, or were settled at or after the moment. */
export async function marketsInUse(
  { reader, dialect }: Store,
  settledFrom: Date,
  { limit, after = '' as MarketId }: Page<MarketId>,
): Promise<readonly MarketId[]> {
  const bindings = [after, limit, after, limit, after, comparable(settledFrom), limit, limit];
  const answer = await reader.raw(ALL, bindings);
  const rows: readonly { readonly id: string }[] = dialect.name === 'postgres' ? answer.rows : answer;
  return rows.map(({ id }) => text(id) as MarketId);
}
