import type { Lease, LeaseName } from '../core/ledger/lease.js';

/** Hands out leases, by the clock of the store. `Ledger.write` looks at them in the transaction that they entitle to. */
export interface Leases {
  /**
   * Takes what nobody has, for so many milliseconds and with the next fence; null while somebody has it. Of many who ask at
   * once one gets it. @throws StorageUnavailable
   */
  claim(name: LeaseName, owner: string, forMs: number): Promise<Lease | null>;
  /**
   * Lets it last for so long from now on. False once somebody else has taken it: then it is lost for good. One that has run
   * out, and that nobody took, goes on. @throws StorageUnavailable
   */
  renew(lease: Lease, forMs: number): Promise<boolean>;
  /** Makes it anybody's at once; changes nothing about one that is lost. @throws StorageUnavailable */
  release(lease: Lease): Promise<void>;
  /** Undefined while nobody has it. @throws StorageUnavailable */
  find(name: LeaseName): Promise<Lease | undefined>;
}

/** A store that keeps leases. */
export interface Leasing {
  readonly leases: Leases;
}
