import type { WireOrderEvent } from '../../adapters/http/answers.js';
import { withShortIds } from '../../core/ids.js';
import { LIMIT_NAMES, LIMITS } from '../../core/limits/limits.js';
import { BASIC_LABELS, labelAt } from './strategy-draft.js';

/** What sentences of the service say of the API or of a terminal, and where the page has it. */
const PLACES: readonly (readonly [said: RegExp, onPage: string])[] = [
  [/ To approve: stakeport approve \S+$/, ''],
  [/`?GET \/v1\/trading\/state`?/, 'Trading on the overview'],
  [/`?POST \/v1\/trading\/state`? with its scope and `?active`?/, 'Resume on its page'],
  [/POST \/v1\/trading\/state with this scope and active/, 'Resume at the top, or on the page of the strategy'],
  [/`?POST \/v1\/trading\/state`?/, 'Resume at the top'],
  [/`?GET \/v1\/portfolio`?/, 'the page Positions'],
  [/ with `?PUT \/v1\/limits`?/, ' on the page System'],
  [/stakeport webhooks enable ID/, 'Enable on the page System'],
  [/\bstrategy:([0-9a-f-]{8,36})/, 'strategy $1'],
  [/\bsport:(?=\S)/, 'markets of '],
  // The code of a refusal, before which money of an event stands.
  [/ \([a-z]+(?:_[a-z]+)*\)(?=, (?:paper|play money|real money)\b)/, ''],
];

/** Members of the API that sentences name, as the page calls them. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ...LIMIT_NAMES.map((name) => [LIMITS[name].shown, LIMITS[name].label] as const),
  ['stake_cap', BASIC_LABELS.stake_cap],
  ['bankroll_cap', BASIC_LABELS.bankroll_cap],
  ['limits.event_loss', labelAt('/rules/limits/event_loss')],
  ['limits.daily_loss', labelAt('/rules/limits/daily_loss')],
  ['size_usdc', 'Size in USDC'],
  ['expires_at', 'Ends at'],
  ['terms.tick', 'Step of its prices'],
  ['terms.min_shares', 'Least shares of an order'],
  ['terms.min_notional_usdc', 'Least worth of an order'],
]);

const NAME = /`?((?:terms|limits)\.[a-z_]+|[a-z]+(?:_[a-z]+)+)`?/g;
const MOMENT = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z/g;

/** A sentence of the service as the page says it: no paths, members or codes of the API, moments as on the page, ids by their ends. */
export function onPage(text: string): string {
  const placed = PLACES.reduce((before, [said, there]) => before.replace(said, there), text);
  const named = placed.replace(NAME, (whole, name: string) => {
    const label = MEMBERS.get(name);
    return label === undefined ? whole : `“${label}”`;
  });
  return withShortIds(named.replace(MOMENT, '$1 $2 UTC'));
}

/** Why an order was refused or ended, without the code at the beginning. */
export const refusalOnPage = (error: string): string => onPage(error.replace(/^[a-z]+(?:_[a-z]+)*: /, ''));

/** Kinds of events whose own names say little. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  'order.requested': 'Order recorded',
  'order.submitting': 'Order on its way',
  'order.fill': 'Order filled',
  'order.fill_confirmed': 'Fill confirmed',
  'order.fill_voided': 'Fill undone by the venue',
  'order.cancel_requested': 'Cancellation asked for',
  'order.cancel_refused': 'Order not cancelled',
  'order.amended': 'Result corrected',
  'account.live_allowed': 'Live trading allowed',
  'account.live_disallowed': 'Live trading no longer allowed',
  'account.halted': 'Live trading halted',
  'account.released': 'Live trading released',
  'account.limits_changed': 'Limits changed',
  'cash.reset': 'Paper account reset',
  'decision.bet': 'Bet decided',
  'decision.exit': 'Sale decided',
  'approval.waiting': 'Bet waits for approval',
  'approval.approved': 'Bet approved',
  'approval.rejected': 'Bet rejected',
  'approval.refused': 'Bet not placed',
  'trading.state': 'Trading stopped or let go on',
  'alarm.cleared': 'Alarm over',
};

/** What happened, by the kind of an event. */
export function eventName(type: string): string {
  const words = EVENT_WORDS[type] ?? type.replace(/[._]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What an act came to: its event, by its number. */
export const eventText = ({ type, seq }: { readonly type: string; readonly seq: string }): string =>
  `${eventName(type)}, event ${seq}`;

type Fact = WireOrderEvent['data'][string];

/** What an event of an order adds, by the names of the API; null where it says nothing to a person. */
const FACTS: Readonly<Record<string, (value: Fact) => string | null>> = {
  shares: (value) => `${value} shares`,
  price: (value) => `at ${value}`,
  size_usdc: (value) => `${value} USDC`,
  fee_usdc: (value) => `fee ${value} USDC`,
  return_usdc: (value) => `${value} USDC came back`,
  liquidity: (value) => (value === 'MAKER' ? 'it had waited in the book' : 'taken from the book'),
  settlement: (value) => (value === 'confirmed' ? null : String(value)),
  delayed: (value) => (value === true ? 'the venue holds it back for a moment' : null),
  clob_order_id: (value) => `id at the venue ${value}`,
  trade_id: (value) => `trade ${value}`,
  fill_model: (value) => modelText(String(value)),
};

/** What an event of an order adds, in words. */
export const factsText = (data: WireOrderEvent['data']): string =>
  Object.entries(data)
    .flatMap(([name, value]) => {
      if (value === null || value === '') return [];
      const text = FACTS[name]?.(value);
      return text === undefined ? [`${name.replaceAll('_', ' ')} ${value}`] : (text ?? []);
    })
    .join(', ');

/** What a simulated fill assumed, of its one word and its numbers. */
function modelText(model: string): string {
  const [kind, ...parts] = model.split(';');
  const numbers = Object.fromEntries(parts.map((part) => part.split('=')));
  const { latency_ms: latency, delay_s: delay = '0', ahead, evidence } = numbers;
  const proof = evidence === undefined ? '' : `, as far as ${evidence.replaceAll('_', ' ')} show`;
  if (kind === 'book_walk')
    return `by the book ${latency} ms after it was sent${delay === '0' ? '' : ` and ${delay} s of delay`}${proof}`;
  if (kind === 'queue_traded') return `once trades had served the ${ahead} shares before it${proof}`;
  if (kind === 'queue_crossed') return `once the market had moved past its price${proof}`;
  return model;
}
