import type { Ledger } from '../../../ports/ledger.js';
import type { Asker } from '../../../ports/market-data.js';
import type { Pause } from '../../../ports/system.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { totalOf } from '../../account/account.js';
import {
  byOutcome,
  type EquityPoint,
  type Holding,
  lastFullInterval,
  type Portfolio,
  type PortfolioParts,
  portfolioOf,
} from '../../account/portfolio.js';
import type { HoldingFilter, Position } from '../../account/position.js';
import { SharedWork } from '../../concurrency/shared-work.js';
import { DomainError, MarketDataUnavailable, StrategyNotFound, TooManyLookups } from '../../errors.js';
import type { AccountId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import { type BookView, bestPrices, isCrossed } from '../../market/book.js';
import { proceedsAt } from '../../market/fee.js';
import { payoutFor } from '../../market/lifecycle.js';
import type { Market } from '../../market/market.js';
import { type MarketRef, marketName, moneyAt } from '../../market/market.js';
import { NO_USDC, type Shares, type Usdc } from '../../money.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import { existing } from '../strategies/create-strategy.js';

/** What portfolios are read with. */
export interface PortfolioContext extends Pick<OrderContext, 'clock' | 'openingCash'> {
  /** Gives other work its turn, after some of the positions. */
  readonly pause?: Pause | undefined;
}

/**
 * Reads what an account, or the part of one strategy, holds and is worth. An account has one portfolio on paper made at a time, and one
 * of real money; those who ask for the same one before it is begun share it.
 */
export class ReadPortfolio {
  readonly #work = new SharedWork();

  constructor(
    private readonly ledger: Ledger,
    private readonly markets: QuoteSource,
    private readonly context: PortfolioContext,
  ) {}

  /**
   * Cash, positions and money at work are of one moment; the prices are read after. Positions whose market does not answer
   * now have no mark. What an archived strategy holds is still in the account, but can no longer be read by itself.
   * @throws StrategyNotFound
   */
  now(account: AccountId, filter: HoldingFilter): Promise<Portfolio> {
    const { paper, strategyId } = filter;
    return this.#work.do(`${paper} ${account}`, `${strategyId}`, () => this.#now(account, filter));
  }

  async #now(account: AccountId, filter: HoldingFilter): Promise<Portfolio> {
    const { paper, strategyId } = filter;
    const strategies = strategyId === null ? [] : [strategyId];
    const scope = { account, strategies, holdings: paper ? 'paper' : 'live' } as const;
    const parts = await this.ledger.read(scope, (now) => this.#parts(now, filter));
    const { pause } = this.context;
    const held = await new Quotes(this.markets, { asker: { account, purpose: 'look' }, pause }).marked(parts.positions);
    return portfolioOf({ filter, ...parts, held, at: this.context.clock.now() });
  }

  /** What it was worth before, newest first; with `everyMs` only the last point of each such span. @throws StrategyNotFound */
  async history(
    account: AccountId,
    filter: HoldingFilter,
    page: Page<Date>,
    everyMs: number | null = null,
  ): Promise<Slice<EquityPoint, Date>> {
    const { strategyId } = filter;
    if (strategyId !== null && (await this.ledger.findStrategy(account, strategyId)) === undefined)
      throw new StrategyNotFound();
    if (everyMs !== null) return this.#lastOfSpans(account, filter, page, everyMs);
    return slice(
      page,
      (asked) => this.ledger.listEquity(account, filter, asked),
      (point) => point.at,
    );
  }

  /** One look-up by the index for each point, however many lie between. */
  async #lastOfSpans(
    account: AccountId,
    filter: HoldingFilter,
    { limit, after }: Page<Date>,
    everyMs: number,
  ): Promise<Slice<EquityPoint, Date>> {
    const items: EquityPoint[] = [];
    let before = after;
    while (items.length < limit) {
      const [point] = await this.ledger.listEquity(account, filter, { limit: 1, ...(before && { after: before }) });
      if (point === undefined) return { items, next: null };
      items.push(point);
      before = lastFullInterval(point.at, everyMs);
    }
    return { items, next: before ?? null };
  }

  #parts(now: Snapshot, { paper, strategyId }: HoldingFilter): Omit<PortfolioParts, 'filter' | 'held' | 'at'> {
    if (strategyId !== null) existing(now.strategy(strategyId));
    const positions = now.positions(paper).filter((position) => position.strategyId === strategyId);
    const balances = now.balances(paper);
    const opening = { cash: paper ? this.context.openingCash : NO_USDC, reserved: NO_USDC };
    const live = paper ? undefined : [...balances, ...positions].find(({ venue }) => venue !== null)?.venue;
    return {
      money: live == null ? (paper ? 'paper' : 'real money') : moneyAt({ paper, venue: live }),
      balance: balances.length === 0 ? opening : totalOf(balances),
      positions: positions.toSorted(byOutcome),
      committed: strategyId === null ? null : (now.exposure(strategyId, paper)?.committed ?? NO_USDC),
    };
  }
}

/** What is known of a market in which shares are held. */
interface Quote {
  readonly market?: Market | undefined;
  readonly book?: BookView | undefined;
  /** True when the source of market data did not answer. */
  readonly silent?: boolean;
}

/** The source of quotes. It decides how long to wait for an answer. */
export type QuoteSource = Pick<MarketDirectory, 'find' | 'book'>;

/** For whom, and how, markets are asked for quotes. */
export interface QuoteTerms {
  /** For whom, where a client waits. */
  readonly asker?: Asker | undefined;
  /** Gives other work its turn, after some of the positions. */
  readonly pause?: Pause | undefined;
}

/** How many positions are quoted in one turn of the process. */
const AT_ONCE = 50;

/** What shares could be sold for now. Each market is asked once: use an instance for one request, and do not keep it. */
export class Quotes {
  readonly #asked = new Map<string, Promise<Quote>>();

  /** @param answered what is known already */
  constructor(
    private readonly markets: QuoteSource,
    private readonly terms: QuoteTerms = {},
    private readonly answered = new Map<string, Quote>(),
  ) {}

  /** Quotes for another asker: a market that answered is not asked again, and one that did not is. */
  for(asker: Asker): Quotes {
    return new Quotes(this.markets, { ...this.terms, asker }, this.answered);
  }

  /** Those that are open or may be redeemed, in their order. Those whose market does not answer now have no mark. */
  async marked(positions: readonly Position[]): Promise<readonly Holding[]> {
    const shown = positions.filter(({ shares, redeemable }) => shares > 0n || redeemable > 0n);
    const quoted: Promise<Holding>[] = [];
    // No market waits for the answer about another one.
    for (const position of shown) {
      const holding = this.#quote(position).then((quote) => holdingOf(position, quote));
      // A failure is that of all of them, below.
      holding.catch(() => {});
      quoted.push(holding);
      if (quoted.length % AT_ONCE === 0) await this.terms.pause?.();
    }
    return Promise.all(quoted);
  }

  /** False when the source of market data did not answer about some market in which shares are held. */
  async answeredFor(positions: readonly Position[]): Promise<boolean> {
    const quotes = await Promise.all(open(positions).map((position) => this.#quote(position)));
    return !quotes.some(({ silent }) => silent);
  }

  /** What so many shares of an outcome would bring at once: what a result pays, or the best bid after the fee; null where that is not known. */
  async proceeds(position: MarketRef & Pick<Position, 'outcome'>, shares: Shares): Promise<Usdc | null> {
    const quote = await this.#quote(position);
    const { payout, bid } = priceOf(position, quote);
    if (payout !== null) return payoutFor(shares, payout);
    return bid === null ? null : proceedsAt(quote.market?.terms?.fee ?? null, shares, bid);
  }

  #quote(ref: MarketRef): Promise<Quote> {
    const asked = this.#asked.get(marketName(ref)) ?? this.#first(ref);
    this.#asked.set(marketName(ref), asked);
    return asked;
  }

  async #first(ref: MarketRef): Promise<Quote> {
    const quote = this.answered.get(marketName(ref)) ?? (await this.#ask(ref));
    if (quote.silent !== true) this.answered.set(marketName(ref), quote);
    return quote;
  }

  async #ask(ref: MarketRef): Promise<Quote> {
    try {
      const market = await this.markets.find(ref, this.terms.asker);
      if (market === undefined) return {};
      const book = await this.markets.book(market, this.terms.asker);
      // A crossed book is not an answer: it does not show what could be sold at its prices.
      return book !== undefined && isCrossed(book) ? { market, silent: true } : { market, book };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { silent: error instanceof MarketDataUnavailable || error instanceof TooManyLookups };
    }
  }
}

const open = (positions: readonly Position[]) => positions.filter(({ shares }) => shares > 0n);

/** What the shares could be sold for at once: a result's payout, or the best bid. */
function holdingOf(position: Position, quote: Quote): Holding {
  const { payout, bid } = priceOf(position, quote);
  const { market = null, book = null } = quote;
  return { position, market, mark: payout ?? (bid as bigint | null as Usdc | null), book };
}

function priceOf({ outcome }: Pick<Position, 'outcome'>, { market, book }: Quote) {
  const payout = market?.payout?.[outcome === 'YES' ? 0 : 1] ?? null;
  return { payout, bid: (book === undefined ? null : bestPrices(outcome, book).bid) ?? null };
}
