import type { ApiKey } from '../access/api-key.js';
import type { JournalCause, JournalEntry } from '../account/account.js';
import { type Account, SERVICE, tradingFor } from '../account/account.js';
import { alarmsOf } from '../account/account-alarms.js';
import { type AlarmRecord, alarmsBeyond } from '../alarm/alarm.js';
import { endpointEventType, shownEndpoint } from '../endpoint/endpoint.js';
import { InvariantBroken } from '../errors.js';
import type { AccountId } from '../ids.js';
import { lossRecords } from '../limits/counted.js';
import type { Usdc } from '../money.js';
import type { DecisionRecord } from '../strategy/record/decision-record.js';
import type { Strategy } from '../strategy/strategy.js';
import type { Decision, Scope, Snapshot } from './decision.js';
import type { CashMoved, EventType, NewEvent } from './event-log.js';

const CASH_EVENTS: Partial<Record<JournalCause, EventType>> = {
  deposit: 'cash.deposited',
  withdrawal: 'cash.withdrawn',
  redemption: 'cash.redeemed',
  reset: 'cash.reset',
};

/**
 * What a decision adds to the event log: derived from its changes here, so that no use case can forget to.
 * @throws InvariantBroken for an API key of an account whose log the scope does not name
 */
export function eventsIn(scope: Scope, decision: Decision<unknown>, now: Snapshot): NewEvent[] {
  const { account } = scope;
  const found: NewEvent[] = [];
  for (const { orderId: id, seq, change } of decision.events ?? [])
    found.push({ account, type: `order.${change.type}`, subject: { kind: 'order', id, seq } });
  for (const strategy of decision.strategies ?? []) found.push(strategyEvent(strategy, now.strategy(strategy.id)));
  for (const changed of decision.accounts ?? []) {
    const events = accountEvents(stored(changed, now), changed);
    found.push(...events);
    if (changed.id === SERVICE) found.push(...readersOf(scope).flatMap((reader) => events.map(inLogOf(reader))));
  }
  for (const entry of decision.entries ?? []) found.push(...cashEvents(entry, decision, now));
  found.push(...betEvents(account, decision));
  for (const key of decision.keys ?? []) found.push(keyEvent(scope, key));
  for (const one of decision.endpoints ?? []) {
    const type = endpointEventType(one, now.endpoint(one.id));
    found.push({ account, type, subject: { kind: 'webhook', endpoint: shownEndpoint(one) } });
  }
  found.push(...commandEvents(account, decision));
  return found;
}

/** Nobody reads the log of the service by itself: who changed it, and who is to know, finds that in the own log. */
const readersOf = ({ account, logs = [] }: Scope): readonly AccountId[] =>
  [...new Set([account, ...logs])].filter((reader) => reader !== SERVICE);

const inLogOf =
  (account: AccountId) =>
  (event: NewEvent): NewEvent => ({ ...event, account });

const commandEvents = (account: AccountId, { refusedCommands = [] }: Decision<unknown>): NewEvent[] =>
  refusedCommands.map((refused) => ({ account, type: 'command.refused', subject: { kind: 'command', refused } }));

function betEvents(account: AccountId, { decisions = [], approvals = [] }: Decision<unknown>): NewEvent[] {
  const found: NewEvent[] = [];
  for (const one of decisions)
    if (one.verdict === 'bet' && isMade(one))
      found.push({ account, type: eventOf(one), subject: { kind: 'decision', id: one.id } });
  for (const approval of approvals)
    found.push({ account, type: `approval.${approval.state}`, subject: { kind: 'approval', approval } });
  return found;
}

/** A bet that waits for approval is not made yet. */
const isMade = ({ orderId, approvalId }: DecisionRecord): boolean => orderId !== null || approvalId === null;

/** A bet without a slot is the sale of one. */
const eventOf = ({ slot }: DecisionRecord): EventType => (slot === null ? 'decision.exit' : 'decision.bet');

function strategyEvent(strategy: Strategy, before: Strategy | undefined): NewEvent {
  const { account, id, version, isPaused, archivedAt } = strategy;
  const subject = { kind: 'strategy', id, version } as const;
  if (before === undefined) return { account, type: 'strategy.created', subject };
  if (archivedAt !== null) return { account, type: 'strategy.archived', subject };
  if (isPaused === before.isPaused) return { account, type: 'strategy.changed', subject };
  return { account, type: isPaused ? 'strategy.paused' : 'strategy.resumed', subject };
}

const stored = ({ id }: Account, now: Snapshot): Account =>
  id === SERVICE ? (now.service ?? now.account) : now.account;

function accountEvents(before: Account, changed: Account): NewEvent[] {
  const { limits, trading, losses: _, alarms: __, ...after } = changed;
  const of = (type: EventType): NewEvent => ({ account: after.id, type, subject: { kind: 'account', account: after } });
  const account = { ...after, limits };
  const last = trading?.last ?? null;
  const allowed = after.liveEnabled ? 'account.live_allowed' : 'account.live_disallowed';
  const halt = after.halt === null ? 'account.released' : 'account.halted';
  return [
    ...(after.liveEnabled === before.liveEnabled ? [] : [of(allowed)]),
    ...((after.halt === null) === (before.halt === null) ? [] : [of(halt)]),
    ...(limits === before.limits
      ? []
      : [{ account: after.id, type: 'account.limits_changed', subject: { kind: 'account', account } } as const]),
    ...(last === null || last === tradingFor(before).last
      ? []
      : [{ account: after.id, type: 'trading.state', subject: { kind: 'trading', state: last } } as const]),
    ...lossRecords(before, changed).map(
      (measured): NewEvent => ({ account: after.id, type: 'losses.measured', subject: { kind: 'losses', measured } }),
    ),
    ...alarmEvents(before, changed),
  ];
}

/** The alarms raised and cleared by a change; only the record about trading is compared, which an order with real money may change. */
function alarmEvents(before: Account, after: Account): NewEvent[] {
  const { halt, trading, alarms } = before;
  if (halt === after.halt && trading === after.trading && alarms === after.alarms) return [];
  const [was, is] = [alarmsOf(before), alarmsOf(after)];
  const of = (type: EventType) => (alarm: AlarmRecord) => ({
    account: after.id,
    type,
    subject: { kind: 'alarm', alarm } as const,
  });
  return [...alarmsBeyond(was, is).map(of('alarm.cleared')), ...alarmsBeyond(is, was).map(of('alarm.raised'))];
}

function cashEvents(
  { account, cause, paper, venue, lines }: JournalEntry,
  decision: Decision<unknown>,
  now: Snapshot,
): NewEvent[] {
  // The first real money of an account is deposited too; what a paper account opens with is assumed, not moved.
  const type = cause === 'opening' && !paper ? 'cash.deposited' : CASH_EVENTS[cause];
  if (type === undefined) return [];
  const amount = lines.reduce((sum, line) => (line.ledger === 'cash' ? sum + line.amount : sum), 0n) as Usdc;
  const moved = { paper, venue, amount, ...(cause === 'redemption' && redeemedBy(decision, now)) };
  return [{ account, type, subject: { kind: 'cash', moved } }];
}

/** A redemption is a decision of its own, and its entry names no market. */
function redeemedBy({ positions = [] }: Decision<unknown>, now: Snapshot): Pick<CashMoved, 'redeemed'> {
  const after = positions.find((one) => one.redeemable === 0n && (now.position(one)?.redeemable ?? 0n) > 0n);
  return after === undefined ? {} : { redeemed: { marketId: after.marketId, outcome: after.outcome } };
}

function keyEvent({ account, logs = [] }: Scope, { digest: _, ...key }: ApiKey): NewEvent {
  if (key.account !== account && !logs.includes(key.account))
    throw new InvariantBroken('the event of a key is in the log of its account, which the scope names');
  const type = key.revokedAt === null ? 'key.created' : 'key.revoked';
  return { account: key.account, type, subject: { kind: 'key', key } };
}
