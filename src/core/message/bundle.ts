import type { AlarmRecord } from '../alarm/alarm.js';
import { ALARM_MEANINGS } from '../alarm/meanings.js';
import { payoutFor } from '../market/lifecycle.js';
import type { Side } from '../market/side.js';
import { formatMicro, NO_SHARES, NO_USDC, ONE, plus, type Shares, type Usdc } from '../money.js';
import type { Fill, Intent, Order } from '../order/order.js';
import { orderedWords, orderTail, plainText } from '../order/order-words.js';
import type { Approval } from '../strategy/record/approval.js';
import { alarmedWords, eventWords } from './event-words.js';
import type { News, NewsData, TimeOfDay } from './interest.js';
import { gainedText, priceWords, profitText, spentText, type Traded } from './message-text.js';

/** A line of a message, which several events may share. */
export interface MessageItem {
  /** The line with one more event. */
  with(news: News): MessageItem;
  words(time: TimeOfDay): string;
}

/** How many lines are kept of one bundle; what comes beyond them is counted. */
const MOST_ITEMS = 300;

/** Events for one message: fills of one order as one line, and likewise what a result made of one outcome. */
export class Bundle {
  readonly #items = new Map<string, MessageItem>();
  #beyond = 0;

  /** Adds an event, to its line where it has one already. */
  add(news: News): void {
    const name = nameOf(news);
    const item = this.#items.get(name);
    if (item !== undefined) this.#items.set(name, item.with(news));
    else if (this.#items.size >= MOST_ITEMS) this.#beyond += 1;
    else this.#items.set(name, itemOf(news));
  }

  /** Adds a line of its own. */
  note(line: string): void {
    this.#items.set(line, noted(line));
  }

  /** Its lines, in the order in which the first event of each happened. */
  lines(time: TimeOfDay): readonly string[] {
    return [...this.#items.values()].map((item) => item.words(time));
  }

  /** The bets that wait for the person, each with its line. */
  asked(time: TimeOfDay): readonly AskedBet[] {
    return [...this.#items.values()].flatMap((item) => {
      const approval = item instanceof SingleItem ? item.asked : null;
      return approval === null ? [] : [{ line: item.words(time), approval }];
    });
  }

  /** How many events are not among the lines. */
  get beyond(): number {
    return this.#beyond;
  }
}

/** A bet that waits for a person, and its line in a message. */
export interface AskedBet {
  readonly line: string;
  readonly approval: Approval;
}

const noted = (line: string): MessageItem => ({ with: () => noted(line), words: () => line });

function itemOf(news: News): MessageItem {
  if (news.type === 'order.fill') return FillItem.EMPTY.with(news);
  return isResult(news) ? ResultItem.EMPTY.with(news) : SingleItem.of(news);
}

const isResult = ({ type }: News): boolean => type === 'order.settled' || type === 'order.amended';

/** Events of one name share a line. */
function nameOf({ seq, type, data, strategy }: News): string {
  if (type === 'order.fill' && data.kind === 'order') return `fill ${data.order.id}`;
  if (data.kind === 'order' && (type === 'order.settled' || type === 'order.amended'))
    return `result ${resultName(data)} ${strategy}`;
  if (data.kind === 'alarm') return `alarm ${data.alarm.kind} ${data.alarm.subject}`;
  return data.kind === 'approval' ? `approval ${data.approval.id}` : `${seq}`;
}

function resultName({ order: { intent } }: Extract<NewsData, { kind: 'order' }>): string {
  const { paper, venue, marketId, outcome, strategy } = intent;
  return [paper, venue, marketId, outcome, strategy?.id ?? '', strategy?.version ?? ''].join(' ');
}

/** Fills of one order, summed. */
interface FillSum extends Traded {
  readonly order: Order;
  readonly strategy: string | null;
  readonly count: number;
  readonly notional: Usdc;
  readonly fees: Usdc;
}

/** A line for the fills of one order: `BUY 35.08 Arsenal – Chelsea: Arsenal at 0.57 filled: 20.00 USDC, paper, Home favourites v3`. */
class FillItem implements MessageItem {
  private constructor(private readonly sum: FillSum | null) {}

  /** The item before the first fill. */
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
    const what = `${intent.side} ${formatMicro(shares)}${many} ${orderedWords(intent)} ${priceWords(this.sum)}`;
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

/** A line for what a result made of the orders on one outcome: of purchases, and of what was sold again before. */
class ResultItem implements MessageItem {
  private constructor(
    private readonly about: About | null,
    private readonly trades: ReadonlyMap<string, Trade>,
    private readonly isAmended: boolean,
  ) {}

  /** The item before the first order. */
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
    return `${again}${orderedWords(intent)} ${resultWords(summed([...this.trades.values()]))}${orderTail(intent, strategy)}`;
  }
}

/** What a settled order cost and returned. */
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
  // Purchases that are not among them are reported in another message, with their cost.
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

/** A line for the newest of several events that are about one thing, such as an approval. */
class SingleItem implements MessageItem {
  private constructor(private readonly news: News) {}

  /** The line for this event. */
  static of(news: News): SingleItem {
    return new SingleItem(news);
  }

  with(news: News): MessageItem {
    return isOver(this.news, news) ? new OverItem(news) : new SingleItem(news);
  }

  words(time: TimeOfDay): string {
    return eventWords(this.news, time);
  }

  /** Null where the news is no bet that waits. */
  get asked(): Approval | null {
    const { type, data } = this.news;
    return type === 'approval.waiting' && data.kind === 'approval' ? data.approval : null;
  }
}

/** A line for an alarm that was raised, and cleared before it was reported. */
class OverItem implements MessageItem {
  constructor(private readonly news: News) {}

  with(news: News): MessageItem {
    return news.type === 'alarm.cleared' ? new OverItem(news) : SingleItem.of(news);
  }

  words(): string {
    const { data } = this.news;
    return data.kind === 'alarm' ? overWords(data.alarm) : '';
  }
}

const isOver = (before: News, now: News): boolean => before.type === 'alarm.raised' && now.type === 'alarm.cleared';

function overWords(alarm: AlarmRecord): string {
  const { kind, detail } = alarm;
  return `Raised, and over again: ${ALARM_MEANINGS[kind].title}${alarmedWords(alarm)}. ${plainText(detail)}`;
}
