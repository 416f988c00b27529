import type { Client } from 'pg';
import type { AccountId } from '../../core/ids.js';
import { postgresDialect } from './dialect.js';
import { nameOf } from './postgres-transaction.js';
import type { HomeFound } from './store.js';

/** As of other leases. */
const LEASE_MS = 5000;
const { now } = postgresDialect;

const IS_OWN = 'home.server = excluded.server';
const IS_FREE = `(${IS_OWN} or home.expires_at <= ${now})`;

/**
 * Takes the homes that are free, and leaves word at those of others. In the order of accounts, so that two servers never
 * deadlock; by the clock of the database, so that machines need not agree on the time.
 */
const CLAIM = `insert into account_homes as home (account, server, expires_at, visited_until)
  select account, $2, ${now} + ${LEASE_MS}, 0 from unnest($1::text[]) as wanted (account) order by account
  on conflict (account) do update set
    server = case when ${IS_FREE} then excluded.server else home.server end,
    expires_at = case when ${IS_FREE} then excluded.expires_at else home.expires_at end,
    visited_until = case when ${IS_OWN} then home.visited_until when ${IS_FREE} then 0 else excluded.expires_at end
  returning account, server = $2, expires_at - ${now}, visited_until - ${now}`;

/** Claims the homes of accounts that this server writes, and resolves with what is known of each. */
export async function claimHomes(
  client: Client,
  accounts: readonly AccountId[],
  server: string,
): Promise<readonly HomeFound[]> {
  const { rows } = await client.query<[AccountId, boolean, string, string]>({
    name: nameOf(CLAIM),
    text: CLAIM,
    values: [accounts, server],
    rowMode: 'array',
  });
  return rows.map(([account, isOwn, lasts, visited]) => {
    return { account, isOwn, lastsMs: Number(lasts), visitedMs: Math.max(0, Number(visited)) };
  });
}
