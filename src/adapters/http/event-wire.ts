import * as v from 'valibot';
import { COMMAND_REFUSAL_CODES } from '../../core/endpoint/command.js';
import type { EventData, LoggedEvent } from '../../core/ledger/event-log.js';
import { EVENT_TYPES, type EventType } from '../../core/ledger/event-log.js';
import { eventWords } from '../../core/message/event-words.js';
import { formatMicro } from '../../core/money.js';
import { warningsOf } from '../../core/strategy/explain/warnings.js';
import type { EventPage, LatestEvents } from '../../core/usecases/accounts/read-events.js';
import { alarmOut, presentAlarm } from './alarm-wire.js';
import { approvalOut, presentApproval } from './approval-wire.js';
import { decisionOut, presentDecision } from './decision-wire.js';
import { keyOut, presentKey } from './key-wire.js';
import { limitsOut, presentLimits } from './limits-wire.js';
import { orderEventOut, presentOrderEvent } from './order-event-wire.js';
import { orderOut, presentOrder } from './order-wire.js';
import { decimalOut, means, momentOut, seqOut, uuidOut } from './schema.js';
import { presentStrategy, strategyOut } from './strategy-wire.js';
import { liveEnabledOut, presentTradingState, tradingStateOut } from './trading-wire.js';
import { presentWebhook, webhookOut } from './webhook-wire.js';

const haltOut = v.object({
  code: means(v.string(), 'Why, as a stable word.'),
  message: means(v.string(), 'Why, as a sentence.'),
  at: means(momentOut, 'Since when.'),
});

const accountOut = v.object({
  live_enabled: liveEnabledOut,
  halt: means(v.nullable(haltOut), 'Why its orders with real money are stopped; null when they are not.'),
  limits: v.optional(means(limitsOut, 'What it may risk, where that is what changed.')),
});

const lossesOut = v.object({
  paper: means(v.boolean(), 'Whether it is of paper money.'),
  day: means(
    v.nullable(v.string()),
    'The day that began, in the zone of the server; null while nothing is measured.',
    '2026-11-22',
  ),
  start_usdc: means(decimalOut, 'What trading had brought when that day was first measured, sold or not.', '12.5'),
  peak_usdc: means(v.nullable(decimalOut), 'The most that it ever brought; null where no drawdown is limited.', '40'),
});

const cashOut = v.object({
  paper: means(v.boolean(), 'Whether it is paper money.'),
  venue: means(v.nullable(v.string()), 'Where the money is; null on paper.'),
  amount_usdc: means(decimalOut, 'What came; negative what went.', '100'),
  market_id: means(v.nullable(v.string()), 'The market whose shares were redeemed; null where none were.'),
  token: means(v.nullable(v.picklist(['YES', 'NO'])), 'Which of its outcomes; null where none was.'),
});

const commandOut = v.object({
  webhook_id: means(uuidOut, 'The webhook whose chat or bot it came by.'),
  by: means(v.string(), 'Whoever it came from: `telegram:`, the id of the webhook, and the number of the user.'),
  said: means(v.string(), 'What was asked for: a command, or what a button does.', '/halt'),
  because: means(v.picklist(COMMAND_REFUSAL_CODES), 'Why it did nothing; `text` of the event says it as a sentence.'),
});

/** What an event has as `data`, by the part of its type before the dot. */
export const DATA_OF_KIND = {
  order: v.object({
    order: means(orderOut, 'The order right after the event.'),
    event: means(orderEventOut, "The event as it is in the order's own history."),
  }),
  strategy: v.object({ strategy: means(strategyOut, 'The version of the strategy that the event made.') }),
  account: v.object({ account: means(accountOut, 'The account right after the event.') }),
  cash: v.object({ cash: means(cashOut, 'What moved other than by an order; a reset of paper money too.') }),
  decision: v.object({ decision: means(decisionOut, 'The bet, or the sale of one, that a strategy decided on.') }),
  approval: v.object({ approval: means(approvalOut, 'The approval right after the event.') }),
  key: v.object({ key: means(keyOut, 'The API key, without what authenticates.') }),
  trading: v.object({ trading: means(tradingStateOut, 'What was set about trading.') }),
  losses: v.object({ losses: means(lossesOut, 'What the losses of the account are measured from.') }),
  alarm: v.object({ alarm: means(alarmOut, 'The alarm, as it was raised.') }),
  webhook: v.object({ webhook: means(webhookOut, 'The webhook right after the event.') }),
  command: v.object({ command: means(commandOut, 'A command or a press in a chat, which did nothing.') }),
} as const;

type Kind = keyof typeof DATA_OF_KIND;

/** The part of a type of event before the dot. */
export const kindOfType = (type: EventType): Kind => type.slice(0, type.indexOf('.')) as Kind;

/** The schema of the `data` of each type of event. */
export const EVENT_DATA: ReadonlyMap<EventType, v.GenericSchema> = new Map(
  EVENT_TYPES.map((type) => [type, DATA_OF_KIND[kindOfType(type)]]),
);

const TEXT = 'BUY 35.08 Arsenal – Chelsea: Arsenal at 0.57 filled with 35.08 shares, paper';

/** One event of the account's log. */
export const eventOut = v.object({
  id: means(uuidOut, 'A UUIDv7, the same at every read.'),
  seq: means(seqOut, "The number of the event in the account's log: 1, 2, 3 and so on, without holes.", '41'),
  type: means(v.picklist(EVENT_TYPES), 'What happened.', 'order.fill'),
  at: means(momentOut, 'When it happened: for orders, decisions and approvals on a tape, in the time of the tape.'),
  text: means(v.string(), 'What happened, as a sentence for a person. Its words may change.', TEXT),
  data: v.union([
    DATA_OF_KIND.order,
    DATA_OF_KIND.strategy,
    DATA_OF_KIND.account,
    DATA_OF_KIND.cash,
    DATA_OF_KIND.decision,
    DATA_OF_KIND.approval,
    DATA_OF_KIND.key,
    DATA_OF_KIND.trading,
    DATA_OF_KIND.losses,
    DATA_OF_KIND.alarm,
    DATA_OF_KIND.webhook,
    DATA_OF_KIND.command,
  ]),
});

/** A page of events. */
export const eventPageOut = v.object({
  data: v.array(eventOut),
  next_after: means(seqOut, 'The `after` of the next page; with `before`, that of what happens later.', '41'),
  next_before: means(
    v.nullable(seqOut),
    'The `before` of the next page, of older events; null where there are none, and without `before`.',
    '12',
  ),
  head: means(seqOut, "The number of the account's last event: what `next_after` is once all was read.", '97'),
});

/** How a strategy is shown. */
export type PresentStrategy = (
  strategy: Extract<EventData, { kind: 'strategy' }>['strategy'],
) => v.InferInput<typeof strategyOut>;

/** Shows strategies with their warnings; `knownSports` is null where the sports of the venues are not known. */
export function withWarnings(knownSports: readonly string[] | null): PresentStrategy {
  return (strategy) => presentStrategy(strategy, warningsOf(strategy, knownSports));
}

/** The answer for a page of events. */
export function presentEvents({ items, next, head }: EventPage, present: PresentStrategy): object {
  const data = items.map((event) => presentEvent(event, present));
  return { data, next_after: `${next}`, next_before: null, head: `${head}` };
}

/** The answer for a page of events, newest first. */
export function presentLatest({ items, next, head }: LatestEvents, present: PresentStrategy): object {
  const data = items.map((event) => presentEvent(event, present));
  return { data, next_after: `${head}`, next_before: next === null ? null : `${next}`, head: `${head}` };
}

/**
 * Shows events as the API does. `knownSports` gives the sports of the venues, or null where they are not known.
 *
 * @example
 * ```ts
 * import { eventPresenter } from 'stakeport/http';
 *
 * const present = eventPresenter(() => ['soccer']);
 * ```
 */
export const eventPresenter = (knownSports: () => readonly string[] | null) => (event: LoggedEvent) =>
  presentEvent(event, withWarnings(knownSports()));

/** One event as the API shows it. */
export function presentEvent(event: LoggedEvent, present: PresentStrategy): v.InferInput<typeof eventOut> {
  const { id, seq, type, at, data } = event;
  const text = eventWords({ ...event, strategy: null }, timeOf);
  return { id, seq: `${seq}`, type, at: at.toISOString(), text, data: dataOf(data, present) };
}

const [DATE_LENGTH, MINUTE_LENGTH] = [11, 16];

/** `15:10 UTC` */
const timeOf = (at: Date): string => `${at.toISOString().slice(DATE_LENGTH, MINUTE_LENGTH)} UTC`;

function dataOf(data: EventData, present: PresentStrategy): v.InferInput<typeof eventOut>['data'] {
  switch (data.kind) {
    case 'order':
      return { order: presentOrder(data.order), event: presentOrderEvent(data.event) };
    case 'strategy':
      return { strategy: present(data.strategy) };
    case 'account': {
      const { liveEnabled, halt, limits } = data.account;
      const shown = halt === null ? null : { ...halt, at: halt.at.toISOString() };
      const changed = limits === undefined ? {} : { limits: presentLimits(limits) };
      return { account: { live_enabled: liveEnabled, halt: shown, ...changed } };
    }
    case 'cash': {
      const { paper, venue, amount, redeemed } = data.moved;
      const shares = { market_id: redeemed?.marketId ?? null, token: redeemed?.outcome ?? null };
      return { cash: { paper, venue, amount_usdc: formatMicro(amount), ...shares } };
    }
    case 'decision':
      return { decision: presentDecision(data.decision) };
    case 'approval':
      return { approval: presentApproval(data.approval) };
    case 'key':
      return { key: presentKey(data.key) };
    case 'trading':
      return { trading: presentTradingState(data.state) };
    case 'losses': {
      const { paper, day, start, peak } = data.measured;
      const peakUsdc = peak === null ? null : formatMicro(peak);
      return { losses: { paper, day: day === '' ? null : day, start_usdc: formatMicro(start), peak_usdc: peakUsdc } };
    }
    case 'alarm':
      return { alarm: presentAlarm(data.alarm) };
    case 'webhook':
      return { webhook: presentWebhook(data.endpoint) };
    case 'command': {
      const { endpointId, ...refused } = data.refused;
      return { command: { webhook_id: endpointId, ...refused } };
    }
  }
}
