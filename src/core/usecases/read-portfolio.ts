import type { Ledger } from '../../ports/ledger.js';
import type { MarketData } from '../../ports/market-data.js';
import type { EquityPoint } from '../account/equity.js';
import { type Holding, type Portfolio, portfolioOf } from '../account/portfolio.js';
import type { Position } from '../account/position.js';
import { DomainError, StrategyNotFound } from '../errors.js';
import type { AccountId, MarketId } from '../ids.js';
import { type HoldingFilter, type Page, type PositionCursor, type Slice, slice, slices } from '../ledger/query.js';
import { type BookView, seenFrom } from '../market/book.js';
import type { Market } from '../market/market.js';
import { NO_USDC, type Usdc } from '../money.js';
import type { Desk } from '../order/posting.js';

/** What is known of a market that something is held in. */
interface Quote {
  readonly market: Market | undefined;
  readonly book: BookView | undefined;
}

/** Reads what an account, or the part of one strategy, holds and is worth. */
export class ReadPortfolio {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: MarketData,
    private readonly desk: Pick<Desk, 'clock' | 'openingCash'>,
  ) {}

  /** Positions whose market does not answer now have no mark. @throws StrategyNotFound */
  async now(account: AccountId, filter: HoldingFilter): Promise<Portfolio> {
    const { paper, strategyId } = filter;
    await this.#checkStrategy(account, filter);
    const balance = await this.ledger.findBalance(account, paper);
    const opening = { account, paper, cash: paper ? this.desk.openingCash : NO_USDC, reserved: NO_USDC };
    const positions = await this.#positions(account, filter);
    const held = await this.#marked(positions.filter(({ shares }) => shares > 0n));
    const committed = strategyId === null ? null : await this.#committed(account, filter);
    return portfolioOf({ filter, balance: balance ?? opening, positions, held, committed, at: this.desk.clock.now() });
  }

  /** What it was worth before, newest first. @throws StrategyNotFound */
  async history(account: AccountId, filter: HoldingFilter, page: Page<Date>): Promise<Slice<EquityPoint, Date>> {
    await this.#checkStrategy(account, filter);
    return slice(
      page,
      (asked) => this.ledger.listEquity(account, filter, asked),
      (point) => point.at,
    );
  }

  async #checkStrategy(account: AccountId, { strategyId }: HoldingFilter): Promise<void> {
    if (strategyId === null || (await this.ledger.findStrategy(account, strategyId)) !== undefined) return;
    throw new StrategyNotFound();
  }

  async #positions(account: AccountId, filter: HoldingFilter): Promise<readonly Position[]> {
    const all: Position[] = [];
    const read = (page: Page<PositionCursor>) => this.ledger.listPositions(account, filter, page);
    for await (const found of slices(read, (position): PositionCursor => position)) all.push(...found);
    return all;
  }

  async #marked(open: readonly Position[]): Promise<readonly Holding[]> {
    const ids = [...new Set(open.map(({ marketId }) => marketId))];
    const quotes = new Map(await Promise.all(ids.map(async (id) => [id, await this.#quote(id)] as const)));
    return open.map((position) => holdingOf(position, quotes.get(position.marketId)));
  }

  async #quote(id: MarketId): Promise<Quote> {
    try {
      const market = await this.markets.find(id);
      return { market, book: market === undefined ? undefined : await this.markets.book(market) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { market: undefined, book: undefined };
    }
  }

  #committed(account: AccountId, { paper, strategyId }: HoldingFilter): Promise<Usdc> {
    const strategies = strategyId === null ? [] : [strategyId];
    return this.ledger.write({ account, strategies }, (now) => {
      const exposure = strategyId === null ? undefined : now.exposure(strategyId, paper);
      return { result: exposure?.committed ?? NO_USDC };
    });
  }
}

/** What the shares could be sold for at once: a result's payout, or the best price that somebody wants them for. */
function holdingOf(position: Position, quote: Quote | undefined): Holding {
  const { market, book } = quote ?? {};
  const payout = market?.payout?.[position.token === 'YES' ? 0 : 1];
  const bid = book === undefined ? undefined : seenFrom(position.token, book).bids[0]?.price;
  const mark = payout ?? (bid as bigint | undefined) ?? null;
  return { position, market: market ?? null, mark: mark as Usdc | null };
}
