import type { WireEvent } from './client/wire.js';
import { moneyShown, outcomeShown } from './output/shown.js';
import { destinationShown } from './webhooks/webhook-output.js';

type Of<Member extends string> = Extract<WireEvent['data'], Record<Member, unknown>>;

/** What an event is about, in one line for a person. */
export function wordsOfEvent({ type, data }: WireEvent): string {
  if ('order' in data) return wordsOfOrder(data);
  if ('strategy' in data) return `${data.strategy.name} v${data.strategy.version}`;
  if ('decision' in data) return `${data.decision.verdict} ${decidedOn(data.decision)}`;
  if ('approval' in data) return decidedOn(data.approval.decision);
  if ('cash' in data) return `${moneyShown(data.cash.paper)} ${data.cash.amount_usdc} USDC`;
  if ('trading' in data) return `${data.trading.scope} ${data.trading.state}: ${data.trading.reason}`;
  if ('losses' in data)
    return `${moneyShown(data.losses.paper)} ${data.losses.day ?? 'none'} from ${data.losses.start_usdc} USDC`;
  if ('alarm' in data) return type === 'alarm.cleared' ? data.alarm.title : `${data.alarm.title}: ${data.alarm.detail}`;
  if ('key' in data) return `${data.key.id} ${data.key.scopes.join(',')}`;
  if ('webhook' in data) return wordsOfWebhook(type, data);
  return wordsOfAccount(data);
}

function wordsOfOrder({ order, event }: Of<'order'>): string {
  const market = order.market_slug ?? order.market_id;
  const what = `${moneyShown(order.paper)} ${order.side} ${outcomeOf(order)} ${market}`;
  const { shares, price } = event.data;
  if (event.type === 'fill') return `${what}: ${shares} at ${price}, ${order.status}`;
  return event.reason === null ? `${what}: ${order.status}` : `${what}: ${event.reason}`;
}

function wordsOfWebhook(type: WireEvent['type'], { webhook }: Of<'webhook'>): string {
  const { state, disabled_because: why, skipped } = webhook;
  const to = destinationShown(webhook);
  if (type === 'webhook.skipped' && skipped !== null)
    return `${to}: events ${skipped.from} to ${skipped.to} ${skipped.because.replace('_', ' ')}`;
  return why === null ? `${to}: ${state}` : `${to}: ${state}. ${why}`;
}

function wordsOfAccount({ account: { halt, live_enabled: live } }: Of<'account'>): string {
  if (halt !== null) return `halted: ${halt.message}`;
  return live ? 'may trade with real money' : 'on paper only';
}

/** The outcome, the game and the question; the id of the market where neither is known. */
function decidedOn(decision: Of<'decision'>['decision']): string {
  const places = [decision.event, decision.question].filter((place) => place !== null);
  return [outcomeOf(decision), ...(places.length === 0 ? [decision.market_id] : new Set(places))].join(', ');
}

const outcomeOf = ({ token, outcome_label: label }: { token: string; outcome_label: string | null }): string =>
  outcomeShown(token, label);
