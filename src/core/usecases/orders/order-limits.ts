import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { isLimited, type Limits } from '../../limits/limits.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import type { OrderDraft } from '../../order/draft.js';
import type { Order, Refusal } from '../../order/order.js';
import { overLimits } from '../../posting/account-limits.js';
import { dayIn, type OrderContext } from '../../posting/order-context.js';

/** What was read before an order of an account with limits is decided, and what its write has to read. */
export interface Sight {
  readonly scope: Pick<Scope, 'risks'>;
  /** The limits for which it was read. */
  readonly limits: Limits;
  readonly book: BookView | undefined;
}

/** The account of an order turned out to have limits that have to be seen first: nothing was decided. */
export class LimitsUnseen extends Error {}

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
    private readonly context: Pick<OrderContext, 'clock' | 'dayOf'>,
  ) {}

  /** Reads what an order has to be compared with; null for an account that has no limits, as far as is known here. */
  async sight({ account, paper }: Pick<OrderDraft, 'account' | 'paper'>, market: Market | null): Promise<Sight | null> {
    const limits = this.#known.get(account);
    if (limits === undefined || market === null) return null;
    const book = limits.priceBand === null ? undefined : await this.#book(market);
    return { scope: { risks: paper ? 'paper' : 'live' }, limits, book };
  }

  /** @throws LimitsUnseen when the account has other limits than those for which `sight` was read: it has to be read again. */
  check({ account: { id, limits } }: Snapshot, sight: Sight | null): void {
    if (limits === undefined || !isLimited(limits)) {
      this.#known.delete(id);
      return;
    }
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(id, limits);
    const isSeen = sight !== null && (limits.priceBand === null || sight.limits.priceBand !== null);
    if (!isSeen) throw new LimitsUnseen();
  }

  /** Why the order is above a limit of its account, or null. */
  refusal(now: Snapshot, order: Order, market: Market, sight: Sight | null): Refusal | null {
    const { limits } = now.account;
    if (limits === undefined || !isLimited(limits) || sight === null) return null;
    const { paper } = order.intent;
    const [risks, balances] = [now.positions(paper), now.balances(paper)];
    const today = dayIn(this.context, order.placedAt);
    const group = riskGroupOf(market);
    return overLimits(order, { limits, risks, balances, group, book: sight.book, at: order.placedAt, today });
  }

  /** A source that does not answer has no book. */
  async #book(market: Market): Promise<BookView | undefined> {
    try {
      return await this.markets.book(market);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
