import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import type { MarketDirectory } from '../../../../ports/venue.js';
import { DomainError } from '../../../errors.js';
import { type Page, slices } from '../../../ledger/query.js';
import type { MarketRef } from '../../../market/venue.js';
import type { SettleMarket } from './settle-market.js';

/** How long after its booking a result is checked again: it may be amended. */
const AMENDABLE_MS = 7 * 24 * 60 * 60 * 1000;

/** Looks for results of all markets in which something is held or works, and books those that are confirmed. */
export class SettleResults {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: Pick<MarketDirectory, 'find'>,
    private readonly settleMarket: SettleMarket,
    private readonly clock: Clock,
  ) {}

  /** Returns how many orders were settled or amended. A market that does not answer waits for the next time. */
  async execute(): Promise<number> {
    const from = new Date(this.clock.now().getTime() - AMENDABLE_MS);
    let settled = 0;
    const read = (page: Page<MarketRef>) => this.ledger.listMarketsInUse(from, page);
    for await (const markets of slices(read, (market) => market)) {
      for (const market of markets) settled += await this.#settle(market);
    }
    return settled;
  }

  async #settle(market: MarketRef): Promise<number> {
    const payout = await this.#payout(market);
    return payout === null ? 0 : this.settleMarket.execute(market, payout);
  }

  async #payout(market: MarketRef) {
    try {
      return (await this.markets.find(market))?.payout ?? null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
