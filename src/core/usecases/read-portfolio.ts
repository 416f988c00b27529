import type { Ledger } from '../../ports/ledger.js';
import type { MarketData } from '../../ports/market-data.js';
import type { EquityPoint } from '../account/equity.js';
import { type Portfolio, portfolioOf } from '../account/portfolio.js';
import { StrategyNotFound } from '../errors.js';
import type { AccountId } from '../ids.js';
import { type HoldingFilter, type Page, type PositionCursor, type Slice, slice, whole } from '../ledger/query.js';
import { NO_USDC, type Usdc } from '../money.js';
import type { Desk } from '../order/posting.js';
import { Quotes } from './quotes.js';

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
    const read = (page: Page<PositionCursor>) => this.ledger.listPositions(account, filter, page);
    const positions = await whole(read, (position): PositionCursor => position);
    const held = await new Quotes(this.markets).marked(positions);
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

  #committed(account: AccountId, { paper, strategyId }: HoldingFilter): Promise<Usdc> {
    const strategies = strategyId === null ? [] : [strategyId];
    return this.ledger.write({ account, strategies }, (now) => {
      const exposure = strategyId === null ? undefined : now.exposure(strategyId, paper);
      return { result: exposure?.committed ?? NO_USDC };
    });
  }
}
