import { NO_USDC } from '../../core/money.js';
import type { Order } from '../../core/order/order.js';
import type { CancelResult, Exchange, OrderStatusReport, PlaceResult } from '../../ports/exchange.js';
import { disowned, PAPER } from './answers.js';

/** What every fill of this exchange assumes. */
export const WHOLE_AT_LIMIT = 'no_book_whole_at_limit';

/**
 * Simulates an exchange without a known book: a limit order fills completely at its limit price, at once, without a fee.
 * Keeps no state: cash and shares are in the ledger.
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { PaperExchange } from 'stakeport/memory';
 *
 * const stakeport = createStakeport({ paper: new PaperExchange() });
 * ```
 */
export class PaperExchange implements Exchange {
  readonly venue = PAPER;
  readonly local = { lease: () => undefined, arrival: () => null, prepare: async () => {}, decide: wholeAtLimit };
  readonly signing = null;

  closedForMs(): null {
    return null;
  }

  async place(order: Order): Promise<PlaceResult> {
    return wholeAtLimit(order);
  }

  /** Nothing rests here: orders that rest on record came from another source of market data. */
  async cancel(order: Order): Promise<CancelResult> {
    return disowned(order);
  }

  /** Returns false: without books there is no place for a resting order. */
  async adopt(): Promise<boolean> {
    return false;
  }

  async find(): Promise<OrderStatusReport> {
    return { kind: 'absent' };
  }
}

function wholeAtLimit({ id, intent }: Order): PlaceResult {
  const { shares, price, postOnly } = intent;
  const liquidity = postOnly ? 'MAKER' : 'TAKER';
  const execution = { tradeId: `paper-${id}-1`, shares, price, fee: NO_USDC, liquidity, confirmed: true } as const;
  const executions = [{ ...execution, model: WHOLE_AT_LIMIT }];
  return { kind: 'accepted', venueOrderId: `paper-${id}`, executions, failed: [], rest: 'none' };
}
