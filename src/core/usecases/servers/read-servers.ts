import type { Leases, Programs } from '../../../ports/leases.js';
import { LEASE_NAMES, type LeaseName } from '../../ledger/lease.js';
import type { Program } from '../../ledger/program.js';

/** A server at work on the store. */
export interface WorkingServer extends Program {
  /** What it alone does at this moment. */
  readonly holds: readonly LeaseName[];
  /** Whether it is the one that answers. */
  readonly isSelf: boolean;
}

/**
 * Names the servers that share a store, and what each of them alone does.
 *
 * @example
 * ```ts
 * import { ReadServers } from 'stakeport/core';
 * import { MemoryLedger } from 'stakeport/memory';
 *
 * const { leases } = new MemoryLedger();
 * const [self] = await new ReadServers(leases, { owner: 'me', version: '1.0.0', automates: false }).execute();
 * ```
 */
export class ReadServers {
  constructor(
    private readonly leases: Leases & Programs,
    /** The server that answers; where no other can use the store, it does not announce itself. */
    private readonly self: Program,
  ) {}

  /** By name. @throws StorageUnavailable */
  async execute(): Promise<readonly WorkingServer[]> {
    const { self, leases } = this;
    const [alive, found] = await Promise.all([
      leases.alive(),
      Promise.all(LEASE_NAMES.map((name) => leases.find(name))),
    ]);
    const programs = new Map([self, ...alive].map((program) => [program.owner, program]));
    const names = [...programs.keys()].sort();
    const holdings = (owner: string) => LEASE_NAMES.filter((_, at) => found[at]?.owner === owner);
    return names.map((owner) => ({
      ...(programs.get(owner) ?? self),
      holds: holdings(owner),
      isSelf: owner === self.owner,
    }));
  }
}
