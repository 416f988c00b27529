import type { Logger } from 'pino';
import type { Lease, LeaseName } from '../../core/ledger/lease.js';
import type { Leases } from '../../ports/leases.js';
import type { Stopwatch, Timeline } from '../../ports/system.js';
import type { DatabaseChoice } from '../settings/values.js';

/** How a lease is held, in milliseconds. */
export interface LeaseTimes {
  /** How long it lasts by the clock of the store. */
  readonly lastsMs: number;
  /** How long its owner relies on it after a renewal began, by its own stopwatch: well below `lastsMs`. */
  readonly trustedMs: number;
  readonly renewEveryMs: number;
  /** How soon a server without the lease claims it again, and the owner retries a failed renewal. */
  readonly againMs: number;
}

/** Among several servers. */
export const AMONG_SERVERS: LeaseTimes = { lastsMs: 5000, trustedMs: 3500, renewEveryMs: 1000, againMs: 500 };

const CENTURY_MS = 100 * 365 * 24 * 60 * 60 * 1000;
/** For a store that no other server can use: opening the store has ensured that. */
export const ALONE_THERE: LeaseTimes = {
  lastsMs: CENTURY_MS,
  trustedMs: CENTURY_MS,
  renewEveryMs: CENTURY_MS / 2,
  againMs: 1000,
};

/** A file and a memory have one server; Postgres may have several. */
export const leaseTimes = (database: DatabaseChoice): LeaseTimes =>
  database.kind === 'memory' || database.url.startsWith('sqlite:') ? ALONE_THERE : AMONG_SERVERS;

/** What to do when a lease is taken or lost. */
export interface LeaseUse {
  taken(lease: Lease): void;
  /** Another server has taken it, or may take it. */
  lost(lease: Lease): void;
  /** Whether another server should have it: then it is not claimed, and handed over. By default none should. */
  yields?(): Promise<boolean>;
}

/** Takes a lease as soon as it can be had, and renews it until it is lost or released. */
export class LeaseKeeper {
  #lease: Lease | null = null;
  #trustedSince = 0;
  #callOff = () => {};
  #round: Promise<void> = Promise.resolve();
  #ended = false;
  #loggedOwner: string | null = null;
  #isFailing = false;

  constructor(
    private readonly leases: Leases,
    private readonly wanted: { readonly name: LeaseName; readonly owner: string; readonly times: LeaseTimes },
    private readonly time: { readonly timeline: Timeline; readonly stopwatch: Stopwatch },
    private readonly use: LeaseUse,
    private readonly logger: Logger,
  ) {}

  /** Claims it once, and keeps claiming until stopped. Never throws. */
  start(): Promise<void> {
    return this.#next();
  }

  /** True while no other server can have taken this lease, by the stopwatch of this process. */
  holds(lease: Lease): boolean {
    return this.#lease === lease && this.time.stopwatch() - this.#trustedSince < this.wanted.times.trustedMs;
  }

  /** Takes no lease after this, and releases the one that is held. Never throws. */
  async stop(): Promise<void> {
    this.#ended = true;
    this.#callOff();
    await this.#round;
    const lease = this.#lease;
    this.#lease = null;
    if (lease === null) return;
    await this.leases.release(lease).catch((error: unknown) => {
      this.logger.warn({ err: error, ...lease }, 'could not release the lease; it will expire');
    });
  }

  async #next(): Promise<void> {
    this.#round = this.#look();
    await this.#round;
  }

  async #look(): Promise<void> {
    const { renewEveryMs, againMs } = this.wanted.times;
    const isHeld = await this.#attempt();
    if (this.#ended) return;
    const { timeline } = this.time;
    const moment = new Date(timeline.now().getTime() + (isHeld ? renewEveryMs : againMs));
    this.#callOff = timeline.at(moment, () => this.#next());
  }

  async #attempt(): Promise<boolean> {
    try {
      const isHeld = await (this.#lease === null ? this.#claim() : this.#renew(this.#lease));
      this.#isFailing = false;
      return isHeld;
    } catch (error) {
      const lease = this.wanted.name;
      if (!this.#isFailing) this.logger.warn({ err: error, lease }, 'could not claim the lease; retrying');
      this.#isFailing = true;
      return false;
    }
  }

  async #claim(): Promise<boolean> {
    const { name, owner, times } = this.wanted;
    if (await this.use.yields?.()) return false;
    const began = this.time.stopwatch();
    const lease = await this.leases.claim(name, owner, times.lastsMs);
    if (lease === null) return this.#logOwner((await this.leases.find(name))?.owner ?? null);
    this.#loggedOwner = null;
    this.#lease = lease;
    this.#trustedSince = began;
    this.logger.info({ ...lease }, 'this server has the lease');
    this.use.taken(lease);
    return true;
  }

  async #renew(lease: Lease): Promise<boolean> {
    const began = this.time.stopwatch();
    if (await this.leases.renew(lease, this.wanted.times.lastsMs)) {
      this.#trustedSince = began;
      return (await this.use.yields?.()) ? this.#handOver(lease) : true;
    }
    this.#lease = null;
    this.logger.warn({ ...lease }, 'another server has taken over the lease');
    this.use.lost(lease);
    return false;
  }

  async #handOver(lease: Lease): Promise<boolean> {
    this.#lease = null;
    this.logger.info({ ...lease }, 'this server hands the lease over to another one');
    this.use.lost(lease);
    await this.leases.release(lease);
    return false;
  }

  #logOwner(owner: string | null): boolean {
    if (owner !== null && owner !== this.#loggedOwner) {
      this.logger.info({ lease: this.wanted.name, owner }, 'another server has the lease; waiting for it');
      this.#loggedOwner = owner;
    }
    return false;
  }
}
