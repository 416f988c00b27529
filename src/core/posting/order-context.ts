import type { Clock, DayOf, Digest, Ids, Stopwatch } from '../../ports/system.js';
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
  /** The day of a moment, such as 2026-11-22, in the zone by which limits count days; by default UTC. */
  readonly dayOf?: DayOf | undefined;
  /** Why this process must not decide for strategies, such as a newer version at work; null while it may. By default it may. */
  readonly outdated?: () => string | null;
}

/** Why this process must not decide for strategies; null while it may. */
export const outdatedBy = ({ outdated }: Pick<OrderContext, 'outdated'>): string | null => outdated?.() ?? null;
