import type { Logger } from 'pino';
import type { Ledger } from '../../ports/ledger.js';

const COMPLAINT = 'storage takes no writes';

/** Checks whether the store takes writes, and logs when that changes and why. */
export class StorageHealth {
  #isWell = true;

  constructor(
    private readonly ledger: Pick<Ledger, 'ping'>,
    private readonly logger: Logger,
  ) {}

  /** What is wrong, in words that may be published; null while nothing is. Never throws. */
  async complaint(): Promise<string | null> {
    try {
      await this.ledger.ping();
      if (!this.#isWell) this.logger.warn('storage takes writes again');
      this.#isWell = true;
      return null;
    } catch (error) {
      if (this.#isWell) this.logger.error({ err: error }, COMPLAINT);
      this.#isWell = false;
      return COMPLAINT;
    }
  }
}
