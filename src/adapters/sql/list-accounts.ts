import { SERVICE } from '../../core/account/account.js';
import type { AccountId } from '../../core/ids.js';
import type { AccountFilter, Page } from '../../core/ledger/query.js';
import { textIn } from './cells.js';
import type { Store } from './store.js';

/** Every write records its account; the account of a key may not have written yet. */
const NAMED = `(select id from accounts where id <> '${SERVICE}' union select account as id from api_keys) as known`;
const ENABLED = '(select id from accounts where live_enabled = true) as known';
/** Spelt as in its partial index. */
const MEASURED = '(select id from accounts where losses is not null) as known';
const ALARMED = `(select id from accounts where id <> '${SERVICE}' and alarms is not null) as known`;
const LIVE =
  '(select id from accounts where live_enabled = true or halt_code is not null ' +
  'union select account as id from balances where paper = false) as known';

/** Names of accounts, in order. */
export async function listAccounts(
  { reader }: Store,
  { name, live, liveEnabled, lossLimited, alarmed }: AccountFilter,
  { limit, after }: Page<AccountId>,
): Promise<readonly AccountId[]> {
  const named = live ? reader.raw(LIVE) : reader.raw(NAMED);
  const enabled = liveEnabled ? reader.raw(ENABLED) : named;
  const measured = lossLimited ? reader.raw(MEASURED) : enabled;
  const query = reader.select<{ id: string }[]>('id').from(alarmed ? reader.raw(ALARMED) : measured);
  if (name !== undefined) query.where({ id: name });
  if (after !== undefined) query.where('id', '>', after);
  return (await query.orderBy('id').limit(limit)).map(({ id }) => textIn(id) as AccountId);
}
