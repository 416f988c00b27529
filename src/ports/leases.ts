import type { Job } from '../core/ledger/job.js';
import type { Lease, LeaseName } from '../core/ledger/lease.js';
import type { Program } from '../core/ledger/program.js';

/** Hands out leases, by the clock of the store. `Ledger.write` checks them in the transaction that needs them. */
export interface Leases {
  /**
   * Takes a lease that is free, for `forMs` milliseconds and with the next fence; null while another owner has it. Of
   * several concurrent claims one succeeds. @throws StorageUnavailable
   */
  claim(name: LeaseName, owner: string, forMs: number): Promise<Lease | null>;
  /**
   * Extends it to `forMs` from now. False once another owner has taken it: then it is lost for good. One that has expired,
   * and that no one took, goes on. @throws StorageUnavailable
   */
  renew(lease: Lease, forMs: number): Promise<boolean>;
  /** Makes it free at once; does nothing for a lease that is lost. @throws StorageUnavailable */
  release(lease: Lease): Promise<void>;
  /** Undefined while it is free. @throws StorageUnavailable */
  find(name: LeaseName): Promise<Lease | undefined>;
}

/** Makes programs that share a store known to each other, by the clock of the store. */
export interface Programs {
  /** Those that are alive, by the names of their owners. @throws StorageUnavailable */
  alive(): Promise<readonly Program[]>;
  /** Announces that the program is alive for `forMs` milliseconds. @throws StorageUnavailable */
  announce(program: Program, forMs: number): Promise<void>;
  /** Whether a newer version has migrated the store. @throws StorageUnavailable */
  isMigrated(): Promise<boolean>;
  /** Announces that it is alive no more. @throws StorageUnavailable */
  leave(program: Program): Promise<void>;
}

/** A store that keeps leases. */
export interface Leasing {
  readonly leases: Leases & Programs;
}

/** Hands out jobs. `Ledger.write` creates, postpones and ends them, together with their orders. */
export interface JobQueue {
  /**
   * Takes jobs that are due, the longest due first, and none that another worker is taking. Each is due again after
   * `leaseMs`, for any worker: the one that took it must be done by then, or postpone it.
   * @throws StorageUnavailable
   */
  claimJobs(limit: number, leaseMs: number): Promise<readonly Job[]>;
}
