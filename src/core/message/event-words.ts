import type { Account } from '../account/account.js';
import type { AlarmKey, AlarmRecord } from '../alarm/alarm.js';
import { ALARM_MEANINGS } from '../alarm/meanings.js';
import { COMMAND_REFUSALS } from '../endpoint/command.js';
import { placeOf } from '../endpoint/destination.js';
import type { ShownEndpoint } from '../endpoint/endpoint.js';
import { shortId, withShortIds } from '../ids.js';
import type { CashMoved, LoggedKey } from '../ledger/event-log.js';
import { isLimited, LIMIT_NAMES, LIMITS, type Limits } from '../limits/limits.js';
import { moneyAt } from '../market/market.js';
import { formatMicro } from '../money.js';
import type { OrderChange } from '../order/event.js';
import type { Refusal } from '../order/order.js';
import { decidedWords, liveWords, orderName, orderTail, plainText } from '../order/order-words.js';
import { reasonOf } from '../refusals/decision-reason.js';
import type { Approval } from '../strategy/record/approval.js';
import type { Strategy } from '../strategy/strategy.js';
import type { TradingState } from '../trading/state.js';
import type { News, NewsData, TimeOfDay } from './interest.js';
import { gainedText, spentText } from './message-text.js';

/** One event as a line for a person. */
export function eventWords(news: News, time: TimeOfDay): string {
  const { data, type, strategy } = news;
  switch (data.kind) {
    case 'order':
      return orderWords(data, news);
    case 'account':
      return accountWords(type, data.account);
    case 'cash':
      return cashWords(data.moved);
    case 'approval':
      return approvalWords(data.approval, strategy, time);
    case 'trading':
      return tradingWords(data.state, strategy, time);
    case 'alarm':
      return alarmWords(type, data.alarm);
    case 'losses':
      return `Losses, ${liveWords(data.measured.paper)}: measured from ${formatMicro(data.measured.start)} USDC`;
    case 'strategy':
      return `Strategy ${plainText(strategy ?? nameOf(data.strategy))}: ${verbOf(type)}`;
    case 'decision': {
      const action = type === 'decision.exit' ? 'sells' : 'bets on';
      const { decision } = data;
      return `${plainText(strategy ?? 'A strategy')} ${action} ${decidedWords(decision)}: ${reasonOf(decision)}`;
    }
    case 'webhook':
      return webhookWords(type, data.endpoint);
    case 'key':
      return keyWords(type, data.key);
    case 'command':
      return `Refused: ${data.refused.said} by ${data.refused.by}. ${COMMAND_REFUSALS[data.refused.because]}`;
  }
}

const nameOf = ({ name, version }: Strategy): string => `${name} v${version}`;

function webhookWords(type: string, { id, target, disabledBecause: why, skipped }: ShownEndpoint): string {
  const name = `Webhook ${shortId(id)} to ${placeOf(target)}: ${verbOf(type)}`;
  if (type === 'webhook.skipped' && skipped !== null)
    return `${name} the events ${skipped.from} to ${skipped.to}, ${skipped.because.replaceAll('_', ' ')}`;
  return why === null ? name : `${name}. ${plainText(why)}`;
}

const keyWords = (type: string, { id, account, scopes }: LoggedKey): string =>
  `API key ${shortId(id)} of ${plainText(account)}: ${verbOf(type)}, for ${scopes.join(', ')}`;

/** `limits_changed` of `account.limits_changed`, in words. */
const verbOf = (type: string): string => type.slice(type.indexOf('.') + 1).replaceAll('_', ' ');

function accountWords(type: string, { halt, limits }: Account): string {
  if (type === 'account.halted')
    return `HALTED, live: ${halt === null ? 'no reason is on record' : plainText(halt.message)}`;
  if (type === 'account.released') return 'Released: the account may trade live again';
  if (type !== 'account.limits_changed' || limits === undefined) return `Account: ${verbOf(type)}`;
  return isLimited(limits) ? `Limits of the account: ${limitWords(limits).join(', ')}` : 'The account has no limits';
}

function limitWords(limits: Limits): readonly string[] {
  return LIMIT_NAMES.flatMap((name) => {
    const { [name]: limit } = limits;
    const words = LIMITS[name].label.toLowerCase();
    return limit === null ? [] : [`${words} ${typeof limit === 'number' ? limit : formatMicro(limit)}`];
  });
}

function cashWords({ paper, venue, amount, redeemed }: CashMoved): string {
  const at = venue === null ? liveWords(paper) : `${moneyAt({ paper, venue })}, ${venue}`;
  if (redeemed !== undefined) return `Redeemed: ${gainedText(amount)}, ${at}`;
  return amount < 0n ? `Cash out: ${spentText(-amount)}, ${at}` : `Cash in: ${gainedText(amount)}, ${at}`;
}

function approvalWords(
  { id, state, decision, paper, expiresAt }: Approval,
  by: string | null,
  time: TimeOfDay,
): string {
  const name = decidedWords(decision);
  const tail = `${moneyAt({ paper, venue: decision.venue })}${by === null ? '' : `, ${plainText(by)}`}`;
  if (decision.verdict !== 'bet') return `Approval of a bet on ${name} ${state}, ${tail}. ${reasonOf(decision)}`;
  const bet = `BUY ${formatMicro(decision.shares)} ${name} for ${spentText(decision.cost)}`;
  if (state !== 'waiting') return `Approval ${state}: ${bet}, ${tail}`;
  const limit = `at ${formatMicro(decision.price)} or better`;
  return `Approve until ${time(expiresAt)}? ${bet}, ${limit}, ${tail}. To approve: stakeport approve ${shortId(id)}`;
}

function tradingWords({ scope, state, stops, reason, by, until }: TradingState, name: string | null, time: TimeOfDay) {
  const verb = { active: 'Trading again', reducing: 'REDUCING', halted: 'HALTED' }[state];
  const money = state === 'active' || stops === 'all' ? '' : ' (live)';
  const whose = name === null ? plainText(scope) : `strategy ${plainText(name)}`;
  const end = until === null ? '' : `, until ${time(until)}`;
  return `${verb}${money}, ${whose}: ${plainText(reason)}, by ${plainText(by)}${end}`;
}

/** What an alarm is about, in parentheses and with ids cut; empty where its title or its detail names it. */
export const alarmedWords = ({ kind, subject }: AlarmKey): string =>
  subject === '' || kind === 'exit_held_back' ? '' : ` (${plainText(withShortIds(subject))})`;

function alarmWords(type: string, alarm: AlarmRecord) {
  const { title, whatToDo } = ALARM_MEANINGS[alarm.kind];
  const of = alarmedWords(alarm);
  if (type === 'alarm.cleared') return `Over: ${title.toLowerCase()}${of}`;
  return `ALARM: ${title}${of}. ${plainText(alarm.detail)} What to do: ${whatToDo}`;
}

type OrderNews = Extract<NewsData, { kind: 'order' }>;

/** What happened to an order, in words that follow its name. */
function orderWords({ order, event }: OrderNews, { strategy }: Pick<News, 'strategy'>): string {
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
      return `denied: ${refusalWords(change.refusal)}`;
    case 'rejected':
      return `rejected by ${venue}: ${refusalWords(change.refusal)}`;
    case 'unknown':
      return `unknown: ${refusalWords(change.refusal)}`;
    case 'cancel_requested':
      return 'is being cancelled';
    case 'cancelled':
    case 'expired':
      return `${change.type}: ${plainText(change.reason)}`;
    case 'cancel_refused':
      return `not cancelled: ${plainText(change.reason)}`;
    case 'fill':
      return `filled with ${formatMicro(change.fill.shares)} shares at ${formatMicro(change.fill.price)}`;
    case 'fill_confirmed':
      return 'has a confirmed fill';
    case 'fill_voided':
      return `lost a fill, which the venue undid: ${plainText(change.reason)}`;
    case 'settled':
    case 'amended':
      return `${change.type}: ${formatMicro(change.returned)} USDC came back`;
  }
}

const refusalWords = ({ code, message }: Refusal): string => `${withoutStop(plainText(message))} (${code})`;

/** Other words follow. */
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');
