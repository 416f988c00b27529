import type { Clock, Digest, Ids, Stopwatch } from '../../ports/system.js';
import type { Usdc } from '../money.js';
import type { Venues } from '../venues/venues.js';

/** What every use case about orders needs besides its ports to storage and venues. */
export interface OrderContext {
  /** Tells which orders are decided in this process. */
  readonly venues: Pick<Venues, 'isLocal'>;
  /** The time in which orders are placed and markets move: the machine's, or that of a tape. */
  readonly clock: Clock;
  /** The machine's time, in which idempotency keys are stamped, tested and forgotten; `clock` may be a tape's. */
  readonly wallClock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly stopwatch: Stopwatch;
  /** The cash of a paper account before its first order. */
  readonly openingCash: Usdc;
  /** The most that one order with real money may be worth, at whatever venue; null for no limit. */
  readonly liveOrderCap: Usdc | null;
}
