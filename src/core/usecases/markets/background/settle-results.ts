import type { Ledger } from '../../../../ports/ledger.js';
import type { MarketData } from '../../../../ports/market-data.js';
import type { Clock } from '../../../../ports/system.js';
import { DomainError } from '../../../errors.js';
import type { MarketId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import type { SettleMarket } from './settle-market.js';

/** A result is looked at again for so long after it was booked: it may be amended. */
const AMENDABLE_MS = 7 * 24 * 60 * 60 * 1000;

/** Looks for results of all markets in which something is held or works, and books those that are confirmed. */
export class SettleResults {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: MarketData,
    private readonly settleMarket: SettleMarket,
    private readonly clock: Clock,
  ) {}

  /** Tells how many orders were settled or amended. A market that does not answer is left for the next time. */
  async execute(): Promise<number> {
    const from = new Date(this.clock.now().getTime() - AMENDABLE_MS);
    let settled = 0;
    const read = (page: Page<MarketId>) => this.ledger.listMarketsInUse(from, page);
    for await (const ids of slices(read, (id) => id)) {
      for (const id of ids) settled += await this.#settle(id);
    }
    return settled;
  }

  async #settle(id: MarketId): Promise<number> {
    const payout = await this.#payout(id);
    return payout === null ? 0 : this.settleMarket.execute(id, payout);
  }

  async #payout(id: MarketId) {
    try {
      return (await this.markets.find(id))?.payout ?? null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
