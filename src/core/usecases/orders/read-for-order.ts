import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { isLimited, type Limits } from '../../limits/limits.js';
import { limitsLosses } from '../../limits/loss-marks.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import type { Side } from '../../market/side.js';
import type { OrderDraft } from '../../order/draft.js';
import type { AccountReads, Again, OrderFacts, StrategyReads } from '../../posting/order-checks.js';
import type { OrderContext } from '../../posting/order-context.js';
import { boundsOf, type StrategyBounds } from '../../posting/strategy-limits.js';
import type { Strategy } from '../../strategy/strategy.js';
import { MarkEquity } from '../limits/mark-equity.js';
import { ReadSet } from './read-set.js';

/** Who places an order, as far as limits go. */
export type PlacedFor = Pick<OrderDraft, 'account' | 'paper' | 'strategyId'>;

/** What was read before a write that places an order, and what the write reads for it. */
export interface OrderReads extends Pick<OrderFacts, 'account' | 'part' | 'groups'> {
  readonly scope: Pick<Scope, 'risks' | 'holdings'>;
}

/** What orders are placed with. */
export interface PlacementPorts extends OrderContext {
  readonly ledger: Pick<Ledger, 'read'>;
  /** Quotes what holdings could be sold for; by default the venues. */
  readonly quotes?: Pick<MarketDirectory, 'find' | 'book'>;
  /** What accounts are worth; by default marks of its own. */
  readonly marks?: MarkEquity;
}

/** Before which try to decide an order something is read, counted from 0, and whether that needs what is held in other markets. */
export interface Try {
  readonly attempt: number;
  readonly needsHoldings: boolean;
}

/** How often an order is decided anew, by a mark of then, where money is lost meanwhile. */
const ATTEMPTS = 3;
/** The most accounts whose limits are remembered, */
const MOST_ACCOUNTS = 10_000;
/** and the most strategies. */
const MOST_STRATEGIES = 100_000;

/**
 * Reads what orders are compared with. Only an account or a strategy with limits makes the write of an order read more; which have
 * some is remembered from their orders before, and the write itself decides.
 */
export class ReadForOrder {
  readonly #marks: Pick<MarkEquity, 'recent' | 'forget'>;
  readonly #set: ReadSet;
  readonly #accounts = new Map<AccountId, Limits>();
  readonly #strategies = new Map<string, StrategyBounds>();

  constructor(
    private readonly venues: Pick<MarketDirectory, 'find' | 'book'>,
    { ledger, quotes = venues, clock, marks = new MarkEquity(ledger, quotes, clock) }: PlacementPorts,
  ) {
    this.#marks = marks;
    this.#set = new ReadSet(ledger, venues);
  }

  /** What has to be read before the write; null where, as far as is known here, nothing has. `market` is null where only an earlier request may be answered. */
  async before(by: PlacedFor, market: Market | null, { attempt, needsHoldings }: Try): Promise<OrderReads | null> {
    const account = market && (await this.#ofAccount(by, market, attempt));
    const part = market && (await this.#ofStrategy(by, market, attempt));
    const groups = needsHoldings ? await this.#set.groups(by) : null;
    if (account === null && part === null && groups === null) return null;
    const { paper, strategyId } = by;
    const risks = [
      ...(account === null ? [] : [{ paper, strategyId: null }]),
      ...(part?.seesRisks === true ? [{ paper, strategyId }] : []),
    ];
    const holdings = groups === null ? {} : { holdings: paper ? ('paper' as const) : ('live' as const) };
    return { scope: { risks, ...holdings }, account, part, groups };
  }

  /**
   * What was not read of what the account and the version of the strategy on record are limited by; null where all was. A sale is bound
   * by no day of a strategy.
   */
  lacking(now: Snapshot, strategy: Strategy | null, side: Side, reads: OrderReads | null): Again | null {
    const isRead = this.#accountIsRead(now, reads?.account ?? null);
    const partIsRead = strategy === null || this.#partIsRead(strategy, side, reads?.part ?? null);
    return isRead && partIsRead ? null : { again: 'limits' };
  }

  async #ofAccount({ account, paper }: PlacedFor, market: Market, attempt: number): Promise<AccountReads | null> {
    const limits = this.#accounts.get(account);
    if (limits === undefined) return null;
    const book = limits.priceBand === null ? undefined : await this.#book(market, account);
    const by = { account, paper };
    if (attempt > 0) this.#marks.forget(by);
    const mark = limitsLosses(limits) ? await this.#marks.recent(by, market) : null;
    return { limits, book, mark, isLast: attempt >= ATTEMPTS };
  }

  async #ofStrategy(by: PlacedFor, market: Market, attempt: number): Promise<StrategyReads | null> {
    const bounds = by.strategyId === null ? undefined : this.#strategies.get(by.strategyId);
    if (bounds === undefined) return null;
    if (attempt > 0) this.#marks.forget(by);
    const mark = bounds.dailyLoss === null ? undefined : await this.#marks.recent(by, market);
    return { seesRisks: bounds.eventLoss !== null, mark, isLast: attempt >= ATTEMPTS };
  }

  #accountIsRead({ account: { id, limits } }: Snapshot, reads: AccountReads | null): boolean {
    if (limits === undefined || !isLimited(limits)) {
      this.#accounts.delete(id);
      return true;
    }
    if (this.#accounts.size >= MOST_ACCOUNTS) this.#accounts.clear();
    this.#accounts.set(id, limits);
    const hasBook = limits.priceBand === null || (reads !== null && reads.limits.priceBand !== null);
    return reads !== null && hasBook && (!limitsLosses(limits) || limitsLosses(reads.limits));
  }

  #partIsRead(strategy: Strategy, side: Side, reads: StrategyReads | null): boolean {
    const bounds = boundsOf(strategy);
    const { eventLoss, dailyLoss } = bounds;
    if (eventLoss === null && dailyLoss === null) {
      this.#strategies.delete(strategy.id);
      return true;
    }
    if (this.#strategies.size >= MOST_STRATEGIES) this.#strategies.clear();
    this.#strategies.set(strategy.id, bounds);
    const needsMark = dailyLoss !== null && side === 'BUY';
    return (eventLoss === null || reads?.seesRisks === true) && (!needsMark || reads?.mark !== undefined);
  }

  /** A source that does not answer has no book. */
  async #book(market: Market, account: AccountId): Promise<BookView | undefined> {
    try {
      return await this.venues.book(market, { account, purpose: 'order' });
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
