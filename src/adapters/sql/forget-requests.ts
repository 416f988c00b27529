import { stamp } from './cells.js';
import type { Store } from './store.js';

/** Expired records deleted by one statement: few enough that no writer has to wait. */
const AT_ONCE = 1000;
const EXPIRED = 'select account, route, key from requests where expires_at <= ? limit ?';

/** Deletes idempotency records that expired before `now`, and returns how many. */
export async function forgetRequests({ writer }: Store, now: Date): Promise<number> {
  const moment = stamp(now);
  for (let forgotten = 0; ; ) {
    // The expiry is checked again: a record that was renewed while this waited for its lock must stay.
    const count = await writer('requests')
      .where('expires_at', '<=', moment)
      .whereRaw(`(account, route, key) in (${EXPIRED})`, [moment, AT_ONCE])
      .delete();
    forgotten += count;
    if (count < AT_ONCE) return forgotten;
  }
}
