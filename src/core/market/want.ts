import { minus, NO_SHARES, notional, type Price, plus, type Shares, sharesFor, type Usdc } from '../money.js';
import { FINEST_TICK } from './venue-choices.js';

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
