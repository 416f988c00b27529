import type { OrderId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { Job, JobChange } from '../../core/ledger/job.js';
import type { Lease, LeaseName } from '../../core/ledger/lease.js';
import { type Company, type Program, programOf, rankOf, versionIn } from '../../core/ledger/program.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { Leases, Programs } from '../../ports/leases.js';
import type { Clock } from '../../ports/system.js';

/** Keeps them in this process. */
export class MemoryLeases implements Leases, Programs {
  readonly #taken = new Map<LeaseName, { readonly lease: Lease; readonly expiresAt: number }>();
  readonly #programs = new Map<string, { readonly rank: string; readonly expiresAt: number }>();

  constructor(private readonly clock: Clock) {}

  async claim(name: LeaseName, owner: string, forMs: number): Promise<Lease | null> {
    if (this.now(name) !== undefined) return null;
    const lease = { name, owner, fence: 1 + (this.#taken.get(name)?.lease.fence ?? 0) };
    this.#put(lease, forMs);
    return lease;
  }

  async renew(lease: Lease, forMs: number): Promise<boolean> {
    const isHeld = this.#has(lease);
    if (isHeld) this.#put(lease, forMs);
    return isHeld;
  }

  async release(lease: Lease): Promise<void> {
    if (this.#has(lease)) this.#put(lease, 0);
  }

  async find(name: LeaseName): Promise<Lease | undefined> {
    return this.now(name);
  }

  /** There are no others to migrate what is in this process. */
  async announce(program: Program, forMs: number): Promise<Company> {
    const own = rankOf(program, 0);
    this.#programs.set(program.owner, { rank: own, expiresAt: this.clock.now().getTime() + forMs });
    const first = this.#alive().reduce((best, [, { rank }]) => (rank > best ? rank : best), own);
    return { better: first === own ? null : versionIn(first), isMigrated: false };
  }

  async alive(): Promise<readonly Program[]> {
    return this.#alive()
      .map(([owner, { rank }]) => programOf(owner, rank))
      .sort((one, other) => (one.owner < other.owner ? -1 : 1));
  }

  async leave({ owner }: Program): Promise<void> {
    this.#programs.delete(owner);
  }

  /** The lease at this moment, if it is held. */
  now(name: LeaseName): Lease | undefined {
    const taken = this.#taken.get(name);
    return taken !== undefined && taken.expiresAt > this.clock.now().getTime() ? taken.lease : undefined;
  }

  /** Puts the lease that the scope names into the set, as it is at this moment. */
  show({ lease: name }: Scope, { leases }: WorkingSet): void {
    const lease = name && this.now(name);
    if (lease !== undefined) leases.load(lease.name, lease);
    else if (name !== undefined) leases.drop(name);
  }

  #alive(): readonly (readonly [owner: string, { readonly rank: string }])[] {
    const now = this.clock.now().getTime();
    return [...this.#programs].filter(([, { expiresAt }]) => expiresAt > now);
  }

  #has({ name, owner, fence }: Lease): boolean {
    const lease = this.#taken.get(name)?.lease;
    return lease?.owner === owner && lease.fence === fence;
  }

  #put(lease: Lease, forMs: number): void {
    this.#taken.set(lease.name, { lease, expiresAt: this.clock.now().getTime() + forMs });
  }
}

/** When the jobs of a ledger in memory are due. */
export class MemoryJobs {
  /** When each unfinished job may be taken, in milliseconds. */
  readonly #due = new Map<OrderId, number>();

  constructor(private readonly set: Pick<WorkingSet, 'jobs'>) {}

  /** Takes up what a decision made of jobs; `now` is in milliseconds. */
  note(changes: readonly JobChange[], now: number): void {
    for (const { orderId, inMs } of changes) {
      if (inMs === null) this.#due.delete(orderId);
      else this.#due.set(orderId, now + inMs);
    }
  }

  /** Takes those that are due, the longest first. */
  claim(limit: number, leaseMs: number, now: number): readonly Job[] {
    const due = [...this.#due].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
    return due.slice(0, limit).flatMap(([orderId]) => {
      const job = this.set.jobs.get(orderId);
      if (job === undefined) return [];
      const taken = { account: job.account, orderId, fence: job.fence + 1 };
      this.set.jobs.put(orderId, { ...taken, inMs: leaseMs });
      this.#due.set(orderId, now + leaseMs);
      return [taken];
    });
  }
}
