import type { MarketId, VenueName } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import { Book } from '../../core/market/book.js';
import type { MarketEvent } from '../../core/market/event.js';
import type { Market, MarketQuery } from '../../core/market/market.js';
import type { Asker, Following, MarketData, MarketListener } from '../../ports/market-data.js';
import { apply, type MarketState } from './tape-markets.js';
import { NOT_BEFORE, NOTHING_YET, type TapeRecorder } from './tape-recorder.js';

/**
 * The market data of a source. What the followers of a market receive is recorded once, however many they are: what the first of
 * them receives, and when it stops, the next one. Nobody waits for the recorder, and the source is asked nothing for it.
 */
export class RecordedMarketData implements MarketData {
  /** What each follower of a market has received. That of the first is kept by the recorder. */
  readonly #followers = new Map<MarketId, MarketState[]>();

  constructor(
    private readonly source: MarketData,
    private readonly recorder: Pick<TapeRecorder, 'add' | 'replace' | 'remove' | 'take'>,
  ) {}

  get venue(): VenueName {
    return this.source.venue;
  }

  find(id: MarketId, asker?: Asker): ReturnType<MarketData['find']> {
    return this.source.find(id, asker);
  }

  search(query: MarketQuery, page: Page<string>, asker?: Asker): ReturnType<MarketData['search']> {
    return this.source.search(query, page, asker);
  }

  book(market: Market, asker?: Asker): ReturnType<MarketData['book']> {
    return this.source.book(market, asker);
  }

  async follow(market: Market, listener: MarketListener): Promise<Following> {
    const follower = this.#join(market);
    try {
      const following = await this.source.follow(market, (event) => {
        this.#take(follower, event);
        return listener(event);
      });
      return {
        stop: () => {
          this.#leave(follower);
          following.stop();
        },
      };
    } catch (error) {
      this.#leave(follower);
      throw error;
    }
  }

  #join(market: Market): MarketState {
    const follower = { market, book: new Book(), at: new Date(0), gap: NOTHING_YET };
    const others = this.#followers.get(market.id) ?? [];
    this.#followers.set(market.id, [...others, follower]);
    if (others.length === 0) void this.recorder.add(market, NOT_BEFORE);
    return follower;
  }

  #take(follower: MarketState, event: MarketEvent): void {
    const { id } = follower.market;
    if (this.#followers.get(id)?.[0] === follower) void this.recorder.take(id, event);
    else apply(follower, event, event.at);
  }

  #leave(follower: MarketState): void {
    const { id } = follower.market;
    const before = this.#followers.get(id) ?? [];
    const [next, ...others] = before.filter((one) => one !== follower);
    if (next === undefined) {
      if (this.#followers.delete(id)) this.recorder.remove(id);
      return;
    }
    this.#followers.set(id, [next, ...others]);
    if (before[0] === follower) this.recorder.replace(next, 'another follower goes on with it');
  }
}
