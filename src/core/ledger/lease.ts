/** What one process at a time may act for: `paper` is the simulated exchange with books. */
export type LeaseName = 'paper';

/** The right to act for something, for as long as it is renewed, by the clock of the store. */
export interface Lease {
  readonly name: LeaseName;
  /** Names one start of one process. */
  readonly owner: string;
  /** Grows with everybody who takes it: who holds a smaller one came too late, and has lost it. */
  readonly fence: number;
}

/** The lease under which this process acts; null when it may not act now, undefined where none is needed. */
export type LeaseInHand = Lease | null | undefined;
