import type { Ledger } from '../../../ports/ledger.js';
import { SharedWork } from '../../concurrency/shared-work.js';
import { MarketDataUnavailable, MarketNotFound, MarketUnusable, TooManyLookups } from '../../errors.js';
import type { AccountId, MarketId, VenueName } from '../../ids.js';
import type { Page, Slice } from '../../ledger/query.js';
import { isUnlisted } from '../../market/market.js';
import type { Venues } from '../../venues/venues.js';

/** What a list may be narrowed to. */
export interface ByMarket {
  readonly marketId?: MarketId;
  readonly venue?: VenueName;
}

/** Reads lists that are narrowed to a market, by its id or another name that a source or an order has for it, such as its slug. */
export class MarketFilters {
  readonly #searches = new SharedWork();

  constructor(
    private readonly ledger: Pick<Ledger, 'listOrders' | 'findMarketBySlug'>,
    private readonly venues: Venues,
  ) {}

  /**
   * What is found by the name as it is needs no source, so a venue that does not answer keeps nobody from his own orders.
   * @throws MarketNotFound where neither a source, nor an order of the account, nor any record of the list knows the market; MarketDataUnavailable
   */
  async read<F extends ByMarket, T, C>(
    account: AccountId,
    filter: F,
    page: Page<C>,
    list: (filter: F | ByMarket, page: Page<C>) => Promise<Slice<T, C>>,
  ): Promise<Slice<T, C>> {
    const found = await list(filter, page);
    const { marketId, venue } = filter;
    if (marketId === undefined || found.items.length > 0) return found;
    const any = await list({ marketId }, { limit: 1 });
    if (any.items.length > 0) return found;
    const [order] = await this.ledger.listOrders(account, { marketId }, { limit: 1 });
    if (order !== undefined) return found;
    const id = await this.#idOf(account, marketId, venue);
    if (id === undefined) throw new MarketNotFound(marketId);
    return id === marketId ? found : list({ ...filter, marketId: id }, page);
  }

  /**
   * What the source says first: it reads less than a search through orders does. Of these an account has one at a time: each reads
   * 10,000 orders, and many at once would leave no connection to the store to anybody else.
   */
  async #idOf(account: AccountId, name: MarketId, venue: VenueName | undefined): Promise<MarketId | undefined> {
    const ordered = () => this.#searches.do(account, name, () => this.ledger.findMarketBySlug(account, name));
    try {
      return (await this.#listed(account, name, venue)) ?? (await ordered());
    } catch (error) {
      if (!(error instanceof MarketDataUnavailable || error instanceof TooManyLookups)) throw error;
      const id = await ordered();
      if (id === undefined) throw error;
      return id;
    }
  }

  async #listed(account: AccountId, name: MarketId, venue: VenueName | undefined): Promise<MarketId | undefined> {
    for (const { marketData } of this.venues.all) {
      if (venue !== undefined && marketData.venue !== venue) continue;
      try {
        const market = await marketData.find(name, { account, purpose: 'look' });
        if (market !== undefined && !isUnlisted(market)) return market.id;
      } catch (error) {
        // The market exists, whatever is wrong with it.
        if (error instanceof MarketUnusable) return name;
        throw error;
      }
    }
    return undefined;
  }
}
