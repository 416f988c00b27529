import { SERVICE } from '../../core/account/account.js';
import type { AccountId } from '../../core/ids.js';
import type { AccountFilter } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { is } from './filters.js';

/** Names of the accounts with any records that match the filter. */
export function accountsIn(
  set: WorkingSet,
  { name, live, liveEnabled, lossLimited, alarmed }: AccountFilter,
): readonly AccountId[] {
  const { accounts, balances, strategies, orders, keys } = set;
  if (lossLimited === true) return accounts.all().flatMap(({ id, losses }) => (losses && is(name, id) ? [id] : []));
  if (alarmed === true)
    return accounts.all().flatMap(({ id, alarms }) => (alarms && id !== SERVICE && is(name, id) ? [id] : []));
  const isLive = live === true || liveEnabled === true;
  const matching = accounts.all().filter((one) => !isLive || one.liveEnabled || (live === true && one.halt !== null));
  const funded = liveEnabled ? [] : balances.all().filter(({ paper }) => !isLive || !paper);
  const others = isLive ? [] : [...strategies.all(), ...orders.all(), ...keys.all()];
  const names = [...matching.map(({ id }) => id), ...[...funded, ...others].map(({ account }) => account)];
  return [...new Set(names)].filter((one) => is(name, one) && one !== SERVICE);
}
