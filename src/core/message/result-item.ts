import { payoutFor } from '../market/resolution.js';
import type { Side } from '../market/side.js';
import { formatMicro, NO_SHARES, NO_USDC, ONE, plus, type Shares, type Usdc } from '../money.js';
import type { Intent } from '../order/intent.js';
import type { Order } from '../order/order.js';
import { gainedText, profitText, spentText } from './amount-text.js';
import type { MessageItem } from './message-item.js';
import type { News } from './news.js';
import { orderTail, outcomeWords } from './order-words.js';

/** Which orders a line is about. */
interface About {
  readonly intent: Intent;
  readonly strategy: string | null;
}

/** What the fills of an order moved, and what its result returned. */
interface Trade {
  readonly side: Side;
  readonly shares: Shares;
  /** With fees. */
  readonly cost: Usdc;
  readonly returned: Usdc;
}

/** Tells what a result made of the orders on one outcome: of purchases, and of what was sold again before. */
export class ResultItem implements MessageItem {
  private constructor(
    private readonly about: About | null,
    private readonly trades: ReadonlyMap<string, Trade>,
    private readonly isAmended: boolean,
  ) {}

  /** Before the first order. */
  static readonly EMPTY = new ResultItem(null, new Map(), false);

  with({ type, data, strategy }: News): ResultItem {
    if (data.kind !== 'order') return this;
    const { id, intent } = data.order;
    // An amendment takes the place of the result before it.
    const trades = new Map(this.trades).set(id, tradeOf(data.order));
    return new ResultItem({ intent, strategy }, trades, this.isAmended || type === 'order.amended');
  }

  words(): string {
    if (this.about === null) return '';
    const { intent, strategy } = this.about;
    const again = this.isAmended ? 'The result was changed: ' : '';
    return `${again}${outcomeWords(intent)} ${resultWords(summed([...this.trades.values()]))}${orderTail(intent, strategy)}`;
  }
}

/** Of a settled order. */
function tradeOf({ intent, filled, settlement }: Order): Trade {
  const cost = plus(filled.notional, filled.fees);
  return { side: intent.side, shares: filled.shares, cost, returned: settlement?.returned ?? NO_USDC };
}

/** What settled orders on one outcome add up to; `returned` is what the result pays for all that was bought. */
interface Totals {
  readonly bought: Shares;
  readonly cost: Usdc;
  readonly sold: Shares;
  readonly proceeds: Usdc;
  readonly returned: Usdc;
}

function summed(trades: readonly Trade[]): Totals {
  const purchases = trades.filter(({ side }) => side === 'BUY');
  const sales = trades.filter(({ side }) => side === 'SELL');
  const sum = (of: readonly Trade[], amount: 'cost' | 'returned') =>
    of.reduce((total, trade) => plus(total, trade[amount]), NO_USDC);
  const shares = (of: readonly Trade[]) => of.reduce((total, trade) => plus(total, trade.shares), NO_SHARES);
  return {
    bought: shares(purchases),
    cost: sum(purchases, 'cost'),
    returned: sum(purchases, 'returned'),
    sold: shares(sales),
    proceeds: sum(sales, 'returned'),
  };
}

function resultWords({ bought, cost, sold, proceeds, returned }: Totals): string {
  // Purchases that are not among them are told in another message, with their cost.
  if (bought === NO_SHARES || sold > bought)
    return `has a result: ${formatMicro(sold)} shares were sold before it for ${gainedText(proceeds)}`;
  const paid = returned - paidFor(sold, bought, returned);
  const bet = `${formatMicro(bought)} shares for ${spentText(cost)}`;
  const verdict = verdictOf(bought, returned);
  const profit = `profit ${profitText(paid + proceeds - cost)}`;
  if (sold === NO_SHARES) return `${verdict}: ${bet} paid ${gainedText(returned)}, ${profit}`;
  const rest = sold === bought ? '' : ` and the rest paid ${gainedText(paid)}`;
  return `${verdict}: of ${bet}, ${formatMicro(sold)} were sold for ${gainedText(proceeds)}${rest}, ${profit}`;
}

/** What the result would have paid for shares that were sold before it. */
const paidFor = (sold: Shares, bought: Shares, returned: Usdc): bigint => (sold * returned) / bought;

function verdictOf(bought: Shares, returned: Usdc): string {
  if (returned === NO_USDC) return 'lost';
  const isWhole = returned === payoutFor(bought, ONE as Usdc);
  return isWhole ? 'won' : `pays ${formatMicro((returned * ONE) / bought)} a share`;
}
