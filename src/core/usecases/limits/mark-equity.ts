import type { Ledger } from '../../../ports/ledger.js';
import type { Asker } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import type { Position } from '../../account/position.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId, StrategyId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import type { EquityMark } from '../../limits/loss-marks.js';
import { worthAtMarket } from '../../limits/worth-at-market.js';
import type { BookView } from '../../market/book.js';
import { type Market, refOf } from '../../market/market.js';
import { type MarketRef, marketName } from '../../market/venue.js';
import { minus, NO_USDC, plus, type Usdc } from '../../money.js';
import { bookedOf } from '../../posting/measured-losses.js';
import { NOTHING_BET, type StrategyCounted } from '../../strategy/strategy-counted.js';
import { RecentMarks } from './recent-marks.js';

/** Whose equity is marked: an account's, or the part of a strategy; what is on paper, or real money. */
export interface MarkedHolder {
  readonly account: AccountId;
  readonly paper: boolean;
  /** Absent, or null, for the whole account. */
  readonly strategyId?: StrategyId | null;
}

/** Tells of which markets something is heard. */
export interface HeardMarkets {
  hear(heard: (market: Market) => void): void;
}

/**
 * Marks what accounts with limits on their losses are worth. All orders of an account share a mark while it is young: the
 * source of prices is asked once in a second, not for each order, and sooner where a market that somebody follows has news.
 */
export class MarkEquity {
  readonly #marks: RecentMarks;

  constructor(
    private readonly ledger: Pick<Ledger, 'read'>,
    private readonly markets: Pick<MarketDirectory, 'find' | 'book'>,
    private readonly clock: Clock,
    news: HeardMarkets | null = null,
  ) {
    this.#marks = new RecentMarks(clock);
    news?.hear((market) => this.#marks.heard(market));
  }

  /**
   * A mark of at most a second ago, for an order in this market; null where the equity cannot be marked.
   * @throws StorageUnavailable
   */
  recent(holder: MarkedHolder, market: Market): Promise<EquityMark | null> {
    // What it buys is in none of the marks yet.
    this.#marks.involves(refOf(market), nameOf(holder));
    return this.#marks.find(nameOf(holder)) ?? this.now(holder);
  }

  /** A mark of now; null where the equity cannot be marked. @throws StorageUnavailable */
  now(holder: MarkedHolder): Promise<EquityMark | null> {
    const at = this.clock.now();
    return this.#marks.put(nameOf(holder), at, this.#mark(holder, at));
  }

  /** The next mark of the account is a new one. */
  forget(holder: MarkedHolder): void {
    this.#marks.forget(nameOf(holder));
  }

  async #mark(holder: MarkedHolder, at: Date): Promise<EquityMark | null> {
    const { account, paper, strategyId = null } = holder;
    const strategies = strategyId === null ? [] : [strategyId];
    const held = await this.ledger.read({ account, strategies, risks: [{ paper, strategyId }] }, (now) => ({
      positions: [...now.risks({ paper, strategyId })].filter(({ shares }) => shares > 0n),
      booked: strategyId === null ? bookedOf(now.balances(paper)) : countedOf(now, strategyId, paper).booked,
    }));
    for (const position of held.positions) this.#marks.involves(position, nameOf(holder));
    const asker: Asker = { account, purpose: 'order' };
    const quotes = new Map<string, Promise<Quote | null>>();
    const quoted = async (position: Position): Promise<Usdc | null> => {
      const name = marketName(position);
      const asked = quotes.get(name) ?? this.#quote(position, asker);
      quotes.set(name, asked);
      const quote = await asked;
      return quote && worthAtMarket(position, quote.market, quote.book);
    };
    const worths = await Promise.all(held.positions.map(quoted));
    let unrealised = NO_USDC;
    for (const [i, worth] of worths.entries()) {
      if (worth === null) return null;
      unrealised = plus(unrealised, minus(worth, held.positions[i]?.cost ?? NO_USDC));
    }
    return { unrealised, booked: held.booked, at };
  }

  /** Null where the source of prices does not answer, or does not know the market. */
  async #quote(ref: MarketRef, asker: Asker): Promise<Quote | null> {
    try {
      const market = await this.markets.find(ref, asker);
      return market === undefined ? null : { market, book: await this.markets.book(market, asker) };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}

interface Quote {
  readonly market: Market;
  readonly book: BookView | undefined;
}

/** What is counted of a strategy whose exposure the scope names. */
export const countedOf = (now: Snapshot, strategyId: StrategyId, paper: boolean): StrategyCounted =>
  now.exposure(strategyId, paper)?.counted ?? NOTHING_BET;

const nameOf = ({ account, paper, strategyId = null }: MarkedHolder): string => `${paper} ${strategyId} ${account}`;
