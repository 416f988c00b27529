import type { Exchange } from '../../ports/exchange.js';
import { PaperElsewhere } from '../errors.js';
import type { Decision, Scope, Snapshot } from './decision.js';
import type { LeaseInHand } from './lease.js';

/** What a scope has to name so that a decision can check the lease. */
export const leased = (lease: LeaseInHand): Pick<Scope, 'lease'> => (lease ? { lease: lease.name } : {});

/**
 * True where no lease is needed, or where it is on record as held: it has not expired, and no other process has taken it.
 */
export function mayAct(now: Snapshot, lease: LeaseInHand): boolean {
  if (lease === undefined) return true;
  if (lease === null) return false;
  const held = now.lease(lease.name);
  return held?.fence === lease.fence && held.owner === lease.owner;
}

/** The lease under which this process acts for a venue; none is needed for a venue that is reached over the network. */
export const leaseOf = (exchange: Exchange | null): LeaseInHand => exchange?.local?.lease();

/** Passes where this process may act. @throws PaperElsewhere otherwise */
export function checkLease(now: Snapshot, lease: LeaseInHand): void {
  if (!mayAct(now, lease)) throw new PaperElsewhere();
}

/** What writes. */
interface Writer {
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T>;
}

/**
 * Writes as `ledger` does, but stores nothing where the lease is lost by the time of storing, however long ago the write
 * began.
 * @throws PaperElsewhere then
 */
export const underLease = (ledger: Writer, inHand: () => LeaseInHand): Writer => ({
  async write(scope, decide) {
    const lease = inHand();
    if (lease === null) throw new PaperElsewhere();
    return ledger.write({ ...scope, ...leased(lease) }, (now) => {
      checkLease(now, lease);
      return decide(now);
    });
  },
});
