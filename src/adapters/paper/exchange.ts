import type { Order } from '../../core/order/order.js';
import type { Cancellation, Exchange, Placement, Sighting } from '../../ports/exchange.js';

/** What every fill of this exchange assumes. */
export const WHOLE_AT_LIMIT = 'no_book_whole_at_limit';

/**
 * Simulates an exchange of which no book is known: a limit order fills whole at its limit price, at once, without a fee.
 * It keeps nothing of its own: cash and shares are the ledger's.
 */
export class PaperExchange implements Exchange {
  readonly venue = 'paper';
  readonly local = true;

  async place({ id, intent }: Order): Promise<Placement> {
    const { shares, price, postOnly } = intent;
    const execution = {
      tradeId: `paper-${id}-1`,
      shares,
      price,
      fee: 0n as typeof intent.size,
      liquidity: postOnly ? 'MAKER' : 'TAKER',
      confirmed: true,
      model: WHOLE_AT_LIMIT,
    } as const;
    return { kind: 'accepted', venueOrderId: `paper-${id}`, executions: [execution], rest: 'none' };
  }

  async cancel(): Promise<Cancellation> {
    return { kind: 'refused', reason: 'a paper order without a book fills at once and never rests' };
  }

  async find(): Promise<Sighting> {
    return { kind: 'absent' };
  }
}
