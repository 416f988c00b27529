import type { SignalFilter, SignalStore } from '../../../ports/signals.js';
import type { AccountId, MarketId, VenueName } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import type { Signal, SignalKey } from '../../signal/signal.js';
import { SignalNotFound } from '../../signal/signal-errors.js';
import type { Venues } from '../../venues/venues.js';
import type { MarketFilters } from '../markets/market-filters.js';
import type { SignalOwner } from './complete-signal.js';

/** Reads signals: one, or many. */
export class ReadSignals {
  constructor(
    private readonly signals: SignalStore,
    private readonly venues: Venues,
    private readonly markets: MarketFilters,
  ) {}

  /**
   * By the id of the market, or another name that its venue has for it; at the default venue for null.
   * @throws SignalNotFound, MarketNotFound for a venue that is not there, MarketUnusable, MarketDataUnavailable
   */
  async one({ account, name }: SignalOwner, venueName: VenueName | null, marketId: MarketId): Promise<Signal> {
    const { marketData } = this.venues.named(venueName);
    const key = { account, name, venue: marketData.venue };
    const found = await this.signals.find({ ...key, marketId });
    if (found !== undefined) return found;
    const market = await marketData.find(marketId, { account, purpose: 'look' });
    if (market === undefined || market.id === marketId) throw new SignalNotFound();
    const named = await this.signals.find({ ...key, marketId: market.id });
    if (named === undefined) throw new SignalNotFound();
    return named;
  }

  /** By name, then venue, then market; expired ones too, until they are forgotten. @throws MarketNotFound, MarketDataUnavailable */
  many(account: AccountId, filter: SignalFilter, page: Page<SignalKey>): Promise<Slice<Signal, SignalKey>> {
    return this.markets.read(account, filter, page, (narrowed, part) =>
      slice(
        part,
        (asked) => this.signals.list(account, narrowed, asked),
        (signal) => signal,
      ),
    );
  }
}
