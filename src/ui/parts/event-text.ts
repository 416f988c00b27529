import type { WireDecision, WireLoggedEvent, WireOrder } from '../../adapters/http/answers.js';
import { dollarText, microOf, plainDecimal } from '../state/amounts.js';
import { webhookPlace } from '../state/webhook-place.js';

/** What an event says, in a sentence. */
export function eventText({ data }: WireLoggedEvent): string {
  const { order, event, strategy, trading, alarm, approval, decision } = data;
  if (order !== undefined) return `${orderText(order)}${event?.reason ? `: ${event.reason}` : ''}`;
  if (strategy !== undefined) return `${strategy.name}, version ${strategy.version}`;
  if (trading !== undefined) return `${trading.scope} is ${trading.state}: ${trading.reason}`;
  if (alarm !== undefined) return `${alarm.title}: ${alarm.detail}`;
  if (approval !== undefined) return `${decidedText(approval.decision)}, ${approval.state}`;
  if (decision !== undefined) return `${decidedText(decision)} at ${decision.price ?? '?'}`;
  return textOfAccount(data);
}

/** What a decision is about: the outcome, the game and the market. */
export function decidedText(decision: Pick<WireDecision, 'outcome_label' | 'token' | 'question' | 'event'>): string {
  const { outcome_label: label, token, question, event } = decision;
  const name = label ?? token;
  const places = [...new Set([event, question])].filter((place) => place !== null && place !== name);
  return [name, ...places].join(', ');
}

/** What an event says of the account itself. */
function textOfAccount({ cash, account, losses, key, webhook }: WireLoggedEvent['data']): string {
  if (cash !== undefined) return `${cash.paper ? 'PAPER' : 'LIVE'} ${cash.amount_usdc} USDC`;
  if (account !== undefined) return accountText(account);
  if (losses !== undefined) return `${losses.paper ? 'PAPER' : 'LIVE'} losses are counted from here`;
  if (webhook !== undefined) return `${webhookPlace(webhook)}, ${webhook.state}${because(webhook.disabled_because)}`;
  return key === undefined ? '' : `${key.id} of ${key.account}: ${key.scopes.join(', ')}`;
}

const because = (text: string | null): string => (text === null ? '' : `: ${text}`);

function accountText({ halt, limits }: NonNullable<WireLoggedEvent['data']['account']>): string {
  const set = Object.entries(limits ?? {}).filter(([, value]) => value !== null);
  const words = set.map(([name, value]) => `${name.replace(/_usdc$/, '').replace(/_/g, ' ')} ${value}`);
  if (halt !== null) return `LIVE is halted: ${halt.message}`;
  return words.length === 0 ? 'no limits' : `limits: ${words.join(', ')}`;
}

/** An order in a line: what it buys, for how much, and how far it came. */
export function orderText(order: WireOrder): string {
  const { side, outcome_label, token, price, size_usdc, status, paper } = order;
  const size = dollarText(microOf(size_usdc));
  return `${paper ? 'PAPER' : 'LIVE'} ${side} ${outcome_label ?? token} ${size} USDC at ${plainDecimal(price)}, ${status}`;
}
