import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import type { Scope } from '../../ledger/decision.js';
import { isLimited } from '../../limits/limits.js';
import type { EquityMark } from '../../limits/loss-marks.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import type { OrderDraft } from '../../order/draft.js';
import { type Again, type Beside, isAgain, type Lacking } from '../../posting/order-checks.js';
import type { OrderContext } from '../../posting/order-context.js';
import { boundsOf } from '../../posting/strategy-limits.js';
import { MarkEquity, type MarkedHolder } from '../limits/mark-equity.js';
import { ReadSet } from './read-set.js';

/** Who places an order, as far as limits go. */
export type PlacedFor = Pick<OrderDraft, 'account' | 'paper' | 'strategyId'>;

/** What orders are placed with. */
export interface PlacementPorts extends OrderContext {
  readonly ledger: Pick<Ledger, 'read'>;
  /** Quotes what holdings could be sold for; by default the venues. */
  readonly quotes?: Pick<MarketDirectory, 'find' | 'book'>;
  /** What accounts are worth; by default marks of its own. */
  readonly marks?: MarkEquity;
}

/** How often what a write lacked is brought. */
const MOST_AGAIN = 2;

/** What the write of an order reads for limits and states of trading: by the rows of its account and of its strategy, as they are then. */
export const comparedWith =
  ({ paper, strategyId }: PlacedFor): NonNullable<Scope['second']> =>
  ({ account: { limits }, strategy }) => {
    const placedBy = strategyId === null ? undefined : strategy(strategyId);
    const ofAccount = limits !== undefined && isLimited(limits);
    const ofPart = placedBy !== undefined && boundsOf(placedBy).eventLoss !== null;
    return {
      risks: [...(ofAccount ? [{ paper, strategyId: null }] : []), ...(ofPart ? [{ paper, strategyId }] : [])],
    };
  };

/** Brings what orders are compared with from outside of the store, where a write said that it lacks it. */
export class ReadForOrder {
  readonly #marks: Pick<MarkEquity, 'recent' | 'forget' | 'young'>;
  readonly #set: ReadSet;

  constructor(
    private readonly venues: Pick<MarketDirectory, 'find' | 'book'>,
    { ledger, quotes = venues, clock, marks = new MarkEquity(ledger, quotes, clock) }: PlacementPorts,
  ) {
    this.#marks = marks;
    this.#set = new ReadSet(ledger, venues);
  }

  /** Runs a write until it lacks nothing. `market` is null where only an earlier request may be answered. */
  async run<T>(by: PlacedFor, market: Market | null, write: (beside: Beside) => Promise<T | Again>): Promise<T> {
    let beside: Beside = market === null ? { isLast: true } : await this.#young(by, market);
    for (let again = 1; ; again += 1) {
      const written = await write(beside);
      if (!isAgain(written) || market === null) return written as T;
      beside = { ...beside, isLast: again >= MOST_AGAIN, ...(await this.#bring(written.again, by, market, beside)) };
    }
  }

  /** Marks that are there: most orders need none, and those that do need them soon again. */
  async #young(by: PlacedFor, market: Market): Promise<Beside> {
    const { account, paper, strategyId } = by;
    const [mark, partMark] = await Promise.all([
      this.#marks.young({ account, paper }, market),
      strategyId === null ? undefined : this.#marks.young(by, market),
    ]);
    return {
      isLast: false,
      ...(mark !== undefined && { mark }),
      ...(partMark !== undefined && { partMark }),
    };
  }

  async #bring(lacking: readonly Lacking[], by: PlacedFor, market: Market, before: Beside): Promise<Partial<Beside>> {
    const { account, paper } = by;
    const found: { -readonly [Name in Lacking]?: Beside[Name] } = {};
    if (lacking.includes('book')) found.book = await this.#book(market, account);
    if (lacking.includes('mark')) found.mark = await this.#mark({ account, paper }, market, before.mark);
    if (lacking.includes('partMark')) found.partMark = await this.#mark(by, market, before.partMark);
    if (lacking.includes('groups')) found.groups = await this.#set.groups(by);
    return found as Partial<Beside>;
  }

  /** Another one where there was one already. */
  #mark(holder: MarkedHolder, market: Market, before: EquityMark | null | undefined): Promise<EquityMark | null> {
    if (before !== undefined) this.#marks.forget(holder);
    return this.#marks.recent(holder, market);
  }

  /** A source that does not answer has no book. */
  async #book(market: Market, account: AccountId): Promise<BookView | null> {
    try {
      return (await this.venues.book(market, { account, purpose: 'order' })) ?? null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
