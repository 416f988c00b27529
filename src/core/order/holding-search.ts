import type { Shares } from '../money.js';
import { isWorking } from './lifecycle.js';
import type { Order } from './order.js';
import { isImmediate } from './order.js';

/** Finds out from the orders of a strategy on an outcome, the newest first, how it came to hold what it holds. */
export class HoldingSearch {
  /** What it held before the orders taken in. */
  #left: bigint;
  #begun: Order | null = null;
  #isTrying = true;
  #tries = 0;
  #lastTryAt: Date | null = null;
  #isSelling = false;

  constructor(held: Shares) {
    this.#left = held;
  }

  /** The purchase with which the holding began; null while that is not known. */
  get begun(): Order | null {
    return this.#begun;
  }

  /** Immediate sales that sold nothing, since the last order that filled. */
  get tries(): number {
    return this.#tries;
  }

  /** When the last immediate sale was placed; null where there was none. */
  get lastTryAt(): Date | null {
    return this.#lastTryAt;
  }

  /** Whether an immediate sale is at work. */
  get isSelling(): boolean {
    return this.#isSelling;
  }

  /** Takes in the order placed before those taken in, and returns whether an older one can matter. */
  see(order: Order): boolean {
    const { intent, filled } = order;
    if (intent.side === 'SELL' && isImmediate(intent)) this.#seeTry(order);
    if (filled.shares === 0n) return true;
    this.#isTrying = false;
    if (intent.side === 'SELL') this.#left += partSold(order);
    else {
      this.#left -= filled.shares;
      this.#begun = order;
    }
    return this.#left > 0n;
  }

  #seeTry({ state, filled, placedAt }: Order): void {
    this.#lastTryAt ??= placedAt;
    if (isWorking(state)) this.#isSelling = true;
    else if (this.#isTrying && filled.shares === 0n) this.#tries += 1;
  }
}

/** What a sale took of the strategy's own shares. */
function partSold({ fills }: Order): bigint {
  const counted = fills.filter(({ settlement }) => settlement !== 'voided');
  return counted.reduce((sum, { basis }) => sum + basis.strategyShares, 0n);
}
