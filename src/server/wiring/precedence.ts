import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { deciderBefore, isNewer, type Program } from '../../core/ledger/program.js';
import type { Programs } from '../../ports/leases.js';

const MIGRATED = 'a newer version of stakeport has migrated the database';

/** Whether another server on the same database should decide for strategies, and not this one. */
export class Precedence {
  readonly program: Program;
  /** The version of the server that decides instead; null while none does. */
  #better: string | null = null;
  #isMigrated = false;

  constructor(
    private readonly programs: Programs,
    program: Omit<Program, 'owner'>,
  ) {
    this.program = { owner: `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`, ...program };
  }

  /** Why this server must not decide for strategies: it is older than the database, or than another server; null while it may. */
  get outdated(): string | null {
    if (this.#isMigrated) return MIGRATED;
    const better = this.#better;
    const isOlder = better !== null && isNewer(better, this.program.version);
    return isOlder ? `version ${better} of stakeport works on the same database` : null;
  }

  /** Announces that this server is alive for so long, and returns whether another one should decide. @throws StorageUnavailable */
  async look(forMs: number): Promise<boolean> {
    await this.programs.announce(this.program, forMs);
    const [alive, isMigrated] = await Promise.all([this.programs.alive(), this.programs.isMigrated()]);
    this.#better = deciderBefore(this.program, alive);
    this.#isMigrated = isMigrated;
    return this.#better !== null;
  }

  /** Announces that this server stops. @throws StorageUnavailable */
  leave(): Promise<void> {
    return this.programs.leave(this.program);
  }
}
