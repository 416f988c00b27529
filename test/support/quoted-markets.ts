import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { MarketDataUnavailable } from '../../src/core/errors.js';
import type { MarketId } from '../../src/core/ids.js';
import { type BookView, isCrossed } from '../../src/core/market/book.js';
import type { Payout } from '../../src/core/market/lifecycle.js';
import { type Market, NO_VENUE, unlistedMarket } from '../../src/core/market/market.js';
import type { MarketData } from '../../src/ports/market-data.js';
import type { Timeline } from '../../src/ports/system.js';
import type { MarketSource } from '../../src/server/wiring/market-source.js';
import { NOON } from './builders.js';
import { levels } from './scripted-market.js';

const BOOK: BookView = { bids: levels('0.49x100'), asks: levels('0.51x100'), at: new Date(NOON), fresh: true };

/** A source of this market data, without books of its own, whose time is this timeline and ends at no moment. */
export function sourceOf(data: MarketData, timeline: Timeline): MarketSource {
  const nothing = async () => {};
  const ended = new Promise<never>(() => {});
  const still = {
    sports: () => null,
    hasBooks: false,
    recorded: null,
    begins: 'now' as const,
    state: () => 'live' as const,
    ended,
    start: nothing,
    goOn: () => {},
    close: nothing,
  };
  return { data, timeline, ...still };
}

const OUTCOMES = [
  { label: 'Yes', tokenId: '1' },
  { label: 'No', tokenId: '2' },
] as const;

/** Accepts every market id, and shows the same book and outcomes for each. */
export function quotedMarkets(): MarketData {
  const find = async (id: MarketId) => ({ ...unlistedMarket(id), slug: 'quoted', outcomes: OUTCOMES });
  return Object.assign(new NoMarketData(), { find, book: async () => BOOK });
}

/** By default, markets that a trader buys at 0.5 and sells at 0.55. */
export class QuotedMarkets implements MarketData {
  readonly venue = NO_VENUE;
  readonly bids = new Map<MarketId, string>();
  /** The markets with crossed books. */
  readonly crossed = new Set<MarketId>();
  readonly payouts = new Map<MarketId, Payout>();
  readonly silent = new Set<MarketId>();
  readonly asked: MarketId[] = [];
  readonly search = new NoMarketData().search;
  readonly follow = new NoMarketData().follow;

  async find(id: MarketId): Promise<Market> {
    this.asked.push(id);
    if (this.silent.has(id)) throw new MarketDataUnavailable();
    return { ...unlistedMarket(id), payout: this.payouts.get(id) ?? null };
  }

  async book({ id }: Market): Promise<BookView> {
    const bids = levels(this.bids.get(id) ?? '0.5x100');
    if (this.crossed.has(id)) return { bids, asks: bids, at: new Date(NOON), fresh: true };
    const asks = [levels('0.55x100'), levels('0.99x100')].find((some) => !isCrossed({ bids, asks: some }));
    return { bids, asks: asks ?? [], at: new Date(NOON), fresh: true };
  }
}
