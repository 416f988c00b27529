import type { BetMeasuring } from '../../../ports/bet-measuring.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { Digest, Pause } from '../../../ports/system.js';
import { SharedWork } from '../../concurrency/shared-work.js';
import type { AccountId, StrategyId, VenueName } from '../../ids.js';
import type { Page, Slice } from '../../ledger/query.js';
import { dayIn } from '../../limits/counted.js';
import type { BetRow } from '../../performance/bet.js';
import type { BetFilter } from '../../performance/bet-filter.js';
import { type BetPlots, betPlotsOf } from '../../performance/bet-plots.js';
import { type ResultBy, sumKeyOf } from '../../performance/kept-sums.js';
import {
  betsIn,
  type CountedBet,
  type ResultCursor,
  type ResultRow,
  type ResultTerms,
  resultPage,
  resultsOfBets,
  resultsOfSums,
  type YieldInterval,
} from '../../performance/results.js';
import { type QuoteSource, Quotes } from '../accounts/read-portfolio.js';
import type { DayZone, KeepBets } from './background/keep-bets.js';
import { atMark } from './read-bets.js';

/** Which bets to measure, of one kind of money, and how. */
export interface ResultQuery {
  readonly by: ResultBy;
  readonly paper: boolean;
  readonly interval: YieldInterval;
  readonly venue?: VenueName;
  readonly strategyId?: StrategyId;
  /** Settled at that moment or later; with it, or the next, no open ones. */
  readonly settledAfter?: Date;
  /** Settled strictly before. */
  readonly settledBefore?: Date;
}

/** Which bets to plot, of one kind of money: settled ones. */
export type PlotQuery = Omit<ResultQuery, 'by' | 'interval'>;

/** The results of an account. */
export interface ResultPage extends Slice<ResultRow, ResultCursor> {
  /** How many bets they are of, and whether these are all that were asked for. */
  readonly covered: { readonly bets: number; readonly all: boolean };
}

/** What the plots of an account are drawn from, each venue apart. */
export interface AccountPlots extends Pick<ResultPage, 'covered'> {
  readonly items: readonly BetPlots[];
}

/** All rows of a query, for the pages after the first. */
interface MeasuredRows extends Pick<ResultPage, 'covered'> {
  readonly name: string;
  readonly rows: readonly ResultRow[];
}

/** What results are read with. */
export interface ResultContext extends DayZone {
  readonly quotes: QuoteSource;
  readonly digest: Digest;
  readonly pause?: Pause | undefined;
  /** Absent to measure on the thread that asks. */
  readonly measuring?: BetMeasuring | undefined;
}

/** The most bets that results which need every bet are of: the newest. */
export const MOST_BETS_MEASURED = 100_000;
const BETS_AT_ONCE = 500;
const FIRST_MOMENT = new Date(0);
const ATTEMPTS = 5;
const NO_BOOKS: ResultTerms['books'] = new Map();

/** Of so many accounts the rows measured last are kept, until their last page was read. */
const MOST_KEPT = 16;

async function allOf(pages: AsyncIterable<readonly CountedBet[]>): Promise<readonly CountedBet[]> {
  const bets: CountedBet[] = [];
  for await (const page of pages) bets.push(...page);
  return bets;
}

/** Measures bets where it stands. */
const here: BetMeasuring = {
  measure: async (pages, terms) => resultsOfBets(await allOf(pages), terms),
  plot: async (pages) => betPlotsOf(await allOf(pages)),
};

/**
 * Reads what the bets of an account showed, up to its newest order. An account has one reading at a time; those who ask for the same
 * before it is begun share it.
 */
export class ReadResults {
  readonly #work = new SharedWork();
  /** By account, the oldest first. */
  readonly #measured = new Map<AccountId, MeasuredRows>();

  constructor(
    private readonly ledger: Pick<Ledger, 'bets'>,
    private readonly keep: Pick<KeepBets, 'execute'>,
    private readonly context: ResultContext,
  ) {}

  /**
   * Divided by one property, each venue apart. Without a time, a strategy and the bootstrap they come from sums that are kept as bets
   * settle; else from the newest bets, at most 100,000: read and measured for the first page, which the pages after it are of too.
   * @throws StorageUnavailable
   */
  execute(account: AccountId, query: ResultQuery, page: Page<ResultCursor>): Promise<ResultPage> {
    return this.#work.do(account, JSON.stringify([query, page]), async () => {
      await this.keep.execute(account);
      const { interval, strategyId, settledAfter, settledBefore } = query;
      const ofTime = settledAfter !== undefined || settledBefore !== undefined;
      return interval === 'normal' && strategyId === undefined && !ofTime
        ? this.#ofSums(account, query, page)
        : this.#ofBets(account, query, page, !ofTime);
    });
  }

  async #ofSums(account: AccountId, query: ResultQuery, page: Page<ResultCursor>): Promise<ResultPage> {
    const { by, paper } = query;
    const isWanted = ({ venue }: { readonly venue: VenueName }) => query.venue === undefined || venue === query.venue;
    const { kept, open, books } = await this.#kept(account, by, paper);
    const counted = this.#counted(account, by);
    const bets: CountedBet[] = [];
    for (let from = 0; from < open.length; from += BETS_AT_ONCE) {
      bets.push(...(await counted(open.slice(from, from + BETS_AT_ONCE).filter(isWanted))));
      await this.context.pause?.();
    }
    const sums = kept.filter(isWanted);
    return { ...resultsOfSums(sums, bets, { by, books }, page), covered: { bets: betsIn(sums), all: true } };
  }

  /** Sums and open bets of one moment; where bets change all the time, the open ones are left out, and have no mark. */
  async #kept(account: AccountId, by: ResultBy, paper: boolean) {
    const { bets } = this.ledger;
    for (let attempt = 1; ; attempt += 1) {
      const before = await bets.head(account);
      const [kept, open] = await Promise.all([bets.sums(account, { by, paper }), bets.find(account, { open: true })]);
      const after = await bets.head(account);
      const isOneMoment = before?.version === after?.version;
      if (!isOneMoment && attempt < ATTEMPTS) continue;
      const own = isOneMoment ? open.filter((bet) => bet.paper === paper) : [];
      return { kept, open: own, books: after?.books ?? NO_BOOKS };
    }
  }

  /** What plots of settled bets are drawn from: of the newest bets, at most 100,000. @throws StorageUnavailable */
  plots(account: AccountId, query: PlotQuery): Promise<AccountPlots> {
    return this.#work.do(account, JSON.stringify(['plots', query]), async () => {
      await this.keep.execute(account);
      const covered = { bets: 0, all: true };
      const settled = { settledAfter: FIRST_MOMENT, ...wantedOf(query) };
      const pages = this.#newest(account, settled, covered, this.#counted(account, 'day'), false);
      const items = await (this.context.measuring ?? here).plot(pages);
      return { items, covered };
    });
  }

  async #ofBets(
    account: AccountId,
    query: ResultQuery,
    page: Page<ResultCursor>,
    withOpen: boolean,
  ): Promise<ResultPage> {
    const known = page.after === undefined ? undefined : this.#measured.get(account);
    const measured = known?.name === JSON.stringify(query) ? known : await this.#measureAll(account, query, withOpen);
    const found = resultPage(measured.rows, page);
    this.#measured.delete(account);
    if (found.next !== null) this.#measured.set(account, measured);
    const [oldest] = this.#measured.keys();
    if (oldest !== undefined && this.#measured.size > MOST_KEPT) this.#measured.delete(oldest);
    return { ...found, covered: measured.covered };
  }

  async #measureAll(account: AccountId, query: ResultQuery, withOpen: boolean): Promise<MeasuredRows> {
    const { by, interval, ...filter } = query;
    const head = await this.ledger.bets.head(account);
    const covered = { bets: 0, all: true };
    const terms: ResultTerms = {
      by,
      interval,
      seed: this.context.digest(JSON.stringify([account, 'yield'])),
      books: head?.books ?? NO_BOOKS,
    };
    const pages = this.#newest(account, wantedOf(filter), covered, this.#counted(account, by), withOpen);
    const rows = await (this.context.measuring ?? here).measure(pages, terms);
    return { name: JSON.stringify(query), rows, covered };
  }

  /** The newest bets, page by page; `covered` says how far it came. */
  async *#newest(
    account: AccountId,
    filter: BetFilter,
    covered: { bets: number; all: boolean },
    counted: (bets: readonly BetRow[]) => Promise<readonly CountedBet[]>,
    withOpen: boolean,
  ): AsyncGenerator<readonly CountedBet[]> {
    for (let after: string | undefined; covered.all; ) {
      const limit = Math.min(BETS_AT_ONCE, MOST_BETS_MEASURED + 1 - covered.bets);
      const found = await this.ledger.bets.list(account, filter, { limit, ...(after !== undefined && { after }) });
      const taken = found.slice(0, MOST_BETS_MEASURED - covered.bets);
      covered.bets += taken.length;
      covered.all = taken.length === found.length;
      yield await counted(withOpen ? taken : taken.filter(({ result }) => result !== 'open'));
      if (found.length < limit) return;
      after = found.at(-1)?.id;
      await this.context.pause?.();
    }
  }

  /** Counts bets under what they are divided by, open ones at their marks. */
  #counted(account: AccountId, by: ResultBy): (bets: readonly BetRow[]) => Promise<readonly CountedBet[]> {
    const { context } = this;
    const quotes = new Quotes(context.quotes, { asker: { account, purpose: 'look' }, pause: context.pause });
    const keyOf = (bet: BetRow) => sumKeyOf(by, bet, (at) => dayIn(context, at)).key;
    return (bets) =>
      Promise.all(
        bets.map(async (bet): Promise<CountedBet> => {
          const shown = await atMark(bet, quotes);
          return { bet: shown ?? bet, key: keyOf(bet), isMarked: shown !== null };
        }),
      );
  }
}

const wantedOf = ({ strategyId, ...filter }: PlotQuery): BetFilter => ({
  ...filter,
  ...(strategyId !== undefined && { strategyId }),
});
