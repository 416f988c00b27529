import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import { isLimited, type Limits } from '../../limits/limits.js';
import { type EquityMark, limitsLosses } from '../../limits/loss-marks.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import type { Order, Refusal } from '../../order/order.js';
import { overLimits } from '../../posting/account-limits.js';
import type { MeasuredAccount } from '../../posting/measured-losses.js';
import { dayIn, type OrderContext } from '../../posting/order-context.js';
import type { MarkEquity } from '../limits/mark-equity.js';
import { measuredNow, UNMARKED } from '../limits/mark-equity.js';
import { LimitsUnseen, type PlacedFor } from './order-sight.js';

/** What was read before an order of an account with limits is decided. */
export interface AccountSight {
  /** The limits for which it was read. */
  readonly limits: Limits;
  readonly book: BookView | undefined;
  /** What the account is worth, where its losses are limited; null where that cannot be told. */
  readonly mark: EquityMark | null;
  /** Whether it is not read again, though the equity may have changed meanwhile. */
  readonly isLast: boolean;
}

/** How often an order of an account that loses money meanwhile is decided anew, by a mark of then. */
const ATTEMPTS = 3;

/** The most accounts whose limits are remembered. */
const REMEMBERED = 10_000;

/**
 * Compares orders with the limits of their account, in the write that records them. Only an account with limits makes that
 * write read more; which accounts have some is remembered from their orders before, and the write itself decides.
 */
export class OrderLimits {
  readonly #known = new Map<AccountId, Limits>();

  constructor(
    private readonly markets: Pick<MarketDirectory, 'book'>,
    private readonly marks: Pick<MarkEquity, 'recent' | 'forget'>,
    private readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'dayOf'>,
  ) {}

  /**
   * Reads what an order has to be compared with; null for an account that has no limits, as far as is known here. `attempt`
   * counts from 0 how often it was read before for the same order.
   */
  async sight({ account, paper }: PlacedFor, market: Market | null, attempt: number): Promise<AccountSight | null> {
    const by = { account, paper };
    const limits = this.#known.get(account);
    if (limits === undefined || market === null) return null;
    const book = limits.priceBand === null ? undefined : await this.#book(market, account);
    if (attempt > 0) this.marks.forget(by);
    const mark = limitsLosses(limits) ? await this.marks.recent(by, market) : null;
    return { limits, book, mark, isLast: attempt >= ATTEMPTS };
  }

  /** @throws LimitsUnseen when the account has other limits than those for which `sight` was read: it has to be read again. */
  check({ account: { id, limits } }: Snapshot, sight: AccountSight | null): void {
    if (limits === undefined || !isLimited(limits)) {
      this.#known.delete(id);
      return;
    }
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(id, limits);
    const isSeen =
      sight !== null &&
      (limits.priceBand === null || sight.limits.priceBand !== null) &&
      (!limitsLosses(limits) || limitsLosses(sight.limits));
    if (!isSeen) throw new LimitsUnseen();
  }

  /**
   * The account after its losses were measured, and why they forbid the order; `lowers` is whether it lowers a worst case.
   * @throws LimitsUnseen where it may have lost too much, and money was booked since it was marked
   */
  losses(now: Snapshot, paper: boolean, sight: AccountSight | null, lowers: () => boolean): MeasuredAccount {
    const { account } = now;
    if (sight === null || account.limits === undefined || !limitsLosses(account.limits))
      return { account, refusal: null };
    const { mark, isLast } = sight;
    if (mark === null) return { account, refusal: lowers() ? null : UNMARKED.account };
    const found = measuredNow(now, { paper, mark, context: this.context });
    if (found.refusal !== null && !found.isExact && !isLast) throw new LimitsUnseen();
    return found;
  }

  /** Why the order is above a limit of its account, or null. */
  refusal(now: Snapshot, order: Order, market: Market, sight: AccountSight | null): Refusal | null {
    const { limits } = now.account;
    if (limits === undefined || !isLimited(limits) || sight === null) return null;
    const { paper } = order.intent;
    const [risks, balances] = [now.risks({ paper, strategyId: null }), now.balances(paper)];
    const today = dayIn(this.context, order.placedAt);
    const group = riskGroupOf(market);
    return overLimits(order, { limits, risks, balances, group, book: sight.book, at: order.placedAt, today });
  }

  /** A source that does not answer has no book. */
  async #book(market: Market, account: AccountId): Promise<BookView | undefined> {
    try {
      return await this.markets.book(market, { account, purpose: 'order' });
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
