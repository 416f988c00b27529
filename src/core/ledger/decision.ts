import type { ApiKey } from '../access/api-key.js';
import type { Account, Balance, CashKey, JournalEntry } from '../account/account.js';
import type { EquityPoint } from '../account/portfolio.js';
import type { HoldingFilter, Position, PositionKey } from '../account/position.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { AccountId, EndpointId, OrderId, StrategyId } from '../ids.js';
import type { HeldRisks } from '../limits/risk.js';
import type { OrderEvent } from '../order/event.js';
import type { Order } from '../order/order.js';
import type { Approval, ApprovalsKey } from '../strategy/record/approval.js';
import type { DecisionRecord, Slot, SlotsKey } from '../strategy/record/decision-record.js';
import type { Exposure, Strategy } from '../strategy/strategy.js';
import type { Job, JobChange } from './job.js';
import type { Lease, LeaseName } from './lease.js';
import type { RequestKey, RequestRecord } from './request.js';

/** What a write reads and locks: one account, and the records of it that are named. Keep it small. */
export interface Scope {
  readonly account: AccountId;
  readonly strategies?: readonly StrategyId[];
  readonly orders?: readonly OrderId[];
  readonly positions?: readonly PositionKey[];
  /** Every position and exposure of this kind that the account has at the time of the write, named or not. */
  readonly holdings?: 'paper' | 'live' | 'both';
  /** Every position with a `risk` of these holders: those that may still lose money. */
  readonly risks?: readonly HoldingFilter[];
  /** Orders whose jobs are read. */
  readonly jobs?: readonly OrderId[];
  /** A lease that is read, and that no other process can take before the decision under it is stored. */
  readonly lease?: LeaseName;
  /** API keys that are read, of this account. */
  readonly keys?: readonly string[];
  /** What holds for every account is read; a write does not lock it, unless it is in `logs`. */
  readonly service?: true;
  /** The id of an API key: every strategy that trades with real money by itself because of it is read, named or not. */
  readonly automatedBy?: string;
  /** Every strategy with automation that is not archived is read, named or not. */
  readonly automated?: true;
  /** Other accounts whose event log the decision adds to: they are locked too. */
  readonly logs?: readonly AccountId[];
  /** Bets of a strategy that are read. */
  readonly slots?: SlotsKey;
  /** The part of a strategy: its working orders that sell this outcome are read. */
  readonly sales?: PositionKey;
  /** Approvals that are read. */
  readonly approvals?: ApprovalsKey;
  /** Every endpoint of the account is read, but those that were removed. */
  readonly endpoints?: true;
  /** The idempotency key; the strategy or order that it already points to is in the snapshot too. */
  readonly request?: RequestKey;
  /**
   * A second part, which the rows of the first one name: of the same account, and read in the same transaction once everything is
   * locked. It has to be pure, and may be called several times.
   */
  readonly second?: (first: FirstPart) => SecondPart;
}

/** What a scope may name once its first part was read. It locks nothing more. */
export type SecondPart = Pick<Scope, 'risks' | 'holdings'>;

/** The rows by which a scope names its second part. */
export interface FirstPart extends Pick<Snapshot, 'account'> {
  /** Undefined unless the scope names it. */
  strategy(id: StrategyId): Strategy | undefined;
}

/** The account's records as they are now. What the scope does not name, or another account owns, is undefined. */
export interface Snapshot {
  readonly account: Account;
  /** What holds for every account; undefined where the scope does not name it. */
  readonly service?: Account | undefined;
  balance(cash: CashKey): Balance | undefined;
  /** The one on paper, or those of real money by venue. */
  balances(paper: boolean): readonly Balance[];
  /** Archived strategies included. */
  strategy(id: StrategyId): Strategy | undefined;
  /** Archived ones included; empty where the scope does not name the key. */
  automatedBy(keyId: string): readonly Strategy[];
  /** Those with automation that are not archived, unordered; empty where the scope does not name them. */
  automated(): readonly Strategy[];
  exposure(id: StrategyId, paper: boolean): Exposure | undefined;
  order(id: OrderId): Order | undefined;
  position(key: PositionKey): Position | undefined;
  /** Those that the scope's `holdings` name, unordered; none where it names none. */
  positions(paper: boolean): readonly Position[];
  /**
   * Those with a `risk`, and what they may lose, at this moment: it goes on changing. None where the scope's `risks` do not name
   * the holder.
   */
  risks(holder: HoldingFilter): HeldRisks<Position>;
  /** All of them, unordered; empty where the scope does not name these holdings. */
  exposures(paper: boolean): readonly Exposure[];
  request(key: RequestKey): RequestRecord | undefined;
  /** Those that the scope names, unordered. */
  slots(): readonly Slot[];
  /** Working orders that sell what the scope's `sales` names, unordered; none where it names nothing. */
  sales(): readonly Order[];
  /** Those that the scope names, unordered. */
  approvals(): readonly Approval[];
  /** An endpoint that was not removed; undefined too where the scope does not name them. */
  endpoint(id: EndpointId): Endpoint | undefined;
  /** Unordered; empty where the scope does not name them. */
  endpoints(): readonly Endpoint[];
  job(id: OrderId): Job | undefined;
  key(id: string): ApiKey | undefined;
  /** The lease as it is held now; undefined when it has expired. */
  lease(name: LeaseName): Lease | undefined;
}

/** Everything that becomes true together, and the answer for the caller. */
export interface Decision<T> {
  readonly result: T;
  readonly accounts?: readonly Account[];
  readonly balances?: readonly Balance[];
  /** Each is stored as the strategy's newest version. */
  readonly strategies?: readonly Strategy[];
  readonly exposures?: readonly Exposure[];
  readonly orders?: readonly Order[];
  readonly events?: readonly OrderEvent[];
  readonly positions?: readonly Position[];
  /** Appended; each balances by itself. */
  readonly entries?: readonly JournalEntry[];
  /** Appended; the same moment again replaces the point. */
  readonly equity?: readonly EquityPoint[];
  readonly requests?: readonly RequestRecord[];
  readonly jobs?: readonly JobChange[];
  /** Decisions of strategies, appended. */
  readonly decisions?: readonly DecisionRecord[];
  /** New ones. */
  readonly slots?: readonly Slot[];
  /** New ones, and those that wait no longer. */
  readonly approvals?: readonly Approval[];
  /** New ones, and changed ones. */
  readonly endpoints?: readonly Endpoint[];
  /** New ones, and revoked ones; of the account, or one whose log the scope names. */
  readonly keys?: readonly ApiKey[];
}

/** All that the next event of an order may touch: itself, its balance, its positions and its strategy's exposure. */
export function scopeOf(order: Order): Scope {
  const { account, intent } = order;
  const { paper, venue, marketId, outcome, strategy } = intent;
  const held = { account, paper, venue, marketId, outcome };
  const whole = { ...held, strategyId: null };
  if (strategy === null) return { account, orders: [order.id], positions: [whole] };
  const part = { ...held, strategyId: strategy.id };
  return { account, orders: [order.id], strategies: [strategy.id], positions: [whole, part] };
}

/** The same for several orders of one account in one market. */
export function scopeOfAll(account: AccountId, orders: readonly Order[]): Scope {
  const positions = new Map<string, PositionKey>();
  const strategies = new Set<StrategyId>();
  for (const order of orders) {
    if (order.intent.strategy !== null) strategies.add(order.intent.strategy.id);
    for (const key of scopeOf(order).positions ?? []) positions.set(`${key.outcome} ${key.strategyId}`, key);
  }
  return {
    account,
    orders: orders.map(({ id }) => id),
    strategies: [...strategies],
    positions: [...positions.values()],
  };
}

/** True where the scope names what this holder may lose. */
export const namesRisks = ({ risks = [] }: Scope, { paper, strategyId }: HoldingFilter): boolean =>
  risks.some((named) => named.paper === paper && named.strategyId === strategyId);
