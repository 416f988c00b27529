import type { FirstPrices } from '../../../../ports/first-prices.js';
import type { Clock } from '../../../../ports/system.js';
import type { MarketDirectory } from '../../../../ports/venue.js';
import { DomainError } from '../../../errors.js';
import { type Page, slices } from '../../../ledger/query.js';
import type { MarketRef } from '../../../market/market.js';

/** The least time for which first prices are kept, longer while their market has no result. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Forgets at which prices strategies first saw markets that are long over. */
export class ForgetFirstPrices {
  constructor(
    private readonly firstPrices: FirstPrices,
    private readonly markets: Pick<MarketDirectory, 'find'>,
    private readonly clock: Clock,
  ) {}

  /** Returns how many were forgotten. A market that does not answer, or that no venue knows here, waits. @throws StorageUnavailable */
  async execute(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const read = (page: Page<MarketRef>) => this.firstPrices.listMarkets(before, page);
    let forgotten = 0;
    for await (const markets of slices(read, (market) => market))
      for (const market of markets) if (await this.#isOver(market)) forgotten += await this.firstPrices.forget(market);
    return forgotten;
  }

  async #isOver(market: MarketRef): Promise<boolean> {
    try {
      const status = (await this.markets.find(market, { account: null, purpose: 'look' }))?.status;
      return status === 'resolved' || status === 'amended';
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}
