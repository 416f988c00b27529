import type { Page } from '../../core/ledger/query.js';
import type { MarketRef } from '../../core/market/venue.js';
import { type FirstPrice, type FirstPriceKey, firstPriceName } from '../../core/strategy/watch/first-price.js';
import type { FirstPrices } from '../../ports/first-prices.js';
import { FIRST_PRICES, POSTGRES_KEEP, SQLITE_KEEP } from './first-price-table.js';
import { Lookup } from './lookup.js';
import { comparable } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';

/** First prices in SQLite or Postgres. */
export class SqlFirstPrices implements FirstPrices {
  readonly #lookup: Lookup<FirstPrice>;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#lookup = new Lookup(FIRST_PRICES, store, store.reads);
  }

  /** What is on record, as after every restart, costs no write. */
  async keep(seen: readonly FirstPrice[]): Promise<readonly FirstPrice[]> {
    const known = byName(await this.find(seen));
    const news = seen.filter((one) => !known.has(firstPriceName(one)));
    if (news.length > 0) await this.#store(news);
    // Another server may have been first.
    const stored = byName(await this.find(news));
    return seen.map((one) => known.get(firstPriceName(one)) ?? stored.get(firstPriceName(one)) ?? one);
  }

  async find(keys: readonly FirstPriceKey[]): Promise<readonly FirstPrice[]> {
    const find = ({ account, strategyId, venue, marketId, outcome }: FirstPriceKey) =>
      this.#lookup.find(account, strategyId, venue, marketId, outcome);
    const found = await this.access.read(() => Promise.all(keys.map(find)));
    return found.filter((one) => one !== undefined);
  }

  async listMarkets(before: Date, { limit, after }: Page<MarketRef>): Promise<readonly MarketRef[]> {
    const { reader } = this.store;
    const q = reader(FIRST_PRICES.name).where('at', '<', comparable(before));
    if (after !== undefined) q.whereRaw('(venue, market_id) > (?, ?)', [after.venue, after.marketId]);
    const markets = q.distinct<MarketRef[]>('venue', 'market_id as marketId').orderBy(['venue', 'market_id']);
    return this.access.read(() => markets.limit(limit));
  }

  forget({ venue, marketId }: MarketRef): Promise<number> {
    const { writer } = this.store;
    return this.access.write(() => writer(FIRST_PRICES.name).where({ venue, market_id: marketId }).delete());
  }

  /** In order, so that processes that store the same ones never deadlock. */
  async #store(news: readonly FirstPrice[]): Promise<void> {
    const sorted = [...byName(news)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => FIRST_PRICES.encode(one));
    const { writer, guarded, dialect } = this.store;
    const json = JSON.stringify(sorted);
    await this.access.write(async () => {
      if (dialect.name === 'postgres') await writer.raw(POSTGRES_KEEP, [json]);
      else if (guarded === undefined) await writer.raw(SQLITE_KEEP, [json]);
      else await guarded.aside(SQLITE_KEEP, json);
      // A write to a file that was taken away is not stored.
      this.store.check();
    });
  }
}

const byName = (prices: readonly FirstPrice[]): ReadonlyMap<string, FirstPrice> =>
  new Map(prices.map((one) => [firstPriceName(one), one]));
