import { formatMicro, NO_SHARES, NO_USDC, plus, type Usdc } from '../money.js';
import type { Fill } from '../order/fill.js';
import type { Order } from '../order/order.js';
import { gainedText, priceWords, spentText, type Traded } from './amount-text.js';
import type { MessageItem } from './message-item.js';
import type { News } from './news.js';
import { orderTail, outcomeWords } from './order-words.js';

/** Fills of one order, summed. */
interface FillSum extends Traded {
  readonly order: Order;
  readonly strategy: string | null;
  readonly count: number;
  readonly notional: Usdc;
  readonly fees: Usdc;
}

/** Tells the fills of one order as one: `BUY 35.08 Arsenal YES at 0.57 filled: 20.00 USDC, paper, Home favourites v3`. */
export class FillItem implements MessageItem {
  private constructor(private readonly sum: FillSum | null) {}

  /** Before the first fill. */
  static readonly EMPTY = new FillItem(null);

  with({ data, strategy }: News): FillItem {
    if (data.kind !== 'order' || data.event.change.type !== 'fill') return this;
    const { fill } = data.event.change;
    const before = this.sum ?? nothingOf(fill);
    return new FillItem({
      order: data.order,
      strategy,
      count: before.count + 1,
      shares: plus(before.shares, fill.shares),
      worth: before.worth + fill.shares * fill.price,
      price: before.price === fill.price ? fill.price : null,
      notional: plus(before.notional, fill.notional),
      fees: plus(before.fees, fill.fee),
    });
  }

  words(): string {
    if (this.sum === null) return '';
    const { order, strategy, shares, notional, fees, count } = this.sum;
    const { intent } = order;
    const isWhole = shares >= intent.shares || (order.state === 'filled' && shares === order.filled.shares);
    const many = isWhole ? '' : ` of ${formatMicro(intent.shares)}`;
    const what = `${intent.side} ${formatMicro(shares)}${many} ${outcomeWords(intent)} ${priceWords(this.sum)}`;
    const money = intent.side === 'BUY' ? spentText(notional) : gainedText(notional);
    const fee = fees === NO_USDC ? '' : ` and ${spentText(fees)} of fees`;
    const fills = count === 1 ? '' : ` in ${count} fills`;
    return `${what} filled: ${money}${fee}${fills}${orderTail(intent, strategy)}`;
  }
}

const nothingOf = ({ price }: Fill) => ({
  count: 0,
  shares: NO_SHARES,
  worth: 0n,
  price,
  notional: NO_USDC,
  fees: NO_USDC,
});
