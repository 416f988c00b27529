import type { Exchange } from '../../ports/exchange.js';
import type { ApiKey } from '../access/api-key.js';
import type { Account, Balance, CashKey, JournalEntry } from '../account/account.js';
import type { EquityPoint } from '../account/portfolio.js';
import type { HoldingFilter, Position, PositionKey } from '../account/position.js';
import type { RefusedCommand } from '../endpoint/command.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { IdempotencyKeyReused, PaperElsewhere } from '../errors.js';
import type { AccountId, EndpointId, OrderId, StrategyId } from '../ids.js';
import { HeldRisks } from '../limits/risk.js';
import type { OrderEvent } from '../order/event.js';
import { isInFlight } from '../order/lifecycle.js';
import { isImmediate, type Order } from '../order/order.js';
import type { Approval, ApprovalsKey } from '../strategy/record/approval.js';
import type { DecisionRecord, Slot, SlotsKey } from '../strategy/record/decision-record.js';
import type { Exposure, Strategy } from '../strategy/strategy.js';
import { type Job, type JobChange, LEASE_MS } from './job.js';
import type { Lease, LeaseInHand, LeaseName } from './lease.js';
import type { KeyedRequest, RequestKey, RequestRecord } from './request.js';

/** What a write reads and locks: one account, and the records of it that are named. Keep it small. */
export interface Scope {
  readonly account: AccountId;
  readonly strategies?: readonly StrategyId[];
  readonly orders?: readonly OrderId[];
  readonly positions?: readonly PositionKey[];
  /** Every position and exposure of this kind that the account has at the time of the write, named or not. */
  readonly holdings?: 'paper' | 'live' | 'both' | undefined;
  /** Every position with a `risk` of these holders: those that may still lose money. */
  readonly risks?: readonly HoldingFilter[] | undefined;
  /** Orders whose jobs are read. */
  readonly jobs?: readonly OrderId[];
  /** A lease that is read, and that no other process can take before the decision under it is stored. */
  readonly lease?: LeaseName | undefined;
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
  readonly slots?: SlotsKey | undefined;
  /** The part of a strategy: its working orders that sell this outcome are read. */
  readonly sales?: PositionKey;
  /** Approvals that are read. */
  readonly approvals?: ApprovalsKey | undefined;
  /** Every endpoint of the account is read, but those that were removed. */
  readonly endpoints?: true;
  /** The idempotency key; the strategy or order that it already points to is in the snapshot too. */
  readonly request?: RequestKey | undefined;
  /**
   * A second part, which the rows of the first one name: of the same account, and read in the same transaction once everything is
   * locked. It has to be pure, and may be called several times.
   */
  readonly second?: ((first: FirstPart) => SecondPart) | undefined;
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
  /** Strategies with automation that are not archived, unordered; empty where the scope does not name them. */
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
  /** Commands from chats that did nothing: each is an event. */
  readonly refusedCommands?: readonly RefusedCommand[];
  /** New ones, and revoked ones; of the account, or one whose log the scope names. */
  readonly keys?: readonly ApiKey[];
}

/** All that the next event of an order may touch: itself, its balance, its positions and its strategy's exposure. */
export function scopeOf(order: Order): Scope {
  const { account, intent } = order;
  const { paper, venue, marketId, outcome, strategy } = intent;
  const whole = { account, paper, venue, marketId, outcome, strategyId: null };
  if (strategy === null) return { account, orders: [order.id], positions: [whole] };
  const part = { account, paper, venue, marketId, outcome, strategyId: strategy.id };
  return { account, orders: [order.id], strategies: [strategy.id], positions: [whole, part] };
}

/** All that the next events of several orders of one account in one market may touch. */
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

/** True where the scope names this bet: of its strategy in the same market, on the same event, or on the same day. */
export function namesSlot({ account, slots }: Scope, slot: Slot): boolean {
  if (slots === undefined || slot.account !== account || slot.strategyId !== slots.strategyId) return false;
  const isHere = slot.venue === slots.venue && slot.marketId === slots.marketId;
  return isHere || slot.day === slots.day || (slots.eventId !== null && slot.eventId === slots.eventId);
}

/** What a scope has to name so that a decision can check the lease. */
export const leased = (lease: LeaseInHand): Pick<Scope, 'lease'> => (lease ? { lease: lease.name } : {});

/**
 * True where no lease is needed, or where it is on record as held: it has not expired, and no other process has taken it.
 */
export function mayAct(now: Snapshot, lease: LeaseInHand): boolean {
  if (lease === undefined) return true;
  if (lease === null) return false;
  const held = now.lease(lease.name);
  return held?.fence === lease.fence && held.owner === lease.owner;
}

/** The lease under which this process acts for a venue; none is needed for a venue that is reached over the network. */
export const leaseOf = (exchange: Exchange | null): LeaseInHand => exchange?.local?.lease();

/** Passes where this process may act. @throws PaperElsewhere otherwise */
export function checkLease(now: Snapshot, lease: LeaseInHand): void {
  if (!mayAct(now, lease)) throw new PaperElsewhere();
}

/** What writes. */
interface Writer {
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T>;
}

/**
 * Writes as `ledger` does, but stores nothing where the lease is lost by the time of storing, however long ago the write
 * began.
 * @throws PaperElsewhere then
 */
export const underLease = (ledger: Writer, inHand: () => LeaseInHand): Writer => ({
  async write(scope, decide) {
    const lease = inHand();
    if (lease === null) throw new PaperElsewhere();
    return ledger.write({ ...scope, ...leased(lease) }, (now) => {
      checkLease(now, lease);
      return decide(now);
    });
  },
});

/** How soon an unknown order is queried again. */
const LOOK_AGAIN_MS = 5_000;

/** True when another worker has it by now. */
export const isJobLost = (now: Snapshot, job: Job | null): boolean =>
  job !== null && now.job(job.orderId)?.fence !== job.fence;

/**
 * The job after this state of its order: it goes on while the order is in flight, and while the venue has not reported the
 * end of one that does not rest; otherwise it is done. Empty where there is no job, or another worker has it by now.
 */
export function jobAfter(now: Snapshot, job: Job | null, order: Order): Pick<Decision<unknown>, 'jobs'> {
  if (job === null || isJobLost(now, job)) return {};
  if (isInFlight(order.state)) return { jobs: [{ ...job, inMs: LEASE_MS }] };
  return { jobs: [{ ...job, inMs: isOutstanding(order) ? LOOK_AGAIN_MS : null }] };
}

/** True while the venue must be asked about an order that it may have, and that will end soon. */
export const isOutstanding = ({ state, intent }: Pick<Order, 'state' | 'intent'>): boolean =>
  state === 'submitting' ||
  state === 'unknown' ||
  state === 'delayed' ||
  (isImmediate(intent) && (state === 'open' || state === 'cancel_pending'));

/**
 * The id of the record that an earlier request with this key made, or undefined when the key is new or has expired by
 * `now`, in the machine's time.
 * @throws IdempotencyKeyReused when the key meant something else.
 */
export function earlierResult(snapshot: Snapshot, request: KeyedRequest | null, now: Date): string | undefined {
  const record = request === null ? undefined : snapshot.request(request.key);
  if (record === undefined || (record.expiresAt !== null && record.expiresAt <= now)) return undefined;
  if (record.meaning !== request?.meaning) throw new IdempotencyKeyReused();
  return record.resource;
}

/** One kind of record: those loaded, and those put since. */
export class Records<Key, T> {
  readonly #known = new Map<string, T>();
  readonly #changed = new Map<string, T>();
  /** The records that changed, as they were when loaded. */
  readonly #loaded = new Map<string, T>();
  /** The known ones by whom they belong to, once that was asked. */
  #byOwner: Map<string, Map<string, T>> | null = null;

  constructor(
    private readonly name: (key: Key) => string,
    /** Whom a record belongs to, which never changes. */
    private readonly ownerOf: (record: T) => string = () => '',
  ) {}

  get(key: Key): T | undefined {
    return this.#known.get(this.name(key));
  }

  /** Takes in a record as it is stored. */
  load(key: Key, record: T): void {
    this.#know(this.name(key), record);
  }

  /** Takes in a record as it was stored, unless one is known: that one is newer. */
  offer(key: Key, record: T): void {
    const name = this.name(key);
    if (!this.#known.has(name)) this.#know(name, record);
  }

  /** Takes in what `before` is to store, as if it were stored. */
  follow(before: Records<Key, T>): void {
    for (const [name, record] of before.#changed) this.#know(name, record);
  }

  /** Takes in a record that is to be stored. */
  put(key: Key, record: T): void {
    const name = this.name(key);
    const before = this.#known.get(name);
    if (before !== undefined && !this.#changed.has(name)) this.#loaded.set(name, before);
    this.#know(name, record);
    this.#changed.set(name, record);
  }

  /** A record that changed as it is stored until then; undefined where it is not. */
  loaded(key: Key): T | undefined {
    return this.#loaded.get(this.name(key));
  }

  putAll(records: readonly T[] | undefined, keyOf: (record: T) => Key): void {
    for (const record of records ?? []) this.put(keyOf(record), record);
  }

  drop(key: Key): void {
    for (const records of [this.#known, this.#changed, this.#loaded]) records.delete(this.name(key));
    this.#byOwner = null;
  }

  all(): T[] {
    return [...this.#known.values()];
  }

  /** Those of one owner, in the order in which they became known. */
  of(owner: string): T[] {
    if (this.#byOwner === null) {
      this.#byOwner = new Map();
      for (const [name, record] of this.#known) this.#own(name, record);
    }
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  #know(name: string, record: T): void {
    this.#known.set(name, record);
    this.#own(name, record);
  }

  #own(name: string, record: T): void {
    if (this.#byOwner === null) return;
    const owner = this.ownerOf(record);
    const own = this.#byOwner.get(owner);
    if (own === undefined) this.#byOwner.set(owner, new Map([[name, record]]));
    else own.set(name, record);
  }

  changed(): T[] {
    return [...this.#changed.values()];
  }
}

/** Whose risks: what an account holds, or the part of one strategy. */
export interface RiskHolder extends HoldingFilter {
  readonly account: AccountId;
}

/** The name of a holder, as JSON that begins with its account. */
export const holderName = ({ account, paper, strategyId }: RiskHolder): string =>
  JSON.stringify([account, paper, strategyId ?? '']);

/** What holders may lose, each from when it is first asked for; from then on it changes with their positions. */
export class HolderRisks {
  readonly #known = new Map<string, HeldRisks<Position>>();

  constructor(private readonly positions: Pick<Records<PositionKey, Position>, 'all' | 'changed'>) {}

  /** By name. */
  get all(): ReadonlyMap<string, HeldRisks<Position>> {
    return this.#known;
  }

  /** All positions of the holder that may lose something have to be loaded, unless its risks were offered. */
  of(holder: RiskHolder): HeldRisks<Position> {
    const name = holderName(holder);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isOwn = (position: Position) => position.risk !== undefined && holderName(position) === name;
    const risks = new HeldRisks(this.positions.all().filter(isOwn));
    this.#known.set(name, risks);
    return risks;
  }

  /** Takes in what a holder may lose as it was before any of these positions changed, and changes it with them from now on. */
  offer(name: string, risks: HeldRisks<Position>): void {
    this.#known.set(name, risks);
    this.take(this.positions.changed().filter((position) => holderName(position) === name));
  }

  /** Takes in positions that changed. */
  take(positions: readonly Position[] = []): void {
    if (this.#known.size === 0) return;
    for (const position of positions) withPosition(this.#known.get(holderName(position)), position);
  }
}

/** Takes in a position that changed, which may lose nothing any more. */
export function withPosition(risks: HeldRisks<Position> | undefined, position: Position): void {
  if (position.risk === undefined) risks?.drop(position);
  else risks?.take(position);
}
