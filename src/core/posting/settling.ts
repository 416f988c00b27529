import {
  adjustCash,
  type Balance,
  balanced,
  cashOf,
  type JournalCause,
  type JournalEntry,
  type JournalLine,
  line,
  owed,
} from '../account/account.js';
import {
  amends,
  bookedBy,
  paidFor as costWithFees,
  mayPay,
  type Position,
  type PositionKey,
  redeemed,
  settled,
} from '../account/position.js';
import type { AccountId, StrategyId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { afterBooking, NOTHING_COUNTED } from '../limits/counted.js';
import type { Payout } from '../market/lifecycle.js';
import type { OutcomeSide } from '../market/market.js';
import { minus, NO_SHARES, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import { isWorking } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import type { Exposure } from '../strategy/strategy.js';
import { withResult } from './books.js';
import type { OrderContext } from './trading-stop.js';

/**
 * What a market's result does to one position: the position afterwards, the cash it receives, and the entries that book it.
 * Where real shares are redeemed no cash comes before that; an amended result takes back what was paid.
 */
export interface PositionResult {
  readonly position: Position;
  /** Negative where an amended result takes back. */
  readonly cash: Usdc;
  readonly entries: readonly JournalEntry[];
}

/** What each share of a market pays, and whether real shares are redeemed at its venue before that is cash. */
export interface MarketResult {
  readonly payout: Payout;
  readonly redeems: boolean;
}

/** The result of a market for one position; null when it is booked already. */
export function settlePosition(
  position: Position,
  { payout, redeems }: MarketResult,
  context: Pick<OrderContext, 'ids'>,
  at: Date,
): PositionResult | null {
  const perShare = payout[position.outcome === 'YES' ? 0 : 1];
  const after = settled(position, perShare, redeems);
  const amended = amends(perShare, position);
  if (position.shares === 0n && !amended) return null;
  if (position.strategyId !== null) return { position: after, cash: NO_USDC, entries: [] };
  const make = (cause: JournalCause, lines: readonly JournalLine[]) =>
    entryOf(position, cause, lines, context.ids.next(), at);
  const { returned: back, redeemable } = position;
  const reversal = make('reversal', [
    line('cash', minus(redeemable, back)),
    line('redeemable', minus(NO_USDC, redeemable)),
    line('realised', back),
  ]);
  const paid = amended ? after.returned : minus(after.returned, back);
  const booked = make('settlement', [
    line(position.paper || !redeems ? 'cash' : 'redeemable', paid),
    holding(position),
    line('realised', minus(position.cost, paid)),
  ]);
  return {
    position: after,
    cash: minus(minus(after.returned, after.redeemable), minus(back, redeemable)),
    entries: (amended ? [reversal, booked] : [booked]).filter(({ lines }) => lines.length > 0),
  };
}

/**
 * The changes that book these results of one account at one venue, all on paper or all live: its cash, holdings and journal.
 */
export function resultMoneyOf(now: Snapshot, results: readonly PositionResult[]): Omit<Decision<unknown>, 'result'> {
  const [first] = results;
  const balance = first === undefined ? undefined : now.balance(cashOf(first.position));
  if (balance === undefined) return {};
  const cash = results.reduce((sum, result) => plus(sum, result.cash), NO_USDC);
  return {
    balances: [counting(now, owed(adjustCash(balance, cash), paidFor(now, results)), results)],
    positions: results.map(({ position }) => position),
    entries: results.flatMap(({ entries }) => entries),
    exposures: freedExposures(now, results, balance.paper),
  };
}

/** The balance with what the results brought, where that is counted. */
function counting(now: Snapshot, balance: Balance, results: readonly PositionResult[]): Balance {
  if (now.account.limits === undefined) return balance;
  const booked = results.reduce((sum, { position }) => {
    const before = position.strategyId === null ? now.position(position) : undefined;
    return before === undefined ? sum : plus(sum, minus(bookedBy(position), bookedBy(before)));
  }, NO_USDC);
  return { ...balance, counted: afterBooking(balance.counted ?? NOTHING_COUNTED, booked) };
}

/** How many more shares, as a rule fewer, may be paid for after these results. */
function paidFor(now: Snapshot, results: readonly PositionResult[]): Shares {
  return results.reduce((sum, { position }) => {
    const before = position.strategyId === null ? now.position(position) : undefined;
    return before === undefined ? sum : plus(sum, minus(mayPay(position), mayPay(before)));
  }, NO_SHARES);
}

/** What strategies had at work in the market is free again. */
function freedExposures(now: Snapshot, results: readonly PositionResult[], paper: boolean): readonly Exposure[] {
  const sums = new Map<StrategyId, { cost: Usdc; brought: Usdc }>();
  for (const { position } of results) {
    const { strategyId } = position;
    const before = strategyId === null ? undefined : now.position(position);
    if (strategyId === null || before === undefined) continue;
    const { cost, brought } = sums.get(strategyId) ?? { cost: NO_USDC, brought: NO_USDC };
    const more = minus(bookedBy(position), bookedBy(before));
    sums.set(strategyId, { cost: plus(cost, costWithFees(before)), brought: plus(brought, more) });
  }
  return [...sums].flatMap(([id, { cost, brought }]) => {
    const exposure = now.exposure(id, paper);
    if (exposure === undefined) return [];
    return [withResult({ ...exposure, committed: minus(exposure.committed, cost) }, brought)];
  });
}

function holding({ venue, marketId, outcome, cost }: Position): JournalLine {
  return { ledger: 'position', held: { venue, marketId, outcome }, amount: -cost as Usdc };
}

function entryOf(
  position: Position,
  cause: JournalCause,
  lines: readonly JournalLine[],
  id: string,
  at: Date,
): JournalEntry {
  return balanced({ id, account: position.account, ...cashOf(position), at, cause, orderId: null, lines });
}

/** The changes that book the redemption of a position's paid shares as cash. */
export function redeem(balance: Balance, position: Position, id: string, at: Date): Omit<Decision<unknown>, 'result'> {
  const { account, redeemable } = position;
  const after = redeemed(position);
  const lines = [line('cash', redeemable), line('redeemable', minus(NO_USDC, redeemable))];
  return {
    balances: [owed(adjustCash(balance, redeemable), minus(mayPay(after), mayPay(position)))],
    positions: [after],
    entries: [balanced({ id, account, ...cashOf(position), at, cause: 'redemption', orderId: null, lines })],
  };
}

/** True of an order that trades no more and whose fills the venue has all confirmed. */
export function isFinal({ state, filled }: Order): boolean {
  return !isWorking(state) && filled.confirmed === filled.shares;
}

/** An outcome of one market, held by an account. */
type Outcome = Pick<PositionKey, 'account' | 'venue' | 'marketId' | 'outcome'>;

/**
 * The shares that orders over the network in one market leave of each outcome, once their fills are final. A result is booked on such
 * shares alone: a fill that the venue may still undo could not be taken out of a position that was paid.
 */
export class FinalShares {
  readonly #sums = new Map<string, bigint>();
  readonly #waiting = new Set<string>();

  constructor(private readonly paper: boolean) {}

  /** Takes an order as it was read, each once. */
  add(order: Order): void {
    const { account, intent, filled } = order;
    const name = nameOf(account, intent.outcome);
    const shares = intent.side === 'BUY' ? filled.shares : -filled.shares;
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + shares);
    if (!isFinal(order)) this.#waiting.add(name);
  }

  /**
   * True when all orders in the outcome are final, and their fills explain all that its position holds or was paid for: no
   * fill has come since the orders were read.
   */
  explain(now: Snapshot, { account, venue, marketId, outcome }: Outcome): boolean {
    const name = nameOf(account, outcome);
    const position = now.position({ account, paper: this.paper, venue, marketId, outcome, strategyId: null });
    const known = position === undefined ? 0n : position.shares + position.settled;
    // A reset of a paper account took away what its earlier fills explain.
    return !this.#waiting.has(name) && (this.paper || this.#sums.get(name) === known);
  }
}

const nameOf = (account: AccountId, outcome: OutcomeSide): string => `${outcome} ${account}`;
