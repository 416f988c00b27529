import {
  type Balance,
  balanced,
  bookCash,
  cashOf,
  freeCash,
  type JournalEntry,
  line,
  moveCash,
  openBalance,
  owed,
  resetsOf,
  withCounted,
} from '../account/account.js';
import {
  awaited,
  bookedBy,
  bought,
  emptyPosition,
  freeShares,
  hasRoom,
  mayPay,
  type Position,
  paidFor,
  promised,
  sold,
  takenBySale,
  tracked,
  unbought,
  unsold,
} from '../account/position.js';
import { InvariantBroken } from '../errors.js';
import type { AccountId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import {
  afterBooking,
  afterOrder,
  afterReserving,
  afterSpending,
  dayIn,
  NOTHING_COUNTED,
  onDay,
} from '../limits/counted.js';
import { movedRisk, NO_GROUP, NOTHING_WORKING, type RiskGroup, type WorkingRisk } from '../limits/risk.js';
import type { Side } from '../market/side.js';
import { AMOUNT_LIMIT, least, minus, NO_SHARES, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import { fillEntry, shareOfPart, voidEntry } from '../order/apply.js';
import type { CountedOrder, Intent } from '../order/order.js';
import {
  type Basis,
  type Fill,
  mostShares,
  type Order,
  reservedCash,
  reservedShares,
  wantedShares,
  workingRisk,
} from '../order/order.js';
import {
  afterAccepted,
  afterResult,
  countsOnRecord,
  type Exposure,
  entriesWithin,
  isCountedByDay,
  MOST_ENTRIES,
  noExposure,
} from '../strategy/strategy.js';
import type { OrderContext } from './trading-stop.js';

/** The money and shares that an order touches, carried from fill to fill within one decision. */
export class Books {
  #balance: Balance;
  #position: Position;
  #strategyPosition: Position | null = null;
  #exposure: Exposure | null = null;
  #moved = false;
  /** Whether the account has limits, for which risks are kept and spending is counted. */
  readonly #counts: boolean;
  readonly #bookedBefore: Usdc;
  readonly #partBefore: Usdc;
  readonly #reset: number;
  readonly #entries: JournalEntry[] = [];
  readonly #opening: JournalEntry | null = null;

  /** `context` gives the opening cash of a paper account that has no balance yet; real money is never assumed. */
  constructor(
    now: Snapshot,
    account: AccountId,
    intent: Intent,
    private readonly context: Pick<OrderContext, 'ids' | 'openingCash' | 'venues' | 'dayOf'>,
    private readonly at: Date,
  ) {
    const { paper, venue, marketId, outcome, strategy } = intent;
    const key = { account, paper, venue, marketId, outcome, strategyId: null };
    const balance = now.balance(cashOf(intent));
    this.#balance = balance ?? openBalance(account, cashOf(intent), paper ? context.openingCash : NO_USDC);
    if (balance === undefined) this.#opening = openingEntry(context, this.#balance, at);
    this.#position = now.position(key) ?? emptyPosition(key);
    this.#bookedBefore = bookedBy(this.#position);
    this.#counts = now.account.limits !== undefined;
    this.#partBefore = NO_USDC;
    this.#reset = resetsOf(now.account, paper);
    if (strategy === null) return;
    const part = { ...key, strategyId: strategy.id };
    this.#strategyPosition = now.position(part) ?? emptyPosition(part);
    this.#partBefore = bookedBy(this.#strategyPosition);
    this.#exposure = now.exposure(strategy.id, paper) ?? noExposure({ account, id: strategy.id }, paper);
  }

  get freeCash(): Usdc {
    return freeCash(this.#balance);
  }

  /** What the order's strategy has at work already; nothing for an order without one. */
  get committed(): Usdc {
    return this.#exposure?.committed ?? NO_USDC;
  }

  get freeShares(): Shares {
    return freeShares(this.#position);
  }

  /**
   * True when every possible outcome of the order can be booked on top of the holdings and the working orders: its fills in
   * any order, at any price within the limit, and any result. A sale has room wherever the purchase before it had.
   */
  hasRoomFor(intent: Intent): boolean {
    const shares = mostShares(intent);
    const { cash, outstanding } = this.#balance;
    const positions = [this.#position, this.#strategyPosition ?? this.#position];
    if (intent.side === 'SELL')
      return positions.every(({ realised, fees }) => isSaleStorable(cash, realised, fees, shares));
    const wanted = plus(minus(outstanding, mayPay(this.#position)), shares);
    return cash + outstanding + shares < AMOUNT_LIMIT && positions.every((position) => hasRoom(position, wanted));
  }

  /** What a sale of `shares` would take out of the positions. */
  basisOfSale(shares: Shares): Basis {
    const part = this.#strategyPosition;
    const { cost, fees } = takenBySale(this.#position, shares);
    if (part === null) return { cost, strategyShares: NO_SHARES, strategyCost: NO_USDC, fees, strategyFees: undefined };
    const strategyShares = least(shares, part.shares);
    const own = takenBySale(part, strategyShares);
    return { cost, strategyShares, strategyCost: own.cost, fees, strategyFees: own.fees };
  }

  /** Books the step from one state of an order to the next: its reservations, and the fill that came or was voided. */
  move(before: Order | undefined, after: Order, came: Fill | null, went: Fill | null): void {
    const reserved = minus(reservedCash(after), before === undefined ? NO_USDC : reservedCash(before));
    const shares = minus(reservedShares(after), before === undefined ? NO_SHARES : reservedShares(before));
    const wanted = minus(wantedShares(after), before === undefined ? NO_SHARES : wantedShares(before));
    const risks =
      this.#keepsRisk || this.#exposure !== null ? ([workingRisk(before), workingRisk(after)] as const) : null;
    const isQuiet = reserved === 0n && shares === 0n && wanted === 0n && came === null && went === null;
    if (isQuiet && risks?.[0].orders === risks?.[1].orders) return;
    const held = mayPay(this.#position);
    const committed = this.#paidForPart();
    this.#moved = true;
    let flow = NO_USDC;
    if (shares < 0n) this.#position = promised(this.#position, shares);
    if (came !== null) flow = this.#come(after, came);
    if (went !== null) flow = this.#go(after, went);
    if (shares > 0n) this.#position = promised(this.#position, shares);
    this.#position = awaited(this.#position, wanted);
    const move = this.#mover(before, after, shares);
    if (this.#counts && reserved !== 0n) this.#countReserved(after, reserved);
    this.#balance = owed(move(this.#balance, flow, reserved), plus(wanted, minus(mayPay(this.#position), held)));
    this.#commit(plus(reserved, minus(this.#paidForPart(), committed)));
    if (risks !== null) this.#track(...risks);
  }

  /** What a venue did is a fact; only a new order, and an exchange in this process, may be refused for lack of money or shares. */
  #mover(before: Order | undefined, { intent }: Order, reserved: Shares): typeof moveCash {
    const isLocal = this.context.venues.isLocal(intent);
    const isNew = before === undefined;
    // A void at a venue may leave fewer shares than are on sale: that stands, and so may a purchase after it.
    if ((isLocal || (isNew && reserved > 0n)) && freeShares(this.#position) < 0n)
      throw new InvariantBroken('no order sells more than is held');
    return isLocal || isNew ? moveCash : bookCash;
  }

  /** What `move` changed, to be stored; nothing for an order that moved no money. */
  changes(): Pick<Decision<unknown>, 'balances' | 'positions' | 'exposures' | 'entries'> {
    if (!this.#moved) return {};
    return {
      balances: [this.#counts ? this.#withBooked() : this.#balance],
      positions: [this.#position, this.#strategyPosition].filter((position) => position !== null),
      exposures: this.#exposure === null ? [] : [withResult(this.#exposure, this.#broughtByPart())],
      entries: this.#opening === null ? this.#entries : [this.#opening, ...this.#entries],
    };
  }

  get #keepsRisk(): boolean {
    return this.#counts || this.#position.risk !== undefined;
  }

  #withBooked(): Balance {
    const { counted = NOTHING_COUNTED } = this.#balance;
    const booked = minus(bookedBy(this.#position), this.#bookedBefore);
    return withCounted(this.#balance, afterBooking(counted, booked));
  }

  /**
   * What the market of the order belongs to, for the limits of the account and of the strategy. In a market of which an account holds one
   * outcome at a time, its working orders are kept without limits too: none of them may trade with another.
   */
  belongsTo(group: RiskGroup, nets: boolean): void {
    if (this.#counts || nets) this.#position = grouped(this.#position, group);
    this.#part((part) => grouped(part, group));
  }

  #broughtByPart(): Usdc {
    const part = this.#strategyPosition;
    return part === null ? NO_USDC : minus(bookedBy(part), this.#partBefore);
  }

  /**
   * Counts an order of this side for the limits of its strategy, and returns how; null where none counts it. `gain` is what the
   * strategy's trading brought until now, null where it was not measured.
   */
  countForDay(side: Side, gain: Usdc | null): CountedOrder | null {
    if (this.#exposure === null || !isCountedByDay(side)) return null;
    const day = dayIn(this.context, this.at);
    const counted = afterAccepted(this.#exposure.counted, { side, day, gain });
    this.#exposure = { ...this.#exposure, counted };
    return {
      reset: this.#reset,
      n: counted.numbered,
      start: onDay(counted.days, day)?.start ?? null,
      counts: countsOnRecord(side),
    };
  }

  /** Counts the order as accepted now, where the rate of orders is limited. */
  countForMinute(): void {
    const { counted = NOTHING_COUNTED } = this.#balance;
    this.#balance = withCounted(this.#balance, afterOrder(counted, this.at));
  }

  #track(before: WorkingRisk, after: WorkingRisk): void {
    if (this.#keepsRisk) this.#position = withMoved(this.#position, before, after);
    this.#part((part) => withMoved(part, before, after));
  }

  #come(order: Order, fill: Fill): Usdc {
    const entry = fillEntry(order, fill, this.context.ids.next(), this.at);
    this.#entries.push(entry);
    if (order.intent.side === 'BUY' && this.#counts) this.#countSpent(order, fill, entry);
    return order.intent.side === 'BUY' ? this.#buy(fill, order.fills.length === 1) : this.#sell(fill);
  }

  #go(order: Order, fill: Fill): Usdc {
    const { cost } = this.#position;
    const flow = order.intent.side === 'BUY' ? this.#unbuy(fill) : this.#unsell(fill);
    const left = minus(cost, this.#position.cost);
    this.#entries.push(voidEntry(order, fill, left, this.context.ids.next(), this.at));
    return flow;
  }

  #buy({ shares, notional, fee }: Fill, isFirst: boolean): Usdc {
    this.#position = bought(this.#position, shares, notional, fee);
    this.#part((part) => bought(isFirst ? entered(part, this.at) : part, shares, notional, fee));
    return -plus(notional, fee) as Usdc;
  }

  #countSpent(order: Order, { notional, fee }: Fill, { id }: JournalEntry): void {
    const { counted = NOTHING_COUNTED } = this.#balance;
    const spent = plus(notional, fee);
    this.#balance = withCounted(this.#balance, afterSpending(counted, this.#dayOf(order), spent, id));
  }

  #countReserved(order: Order, reserved: Usdc): void {
    const { counted = NOTHING_COUNTED } = this.#balance;
    this.#balance = withCounted(this.#balance, afterReserving(counted, this.#dayOf(order), reserved));
  }

  /** The day for which an order counts: that whose limit let it pass. */
  #dayOf({ intent, placedAt }: Order): string {
    return intent.day ?? dayIn(this.context, placedAt);
  }

  #unbuy({ shares, notional, fee }: Fill): Usdc {
    this.#position = unbought(this.#position, shares, notional, fee);
    this.#part((part) => unbought(part, least(shares, part.shares), notional, fee));
    return plus(notional, fee);
  }

  #sell(fill: Fill): Usdc {
    const { strategyShares } = fill.basis;
    this.#position = sold(this.#position, fill.shares, fill.notional, fill.fee);
    const { proceeds, fee } = shareOfPart(fill);
    this.#part((part) => sold(part, strategyShares, proceeds, fee));
    return minus(fill.notional, fill.fee);
  }

  #unsell(fill: Fill): Usdc {
    const { cost, strategyShares, strategyCost, fees = NO_USDC, strategyFees = NO_USDC } = fill.basis;
    this.#position = unsold(this.#position, fill.shares, { cost, fees }, fill.notional, fill.fee);
    const { proceeds, fee } = shareOfPart(fill);
    this.#part((part) => unsold(part, strategyShares, { cost: strategyCost, fees: strategyFees }, proceeds, fee));
    return minus(fill.fee, fill.notional);
  }

  #part(change: (part: Position) => Position): void {
    if (this.#strategyPosition !== null) this.#strategyPosition = change(this.#strategyPosition);
  }

  #paidForPart(): Usdc {
    return this.#strategyPosition === null ? NO_USDC : paidFor(this.#strategyPosition);
  }

  #commit(change: Usdc): void {
    if (this.#exposure !== null)
      this.#exposure = { ...this.#exposure, committed: plus(this.#exposure.committed, change) };
  }
}

/** True when a sale of these shares, for less than a dollar each, can be booked at any proceeds and cost. */
function isSaleStorable(cash: Usdc, realised: Usdc, fees: Usdc, shares: Shares): boolean {
  return [cash, realised, fees].every((amount) => amount + shares < AMOUNT_LIMIT && amount - shares > -AMOUNT_LIMIT);
}

/** The entry that books a paper account's opening cash; null where there is none. */
function openingEntry(
  context: Pick<OrderContext, 'ids'>,
  { account, paper, venue, cash }: Balance,
  at: Date,
): JournalEntry | null {
  if (cash === 0n) return null;
  const lines = [line('cash', cash), line('capital', -cash as Usdc)];
  return balanced({ id: context.ids.next(), account, paper, venue, at, cause: 'opening', orderId: null, lines });
}

/** The position, with what its market belongs to. */
const grouped = (position: Position, group: RiskGroup): Position => ({
  ...position,
  risk: { group, working: position.risk?.working ?? NOTHING_WORKING },
});

/** The position after what one of its working orders may lose went from `before` to `after`. */
function withMoved(position: Position, before: WorkingRisk, after: WorkingRisk): Position {
  const { group, working } = position.risk ?? { group: NO_GROUP, working: NOTHING_WORKING };
  return tracked(position, { group, working: movedRisk(working, before, after) });
}

/** The part of a strategy after one of its purchases began to fill. */
const entered = (part: Position, at: Date): Position => ({
  ...part,
  entries: [...entriesWithin(part.entries ?? [], at), at.getTime()].slice(-MOST_ENTRIES),
});

/** What a strategy has at work, with what trading brought it, or, negative, cost it. */
export function withResult(exposure: Exposure, brought: Usdc): Exposure {
  return brought === 0n ? exposure : { ...exposure, counted: afterResult(exposure.counted, brought) };
}
