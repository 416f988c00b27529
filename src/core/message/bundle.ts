import { FillItem } from './fill-item.js';
import type { MessageItem } from './message-item.js';
import type { News, NewsData, TimeOfDay } from './news.js';
import { ResultItem } from './result-item.js';
import { SingleItem } from './single-item.js';

/** So many lines are kept of one bundle; what comes beyond them is counted. */
const MOST_ITEMS = 300;

/** Events that are told in one message: fills of one order as one line, and so what a result made of one outcome. */
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

  /** How many events are not among the lines. */
  get beyond(): number {
    return this.#beyond;
  }
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
