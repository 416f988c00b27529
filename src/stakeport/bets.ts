import type { Slice } from '../core/ledger/query.js';
import { BET_RESULTS, type BetResult, type BetRow } from '../core/performance/bet.js';
import { BET_ORDERS, type BetOrder } from '../core/performance/bet-filter.js';
import { RESULTS_BY, type ResultBy } from '../core/performance/kept-sums.js';
import { type ResultCursor, YIELD_INTERVALS, type YieldInterval } from '../core/performance/results.js';
import type { ResultPage, ResultQuery } from '../core/usecases/bets/read-results.js';
import type { UseCases } from '../core/usecases/compose.js';
import { accountId, flag, knownWord, marketId, type PageRequest, pageOf, strategyId, venueName } from './input.js';

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
  /** By default `newest`; `worst` and `best` list bets that ended, by their profit. */
  readonly order?: BetOrder;
}

/** Which results to read. */
export interface ResultsRequest extends PageRequest<ResultCursor> {
  /** What bets are divided by; by default `strategy`. */
  readonly by?: ResultBy;
  /** False for real money; by default paper. */
  readonly paper?: boolean;
  /** How the interval of the yield is had; by default `normal`. `bootstrap` also has the measures that need every bet. */
  readonly interval?: YieldInterval;
  /** Only bets at this venue. */
  readonly venue?: string;
  readonly strategy?: string;
  /** Only those that settled at that moment or later; with it, or the next, no open ones. */
  readonly settledAfter?: Date;
  readonly settledBefore?: Date;
}

/** Reads bets: what was bought and sold of one outcome, from flat to flat, or to the result. */
export interface Bets {
  /**
   * Newest first unless `order` says otherwise, up to the newest order. Open ones have what is held at what the bids would pay now, after the fee of a sale.
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
  /**
   * What bets showed, divided by one property: of one kind of money, each venue apart. With a time, a strategy or the bootstrap every
   * bet is read, at most the newest 100,000: `covered` says how many.
   *
   * @example
   * ```ts
   * const { items } = await stakeport.bets.results('me', { by: 'league', interval: 'bootstrap' });
   * for (const { key, bets, measures } of items) console.log(key, bets, measures.yield.value, measures.yield.interval);
   * ```
   */
  results(account: string, request?: ResultsRequest): Promise<ResultPage>;
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
  'order',
];

const RESULT_MEMBERS = ['by', 'paper', 'interval', 'venue', 'strategy', 'settledAfter', 'settledBefore'];

/** The methods that read bets. */
export function betsOf({ bets }: UseCases): Bets {
  return {
    async list(account, request = {}) {
      const page = pageOf(request, FILTERS);
      const { limit, after, result, order, market, venue, strategy, ...filter } = request;
      const named = {
        ...filter,
        ...(result !== undefined && { result: knownWord('result', result, BET_RESULTS) }),
        ...(order !== undefined && { order: knownWord('order', order, BET_ORDERS) }),
        ...(market !== undefined && { marketId: marketId(market) }),
        ...(venue !== undefined && { venue: venueName(venue) }),
        ...(strategy !== undefined && { strategyId: strategyId(strategy) }),
      };
      return bets.read.many(accountId(account), named, page);
    },
    async results(account, request = {}) {
      const page = pageOf(request, RESULT_MEMBERS);
      const {
        by = 'strategy',
        paper = true,
        interval = 'normal',
        venue,
        strategy,
        settledAfter,
        settledBefore,
      } = request;
      const query: ResultQuery = {
        by: knownWord('by', by, RESULTS_BY),
        paper: flag('paper', paper),
        interval: knownWord('interval', interval, YIELD_INTERVALS),
        ...(venue !== undefined && { venue: venueName(venue) }),
        ...(strategy !== undefined && { strategyId: strategyId(strategy) }),
        ...(settledAfter !== undefined && { settledAfter }),
        ...(settledBefore !== undefined && { settledBefore }),
      };
      return bets.results.execute(accountId(account), query, page);
    },
  };
}
