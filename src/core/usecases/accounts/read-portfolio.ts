import type { Ledger } from '../../../ports/ledger.js';
import { totalOf } from '../../account/account.js';
import type { EquityPoint } from '../../account/equity.js';
import { byOutcome, type Portfolio, portfolioOf } from '../../account/portfolio.js';
import type { HoldingFilter } from '../../account/position.js';
import { StrategyNotFound } from '../../errors.js';
import type { AccountId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import { NO_USDC } from '../../money.js';
import type { OrderContext } from '../../posting/order-context.js';
import { existing } from '../strategies/create-strategy.js';
import { type QuoteSource, Quotes } from './quotes.js';

/** Reads what an account, or the part of one strategy, holds and is worth. */
export class ReadPortfolio {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: QuoteSource,
    private readonly context: Pick<OrderContext, 'clock' | 'openingCash'>,
  ) {}

  /**
   * Cash, positions and money at work are of one moment; the prices are read after. Positions whose market does not answer
   * now have no mark. What an archived strategy holds is still in the account, but can no longer be read by itself.
   * @throws StrategyNotFound
   */
  async now(account: AccountId, filter: HoldingFilter): Promise<Portfolio> {
    const { paper, strategyId } = filter;
    const strategies = strategyId === null ? [] : [strategyId];
    const scope = { account, strategies, holdings: paper ? 'paper' : 'live' } as const;
    const parts = await this.ledger.read(scope, (now) => this.#parts(now, filter));
    const held = await new Quotes(this.markets, { account, purpose: 'look' }).marked(parts.positions);
    return portfolioOf({ filter, ...parts, held, at: this.context.clock.now() });
  }

  /** What it was worth before, newest first. @throws StrategyNotFound */
  async history(account: AccountId, filter: HoldingFilter, page: Page<Date>): Promise<Slice<EquityPoint, Date>> {
    const { strategyId } = filter;
    if (strategyId !== null && (await this.ledger.findStrategy(account, strategyId)) === undefined)
      throw new StrategyNotFound();
    return slice(
      page,
      (asked) => this.ledger.listEquity(account, filter, asked),
      (point) => point.at,
    );
  }

  #parts(now: Snapshot, { paper, strategyId }: HoldingFilter) {
    if (strategyId !== null) existing(now.strategy(strategyId));
    const positions = now.positions(paper).filter((position) => position.strategyId === strategyId);
    const balances = now.balances(paper);
    const opening = { cash: paper ? this.context.openingCash : NO_USDC, reserved: NO_USDC };
    return {
      balance: balances.length === 0 ? opening : totalOf(balances),
      positions: positions.toSorted(byOutcome),
      committed: strategyId === null ? null : (now.exposure(strategyId, paper)?.committed ?? NO_USDC),
    };
  }
}
