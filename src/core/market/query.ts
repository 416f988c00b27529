import { minus, NO_SHARES, notional, type Price, plus, type Shares, sharesFor, type Usdc } from '../money.js';
import type { MarketStatus } from './lifecycle.js';
import type { Market, MarketKind } from './market.js';
import { FINEST_TICK } from './venue-choices.js';

/** Which markets to look for; an absent member does not restrict. */
export interface MarketQuery {
  /** Words of the question, the event or the slug. */
  readonly text?: string;
  readonly sport?: string;
  readonly league?: string;
  readonly kind?: MarketKind | 'other';
  /** One status, or several of which a market has one. */
  readonly status?: MarketStatus | readonly MarketStatus[];
}

/** The statuses that a query names; null where it names none. */
export function statusesOf({ status }: MarketQuery): readonly MarketStatus[] | null {
  if (status === undefined) return null;
  return typeof status === 'string' ? [status] : status;
}

/** True when the market matches the whole query. Letters compare without case. */
export function answers(market: Market, query: MarketQuery): boolean {
  const { text, sport, league, kind } = query;
  const statuses = statusesOf(query);
  return (
    same(sport, market.sport) &&
    same(league, market.league) &&
    (kind === undefined || market.kind === kind) &&
    (statuses === null || statuses.some((status) => market.status === status)) &&
    (text === undefined || mentions(market, text))
  );
}

function same(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();
}

function mentions({ question, slug, event, outcomes }: Market, text: string): boolean {
  const labels = outcomes === null ? [] : outcomes.map(({ label }) => label);
  const said = [question, slug, event?.title, event?.slug, ...labels].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** What an order still needs: a number of shares, or as many as its dollars buy. Prices are those of its own outcome. */
export class Want {
  private constructor(
    private readonly limit: Price,
    private readonly lot: Shares,
    private left: Shares,
    private dollars: Usdc | null,
  ) {}

  static shares(left: Shares): Want {
    return new Want(0n as Price, NO_SHARES, left, null);
  }

  /** Whole lots, as many as the dollars buy; the rest counts at the limit. */
  static dollars(dollars: Usdc, limit: Price, lot: Shares): Want {
    return new Want(limit, lot, NO_SHARES, dollars);
  }

  /** At the limit. */
  get shares(): Shares {
    return this.at(this.limit);
  }

  at(price: Price): Shares {
    return this.dollars === null ? this.left : sharesFor(this.dollars, counted(price), this.lot);
  }

  take(shares: Shares, price: Price): void {
    if (this.dollars === null) this.left = plus(this.left, -shares as Shares);
    else this.dollars = minus(this.dollars, notional(shares, counted(price), 'ceil'));
  }

  copy(): Want {
    return new Want(this.limit, this.lot, this.left, this.dollars);
  }
}

const counted = (price: Price): Price => (price < FINEST_TICK ? FINEST_TICK : price);
