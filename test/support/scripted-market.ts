import { setImmediate } from 'node:timers/promises';
import type { MarketId } from '../../src/core/ids.js';
import type { BookView } from '../../src/core/market/book.js';
import type { Level, MarketChange } from '../../src/core/market/event.js';
import type { FeeSchedule } from '../../src/core/market/fee.js';
import {
  type Market,
  type MarketQuery,
  type MarketTerms,
  NO_VENUE,
  unlistedMarket,
} from '../../src/core/market/market.js';
import type { Side } from '../../src/core/market/side.js';
import type { Following, MarketData, MarketListener } from '../../src/ports/market-data.js';
import type { Timeline } from '../../src/ports/system.js';
import { NOON, price, shares, usdc } from './builders.js';

export const CONDITION = '0x1111111111111111111111111111111111111111111111111111111111111111' as MarketId;

/** Five hundredths of price × (1 − price) a share, for takers. */
export const FIVE_PERCENT: FeeSchedule = { rate: 50_000n, exponent: 1, takerOnly: true, asOf: new Date(NOON) };
export const FREE: FeeSchedule = { ...FIVE_PERCENT, rate: 0n };

/** A game between two teams, by default open for orders, without a fee or a delay. */
export function aMarket(terms: Partial<MarketTerms> = {}, changes: Partial<Market> = {}): Market {
  return {
    ...unlistedMarket(CONDITION),
    venueId: '9000001',
    slug: 'nba-mil-okc-2026-03-01',
    conditionId: CONDITION,
    question: 'Bucks vs. Thunder',
    outcomes: [
      { label: 'Bucks', tokenId: '1111' },
      { label: 'Thunder', tokenId: '2222' },
    ],
    status: 'open',
    terms: {
      tick: price('0.01'),
      minShares: shares('5'),
      minNotional: usdc('1'),
      fee: FREE,
      negRisk: false,
      acceptingOrders: true,
      delaySeconds: 0,
      clearsBookAtStart: false,
      gtdLeadMs: 120_000,
      quoteStep: usdc('0.01'),
      ...terms,
    },
    ...changes,
  };
}

/** Levels written as price and shares: `0.50x100 0.49x20`. */
export function levels(text: string): Level[] {
  const parts = text.split(' ').filter((part) => part !== '');
  return parts.map((part) => {
    const [at = '', size = ''] = part.split('x');
    return { price: price(at), shares: shares(size) };
  });
}

/** Time that stands still until advanced. Tasks run in order of their moments. */
export class ManualTimeline implements Timeline {
  #now: number;
  #tasks: { readonly at: number; readonly task: () => void | Promise<void> }[] = [];

  constructor(iso = NOON) {
    this.#now = Date.parse(iso);
  }

  now(): Date {
    return new Date(this.#now);
  }

  at(moment: Date, task: () => void | Promise<void>): () => void {
    const entry = { at: moment.getTime(), task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }

  /** Waits until a task is scheduled. */
  async planned(): Promise<void> {
    while (this.#tasks.length === 0) await setImmediate();
  }

  /** Advances by this many milliseconds, and waits for the due tasks. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      await next.task();
    }
    this.#now = end;
  }
}

/** One market with events scripted by the test. */
export class ScriptedMarket implements MarketData {
  readonly venue = NO_VENUE;
  #listener: MarketListener | undefined;
  /** The first event of a new follower; none while it is null. */
  first: MarketChange | null;
  /** The answer to requests for the book. */
  shown: { readonly bids: readonly Level[]; readonly asks: readonly Level[] } | undefined;

  /** Since when the book says nothing any more; null while it is fresh. */
  bookAt: Date | null = null;

  constructor(
    readonly market: Market,
    private readonly timeline: Timeline,
    bids = '',
    asks = '',
  ) {
    this.first = { type: 'book', bids: levels(bids), asks: levels(asks) };
  }

  async find(id: MarketId): Promise<Market | undefined> {
    const { slug, venueId } = this.market;
    return [this.market.id, slug, venueId].includes(id) ? this.market : undefined;
  }

  async search(_query?: MarketQuery) {
    return { items: [this.market], next: null };
  }

  async book(): Promise<BookView | undefined> {
    return this.shown && { ...this.shown, at: this.bookAt ?? this.timeline.now(), fresh: this.bookAt === null };
  }

  async follow(_market: Market, listener: MarketListener): Promise<Following> {
    this.#listener = listener;
    if (this.first !== null) await this.tell(this.first);
    return {
      stop: () => {
        this.#listener = undefined;
      },
    };
  }

  get isFollowed(): boolean {
    return this.#listener !== undefined;
  }

  async tell(change: MarketChange): Promise<void> {
    await this.#listener?.({ ...change, at: this.timeline.now() });
  }

  show(bids: string, asks: string): Promise<void> {
    return this.tell({ type: 'book', bids: levels(bids), asks: levels(asks) });
  }

  trade(at: string, size: string, taker: Side): Promise<void> {
    return this.tell({ type: 'trade', price: price(at), shares: shares(size), taker });
  }
}
