import type { Logger } from 'pino';
import { systemClock } from '../../adapters/system/system.js';
import type { Ledger } from '../../ports/ledger.js';
import type { Clock } from '../../ports/system.js';

const COMPLAINT = 'storage takes no writes';

/** A time in which nothing could be put on record. */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** Checks whether the store takes writes, and logs when that changes and why. */
export class StorageHealth {
  #since: Date | null = null;
  #last: Outage | null = null;

  constructor(
    private readonly ledger: Pick<Ledger, 'ping'>,
    private readonly logger: Logger,
    private readonly clock: Clock = systemClock,
  ) {}

  /** The last time in which it took no writes; null where there was none. */
  get lastOutage(): Outage | null {
    return this.#last;
  }

  /** What is wrong, in words that may be published; null while nothing is. Never throws. */
  async complaint(): Promise<string | null> {
    try {
      await this.ledger.ping();
      if (this.#since !== null) {
        this.logger.warn('storage takes writes again');
        this.#last = { from: this.#since, to: this.clock.now() };
      }
      this.#since = null;
      return null;
    } catch (error) {
      if (this.#since === null) this.logger.error({ err: error }, COMPLAINT);
      this.#since ??= this.clock.now();
      return COMPLAINT;
    }
  }
}
