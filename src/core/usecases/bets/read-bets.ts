import type { ClosePrices } from '../../../ports/close-prices.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { Pause } from '../../../ports/system.js';
import type { AccountId } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import { proportion } from '../../money.js';
import type { BetRow } from '../../performance/bet.js';
import type { BetFilter } from '../../performance/bet-filter.js';
import { markedBet } from '../../performance/bet-ledger.js';
import { type QuoteSource, Quotes } from '../accounts/read-portfolio.js';
import type { MarketFilters } from '../markets/market-filters.js';
import { closedBet, type KeepBets } from './background/keep-bets.js';

/** Where the prices of bets come from. */
export interface BetPrices {
  readonly quotes: QuoteSource;
  readonly closes: ClosePrices;
  readonly pause?: Pause | undefined;
}

/** Reads the bets of an account, up to its newest order. */
export class ReadBets {
  constructor(
    private readonly ledger: Pick<Ledger, 'bets'>,
    private readonly keep: Pick<KeepBets, 'execute'>,
    private readonly filters: MarketFilters,
    private readonly prices: BetPrices,
  ) {}

  /**
   * Newest first, unless the filter says otherwise. Open ones have what is held at what the bids would pay now after the fee of a sale, or at cost where that is not known.
   * @throws MarketNotFound, MarketDataUnavailable where the filter names a market that no order has
   */
  async many(account: AccountId, filter: BetFilter, page: Page<string>): Promise<Slice<BetRow, string>> {
    await this.keep.execute(account);
    const { items, next } = await this.filters.read(account, filter, page, (narrowed, part) =>
      slice(
        part,
        (asked) => this.ledger.bets.list(account, narrowed, asked),
        ({ id }) => id,
      ),
    );
    const { closes, pause } = this.prices;
    const quotes = new Quotes(this.prices.quotes, { asker: { account, purpose: 'look' }, pause });
    // A close that is known may be stored a moment later.
    const closed = items.map((bet) => closedBet(bet, closes));
    return { items: await Promise.all(closed.map((bet) => marked(bet, quotes))), next };
  }
}

async function marked(bet: BetRow, quotes: Quotes): Promise<BetRow> {
  return (await atMark(bet, quotes)) ?? markedBet(bet, proportion(bet.stake, bet.held, bet.shares, 'floor'));
}

/** The bet, one that is open with what it holds at what the bids would pay; null where that is not known. */
export async function atMark(bet: BetRow, quotes: Quotes): Promise<BetRow | null> {
  if (bet.result !== 'open') return bet;
  const proceeds = await quotes.proceeds(bet, bet.held);
  return proceeds === null ? null : markedBet(bet, proceeds);
}
