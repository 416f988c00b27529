import type { Page } from '../../core/ledger/query.js';
import { type MarketRef, marketName, marketNamed } from '../../core/market/market.js';
import { textIn } from './columns.js';
import { comparable } from './row-reader.js';
import type { Store } from './store.js';

/** Orders that may still trade; spelt as in their partial indexes, which are matched by text. */
export const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
/** Orders with fills and no result; spelt as in its index too. */
export const UNSETTLED = 'filled_shares > 0 and settled_at is null';

/** A market by its venue and id, neither of which contains a slash; spelt as in the indexes. */
const MARKET = `(venue || '/' || market_id)`;

/** The first market after the given one in which some order meets the condition. */
const next = (meeting: string, after: string): string =>
  `select min(${MARKET}) from orders where ${meeting} and ${MARKET} > ${after}`;

/**
 * The next `?` markets after the given one in which some order meets the condition: the index starts with the market, and is
 * searched for the next market as soon as one is found, so the number of orders costs nothing.
 */
function markets(meeting: string): string {
  return `with recursive known(id) as (
      ${next(meeting, '?')} union all select (${next(meeting, 'known.id')}) from known where known.id is not null
    ) select id from known where id is not null limit ?`;
}

const SETTLED = 'settled_at is not null';
/** Spelt as in its index. */
const DAY = 'substr(settled_at, 1, 10)';
const DAY_LENGTH = 10;
const THAT_DAY = `${SETTLED} and ${DAY} = days.day`;
const nextOfAnyDay = (after: string): string =>
  `select min((${next(THAT_DAY, after)})) from days where days.day is not null`;

/**
 * The next `?` markets in which some order was settled on the day of the moment or later, day by day: earlier settlements
 * cost nothing. On the first day some were settled before the moment; those are filtered out at the end.
 */
const SETTLED_SINCE = `with recursive days(day) as (
      select min(${DAY}) from orders where ${SETTLED} and ${DAY} >= ?
      union all
      select (select min(${DAY}) from orders where ${SETTLED} and ${DAY} > days.day) from days where days.day is not null
    ), known(id) as (
      ${nextOfAnyDay('?')} union all select (${nextOfAnyDay('known.id')}) from known where known.id is not null
    ) select id from known where id is not null and exists (
      select 1 from days cross join orders where ${THAT_DAY} and ${MARKET} = known.id and settled_at >= ?
    ) limit ?`;

const IN_USE = [markets(WORKING), markets(UNSETTLED), SETTLED_SINCE];
const ALL = `${IN_USE.map((part) => `select id from (${part}) as part`).join(' union ')} order by id limit ?`;

/** Markets, by venue and id, with orders that are working, await a result, or were settled at or after the moment. */
export async function marketsInUse(
  { reader, dialect }: Store,
  settledFrom: Date,
  page: Page<MarketRef>,
): Promise<readonly MarketRef[]> {
  const from = comparable(settledFrom);
  const { limit } = page;
  const after = page.after === undefined ? '' : marketName(page.after);
  const bindings = [after, limit, after, limit, from.slice(0, DAY_LENGTH), after, from, limit, limit];
  const answer = await reader.raw(ALL, bindings);
  const rows: readonly { readonly id: string }[] = dialect.name === 'postgres' ? answer.rows : answer;
  return rows.map(({ id }) => marketNamed(textIn(id)));
}
