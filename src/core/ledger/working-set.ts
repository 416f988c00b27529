import type { ApiKey } from '../access/api-key.js';
import type { JournalEntry } from '../account/account.js';
import { type Account, type Balance, SERVICE } from '../account/account.js';
import type { EquityPoint } from '../account/portfolio.js';
import type { Position, PositionKey } from '../account/position.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { AccountId, OrderId, StrategyId } from '../ids.js';
import { HeldRisks } from '../limits/risk.js';
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
import { eventsIn } from './decision-events.js';
import type { AccountEvent, NewEvent } from './event-log.js';
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
