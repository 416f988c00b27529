import type { ApiKey } from '../access/api-key.js';
import type { JournalCause, JournalEntry } from '../account/account.js';
import { type Account, type Balance, SERVICE, tradingFor } from '../account/account.js';
import { alarmsOf } from '../account/account-alarms.js';
import type { EquityPoint } from '../account/portfolio.js';
import type { Position, PositionKey } from '../account/position.js';
import { type AlarmRecord, alarmsBeyond } from '../alarm/alarm.js';
import { type Endpoint, endpointEventType, shownEndpoint } from '../endpoint/endpoint.js';
import { InvariantBroken } from '../errors.js';
import type { AccountId, OrderId, StrategyId } from '../ids.js';
import { lossRecords } from '../limits/counted.js';
import { HeldRisks } from '../limits/risk.js';
import type { Usdc } from '../money.js';
import type { OrderEvent } from '../order/event.js';
import { isWorking } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { type Approval, isApprovalOf } from '../strategy/record/approval.js';
import type { DecisionRecord, Slot } from '../strategy/record/decision-record.js';
import type { Exposure, Strategy } from '../strategy/strategy.js';
import {
  type Decision,
  HolderRisks,
  namesRisks,
  namesSlot,
  Records,
  type Scope,
  type SecondPart,
  type Snapshot,
} from './decision.js';
import type { AccountEvent, CashMoved, EventType, NewEvent } from './event-log.js';
import { type TradingRecord, tradingRecords } from './event-log.js';
import type { JobChange } from './job.js';
import type { Lease, LeaseName } from './lease.js';
import type { RequestKey, RequestRecord } from './request.js';

/** An account before anything was written about it. */
export const newAccount = (id: AccountId): Account => ({ id, liveEnabled: false, halt: null });

/** True of a scope that names what holds for every account. */
export const seesService = ({ service, logs }: Scope): boolean => service === true || logs?.includes(SERVICE) === true;

/** The number of the last event of an account's log. */
export interface LogHead {
  readonly account: AccountId;
  readonly seq: number;
}

/**
 * The records that a group of writes shares: decisions are made one after another on it, each seeing those before. A store
 * loads it, runs decisions through `decide`, and writes what changed.
 */
export class WorkingSet {
  readonly accounts = new Records<AccountId, Account>((id) => id);
  readonly balances = new Records<Pick<Balance, 'account' | 'paper' | 'venue'>, Balance>(balanceName, accountOf);
  readonly strategies = new Records<string, Strategy>((id) => id);
  readonly exposures = new Records<Pick<Exposure, 'strategyId' | 'paper'>, Exposure>(exposureName, accountOf);
  readonly orders = new Records<string, Order>((id) => id, accountOf);
  readonly positions = new Records<PositionKey, Position>(positionName, accountOf);
  /** What the positions of a holder may lose together, where a scope names it. */
  readonly risks = new HolderRisks(this.positions);
  readonly requests = new Records<RequestKey, RequestRecord>(requestName);
  readonly jobs = new Records<OrderId, JobChange>((id) => id);
  readonly keys = new Records<string, ApiKey>((id) => id);
  readonly slots = new Records<Slot, Slot>(slotName, ({ strategyId }) => strategyId);
  readonly approvals = new Records<string, Approval>((id) => id, accountOf);
  readonly endpoints = new Records<string, Endpoint>((id) => id);
  /** The number of the last event of each account's log; absent where there is none. */
  readonly heads = new Map<AccountId, number>();
  /** Read only: no decision changes one. */
  readonly leases = new Records<LeaseName, Lease>((name) => name);
  /** Appended, never changed. */
  readonly events: OrderEvent[] = [];
  readonly versions: Strategy[] = [];
  readonly decisions: DecisionRecord[] = [];
  readonly log: AccountEvent[] = [];
  readonly trading: TradingRecord[] = [];
  readonly entries: JournalEntry[] = [];
  readonly equity: EquityPoint[] = [];

  /** Makes one decision, and puts what it returns and its events as of `at`; a decision that throws leaves no trace. */
  decide<T>(given: Scope, decide: (now: Snapshot) => Decision<T>, at: Date): T {
    const scope = this.#whole(given);
    const now = this.snapshot(scope);
    const decision = decide(now);
    const events = eventsIn(scope, decision, now);
    this.put(decision);
    for (const event of events) this.append(event, at);
    return decision.result;
  }

  /** Takes in what the decisions on `before` leave; this one has to be empty. */
  follow(before: WorkingSet): void {
    this.accounts.follow(before.accounts);
    this.balances.follow(before.balances);
    this.strategies.follow(before.strategies);
    this.exposures.follow(before.exposures);
    this.orders.follow(before.orders);
    this.positions.follow(before.positions);
    this.requests.follow(before.requests);
    this.jobs.follow(before.jobs);
    this.keys.follow(before.keys);
    this.slots.follow(before.slots);
    this.approvals.follow(before.approvals);
    this.endpoints.follow(before.endpoints);
    for (const head of before.changedHeads()) this.offerHead(head);
  }

  /** Takes in the number of the last event as it was stored, unless one is known. */
  offerHead({ account, seq }: LogHead): void {
    if (!this.heads.has(account)) this.heads.set(account, seq);
  }

  /** The heads of the logs with new events. */
  changedHeads(): readonly LogHead[] {
    return [...new Map(this.log.map(({ account, seq }) => [account, { account, seq }])).values()];
  }

  /** Reads from it; nothing is put. */
  look<T>(scope: Scope, look: (now: Snapshot) => T): T {
    return look(this.snapshot(this.#whole(scope)));
  }

  /** What a scope names by the rows of its first part, as they are now; of the same account. */
  secondPart({ account: owner, strategies, second }: Scope): SecondPart & Pick<Scope, 'account'> {
    if (second === undefined) return { account: owner };
    const strategy = (id: StrategyId) => {
      const found = strategies?.includes(id) ? this.strategies.get(id) : undefined;
      return found?.account === owner ? found : undefined;
    };
    return { account: owner, ...second({ account: this.accounts.get(owner) ?? newAccount(owner), strategy }) };
  }

  /** A scope with its second part. */
  #whole(scope: Scope): Scope {
    if (scope.second === undefined) return scope;
    const part = this.secondPart(scope);
    return { ...scope, ...part, risks: [...(scope.risks ?? []), ...(part.risks ?? [])] };
  }

  /**
   * Hides what the scope does not name, even when another write of the group has loaded it: a decision must not depend on
   * that.
   */
  private snapshot(scope: Scope): Snapshot {
    const { account: owner, strategies = [], orders = [] } = scope;
    const owned = <T extends { readonly account: AccountId }>(record: T | undefined) =>
      record?.account === owner ? record : undefined;
    const named = new Set((scope.positions ?? []).map(positionName));
    const key = scope.request === undefined ? undefined : requestName(scope.request);
    const kindOf = (paper: boolean) => (paper ? 'paper' : 'live');
    const whole = (paper: boolean) => scope.holdings === 'both' || scope.holdings === kindOf(paper);
    const isAutomated = ({ automationKey: by }: Strategy) => by !== null && by === scope.automatedBy;
    const automated = () => this.strategies.all().filter((one) => one.account === owner && isAutomated(one));
    const made = scope.request && owned(this.requests.get(scope.request))?.resource;
    return {
      account: this.accounts.get(owner) ?? newAccount(owner),
      service: seesService(scope) ? (this.accounts.get(SERVICE) ?? newAccount(SERVICE)) : undefined,
      balance: (cash) => this.balances.get({ account: owner, ...cash }),
      strategy: (id) => {
        const found = owned(this.strategies.get(id));
        return found && (strategies.includes(id) || id === made || isAutomated(found)) ? found : undefined;
      },
      automatedBy: (keyId) => (scope.automatedBy === keyId ? automated() : []),
      automated: () => (scope.automated === true ? this.strategies.all().filter((one) => isCounted(one, owner)) : []),
      exposure: (strategyId, paper) =>
        strategies.includes(strategyId) || whole(paper) ? owned(this.exposures.get({ strategyId, paper })) : undefined,
      order: (id) => (orders.includes(id) || id === made ? owned(this.orders.get(id)) : undefined),
      position: (wanted) =>
        named.has(positionName(wanted)) || whole(wanted.paper) ? owned(this.positions.get(wanted)) : undefined,
      positions: (paper) => (whole(paper) ? allOf(this.positions, owner, paper) : []),
      risks: (holder) => (namesRisks(scope, holder) ? this.risks.of({ account: owner, ...holder }) : new HeldRisks()),
      exposures: (paper) => (whole(paper) ? allOf(this.exposures, owner, paper) : []),
      balances: (paper) => allOf(this.balances, owner, paper),
      slots: () => slotsIn(this.slots, scope),
      sales: () => salesIn(this.orders, scope),
      approvals: () => approvalsIn(this.approvals, scope),
      endpoints: () => endpointsIn(this.endpoints, scope),
      endpoint: (id) => endpointsIn(this.endpoints, scope).find((one) => one.id === id),
      key: (id) => (scope.keys?.includes(id) ? owned(this.keys.get(id)) : undefined),
      job: (id) => (scope.jobs?.includes(id) ? owned(this.jobs.get(id)) : undefined),
      lease: (name) => (scope.lease === name ? this.leases.get(name) : undefined),
      request: (wanted) => (requestName(wanted) === key ? owned(this.requests.get(wanted)) : undefined),
    };
  }

  private append({ account, type, subject }: NewEvent, recordedAt: Date): void {
    const seq = (this.heads.get(account) ?? 0) + 1;
    this.heads.set(account, seq);
    const event = { account, seq, type, recordedAt, subject };
    this.log.push(event);
    this.trading.push(...tradingRecords(event));
  }

  private put(decision: Decision<unknown>): void {
    this.accounts.putAll(decision.accounts, byId);
    this.balances.putAll(decision.balances, itself);
    this.strategies.putAll(decision.strategies, byId);
    this.exposures.putAll(decision.exposures, itself);
    this.orders.putAll(decision.orders, byId);
    this.positions.putAll(decision.positions, itself);
    this.risks.take(decision.positions);
    this.requests.putAll(decision.requests, itself);
    this.jobs.putAll(decision.jobs, ({ orderId }) => orderId);
    this.versions.push(...(decision.strategies ?? []));
    this.events.push(...(decision.events ?? []));
    this.keys.putAll(decision.keys, byId);
    this.slots.putAll(decision.slots, itself);
    this.approvals.putAll(decision.approvals, byId);
    this.endpoints.putAll(decision.endpoints, byId);
    this.decisions.push(...(decision.decisions ?? []));
    this.entries.push(...(decision.entries ?? []));
    this.equity.push(...(decision.equity ?? []));
  }
}

const accountOf = ({ account }: { readonly account: AccountId }): string => account;

interface Owned {
  readonly account: AccountId;
  readonly paper: boolean;
}

function allOf<Key, T extends Owned>(records: Records<Key, T>, account: AccountId, paper: boolean): T[] {
  return records.of(account).filter((record) => record.paper === paper);
}

const isCounted = ({ account, automation, archivedAt }: Strategy, owner: AccountId): boolean =>
  account === owner && automation !== 'off' && archivedAt === null;

const byId = <Id>(record: { readonly id: Id }): Id => record.id;
const itself = <T>(record: T): T => record;
const balanceName = (b: Pick<Balance, 'account' | 'paper' | 'venue'>) => `${b.paper} ${b.venue} ${b.account}`;
const exposureName = (e: Pick<Exposure, 'strategyId' | 'paper'>) => `${e.paper} ${e.strategyId}`;
const positionName = (p: PositionKey) =>
  `${p.paper} ${p.outcome} ${p.strategyId} ${p.venue} ${p.marketId} ${p.account}`;
const slotName = (s: Slot) => `${s.n} ${s.reset} ${s.outcome} ${s.strategyId} ${s.venue} ${s.marketId} ${s.account}`;
/** Neither an account nor a key holds a line break, so that no two owners can share a name. */
const requestName = (r: RequestKey) => `${r.route}\n${r.account}\n${r.key}`;

/** Records of one kind that are known. */
interface Known<T> {
  all(): readonly T[];
  of(owner: string): readonly T[];
}

/** The slots that a scope names, of those that are known. */
const slotsIn = (known: Known<Slot>, scope: Scope): readonly Slot[] =>
  scope.slots === undefined ? [] : known.of(scope.slots.strategyId).filter((slot) => namesSlot(scope, slot));

/** The approvals that a scope names, of those that are known. */
function approvalsIn(known: Known<Approval>, { account, approvals }: Scope): readonly Approval[] {
  if (approvals === undefined) return [];
  return known.of(account).filter((approval) => isApprovalOf(approvals, approval));
}

/** The endpoints that a scope names, of those that are known. */
function endpointsIn(known: Known<Endpoint>, { account, endpoints }: Scope): readonly Endpoint[] {
  if (endpoints === undefined) return [];
  return known.all().filter((one) => one.account === account && one.state !== 'removed');
}

/** The working sales that a scope names, of the orders that are known. */
function salesIn(known: Known<Order>, { account, sales: of }: Scope): readonly Order[] {
  if (of === undefined) return [];
  return known.of(account).filter(({ state, intent }) => {
    const isThere = intent.venue === of.venue && intent.marketId === of.marketId && intent.outcome === of.outcome;
    const isPart = intent.paper === of.paper && intent.strategy?.id === of.strategyId;
    return isThere && isPart && intent.side === 'SELL' && isWorking(state);
  });
}

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
function eventsIn(scope: Scope, decision: Decision<unknown>, now: Snapshot): NewEvent[] {
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
