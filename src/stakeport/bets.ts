import type { Slice } from '../core/ledger/query.js';
import { BET_RESULTS, type BetResult, type BetRow } from '../core/performance/bet.js';
import type { UseCases } from '../core/usecases/compose.js';
import { accountId, knownWord, marketId, type PageRequest, pageOf, strategyId, venueName } from './input.js';

/** Which bets to list; an absent member does not restrict. */
export interface BetListRequest extends PageRequest<string> {
  readonly result?: BetResult;
  readonly market?: string;
  /** Only bets at this venue. */
  readonly venue?: string;
  readonly strategy?: string;
  readonly paper?: boolean;
  /** Only those whose first share was bought later. */
  readonly placedAfter?: Date;
  readonly placedBefore?: Date;
  /** Only those that settled at that moment or later; with it, or the next, no open ones. */
  readonly settledAfter?: Date;
  readonly settledBefore?: Date;
}

/** Reads bets: what was bought and sold of one outcome, from flat to flat, or to the result. */
export interface Bets {
  /**
   * Newest first, up to the newest order. Open ones have what is held at what the bids would pay now, after the fee of a sale.
   *
   * @throws MarketNotFound, MarketDataUnavailable
   *
   * @example
   * ```ts
   * const { items } = await stakeport.bets.list('me', { result: 'won', limit: 10 });
   * for (const { question, profit } of items) console.log(question, formatMicro(profit));
   * ```
   */
  list(account: string, request?: BetListRequest): Promise<Slice<BetRow, string>>;
}

const FILTERS = [
  'result',
  'market',
  'venue',
  'strategy',
  'paper',
  'placedAfter',
  'placedBefore',
  'settledAfter',
  'settledBefore',
];

/** The methods that read bets. */
export function betsOf({ bets }: UseCases): Bets {
  return {
    async list(account, request = {}) {
      const page = pageOf(request, FILTERS);
      const { limit, after, result, market, venue, strategy, ...filter } = request;
      const named = {
        ...filter,
        ...(result !== undefined && { result: knownWord('result', result, BET_RESULTS) }),
        ...(market !== undefined && { marketId: marketId(market) }),
        ...(venue !== undefined && { venue: venueName(venue) }),
        ...(strategy !== undefined && { strategyId: strategyId(strategy) }),
      };
      return bets.read.many(accountId(account), named, page);
    },
  };
}
