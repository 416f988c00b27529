import { formatMicro } from '../money.js';
import type { OrderChange } from '../order/event.js';
import type { Refusal } from '../order/order.js';
import type { News, NewsData } from './news.js';
import { orderName, orderTail } from './order-words.js';
import { plainText } from './plain-text.js';

type OrderNews = Extract<NewsData, { kind: 'order' }>;

/** What happened to an order, in words that follow its name. */
export function orderWords({ order, event }: OrderNews, { strategy }: Pick<News, 'strategy'>): string {
  const { intent } = order;
  return `${orderName(intent)} ${changeWords(event.change, intent.venue)}${orderTail(intent, strategy)}`;
}

function changeWords(change: OrderChange, venue: string): string {
  switch (change.type) {
    case 'requested':
      return 'requested';
    case 'submitting':
      return `is sent to ${venue}`;
    case 'accepted':
      return change.delayed ? `accepted by ${venue}, which holds it back for a moment` : `accepted by ${venue}`;
    case 'denied':
      return `denied: ${reasonOf(change.refusal)}`;
    case 'rejected':
      return `rejected by ${venue}: ${reasonOf(change.refusal)}`;
    case 'unknown':
      return `unknown: ${reasonOf(change.refusal)}`;
    case 'cancel_requested':
      return 'is being cancelled';
    case 'cancelled':
    case 'expired':
      return `${change.type}: ${plainText(change.reason)}`;
    case 'cancel_refused':
      return `not cancelled: ${plainText(change.reason)}`;
    case 'fill':
      return `filled with ${formatMicro(change.fill.shares)} shares`;
    case 'fill_confirmed':
      return 'has a confirmed fill';
    case 'fill_voided':
      return `lost a fill, which the venue undid: ${plainText(change.reason)}`;
    case 'settled':
    case 'amended':
      return `${change.type}: ${formatMicro(change.returned)} USDC came back`;
  }
}

const reasonOf = ({ code, message }: Refusal): string => `${withoutStop(plainText(message))} (${code})`;

/** Other words follow. */
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');
