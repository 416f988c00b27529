/** What only one process at a time may run: `paper` is the simulated exchange with books, `delivery` sends events to endpoints. */
export const LEASE_NAMES = ['paper', 'delivery'] as const;

/** One of them. */
export type LeaseName = (typeof LEASE_NAMES)[number];

/** The exclusive right to run something, for as long as it is renewed, by the clock of the store. */
export interface Lease {
  readonly name: LeaseName;
  /** Identifies one start of one process. */
  readonly owner: string;
  /** Grows each time the lease is taken: a process with a smaller fence has lost it. */
  readonly fence: number;
}

/** The lease under which this process acts; null when it may not act now, undefined where none is needed. */
export type LeaseInHand = Lease | null | undefined;
