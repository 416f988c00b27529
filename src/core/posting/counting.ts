import { type Balance, cashOf } from '../account/account.js';
import { bookedBy, emptyPosition, type Position, tracked } from '../account/position.js';
import type { AccountId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { type Counted, withReserved } from '../limits/counted.js';
import { NO_GROUP, type RiskGroup, sumOfRisks } from '../limits/risk.js';
import { marketName } from '../market/market.js';
import { NO_USDC, plus, type Usdc } from '../money.js';
import type { Intent } from '../order/order.js';
import { type Order, reservedCash, reservedShares, workingRisk } from '../order/order.js';

/** What is known of an account outside of the write in which counting for its limits begins. */
export interface BeforeCounting {
  readonly account: AccountId;
  /** Its cash as it was before the orders were listed: they are all of them only if it has not changed. */
  readonly balances: readonly Balance[];
  /** What the markets of its positions and orders belong to, by their names. */
  readonly groups: ReadonlyMap<string, RiskGroup>;
  /** What purchases of today, and working ones, have spent of a sum of cash, by the days for which they count; today is the last. */
  readonly spent: (cash: Balance) => ReadonlyMap<string, Usdc>;
  /** The day for which a purchase counts. */
  readonly dayOf: (order: Order) => string;
}

/**
 * The positions and the cash of an account from the moment on at which its risks are kept: computed once, from all that it
 * holds and its working orders. Null where these orders are not all of them, or something has happened since they were read.
 */
export function beginCounting(
  now: Snapshot,
  working: readonly Order[],
  before: BeforeCounting,
): Pick<Decision<unknown>, 'positions' | 'balances'> | null {
  const held = [...now.positions(true), ...now.positions(false)].filter(({ strategyId }) => strategyId === null);
  const balances = [...now.balances(true), ...now.balances(false)];
  if (!isSame(balances, before.balances) || !isComplete(balances, held, working)) return null;
  const orders = new Map<string, Order[]>();
  for (const order of working) orders.set(nameOf(order.intent), [...(orders.get(nameOf(order.intent)) ?? []), order]);
  const known = new Map(held.map((position) => [nameOf(position), position]));
  const positions = [...new Set([...known.keys(), ...orders.keys()])].flatMap((name): Position[] => {
    const own = orders.get(name) ?? [];
    const position = known.get(name) ?? (own[0] && empty(own[0]));
    if (position === undefined) return [];
    const group = before.groups.get(marketName(position)) ?? NO_GROUP;
    const risky = tracked(position, { group, working: sumOfRisks(own.map(workingRisk)) });
    return risky.risk === undefined ? [] : [risky];
  });
  const counted = (balance: Balance) => {
    const own = held.filter((position) => isAt(position, balance));
    const days = [...before.spent(balance)].map(([day, spent]) => ({ day, spent }));
    const begun: Counted = {
      days,
      booked: sum(own.map(bookedBy)),
      recent: [],
      ...(own.length === 0 && { isWhole: true }),
    };
    const orders = working.filter(({ intent }) => isOf(intent, balance));
    return {
      ...balance,
      counted: orders.reduce((all, one) => withReserved(all, before.dayOf(one), reservedCash(one)), begun),
    };
  };
  return { positions, balances: balances.map(counted) };
}

const sum = (amounts: readonly Usdc[]): Usdc => amounts.reduce((all, amount) => plus(all, amount), NO_USDC);

const isOf = (intent: Intent, { paper, venue }: Pick<Balance, 'paper' | 'venue'>): boolean =>
  intent.paper === paper && cashOf(intent).venue === venue;

/** True where trading the outcome moves that cash. */
const isAt = (position: Position, { paper, venue }: Balance): boolean =>
  position.paper === paper && cashOf(position).venue === venue;

const nameOf = ({ paper, outcome, ...ref }: Pick<Position, 'paper' | 'outcome' | 'venue' | 'marketId'>): string =>
  `${paper} ${outcome} ${marketName(ref)}`;

function empty({ account, intent }: Order): Position {
  const { paper, venue, marketId, outcome } = intent;
  return emptyPosition({ account, paper, venue, marketId, outcome, strategyId: null });
}

function isSame(now: readonly Balance[], before: readonly Balance[]): boolean {
  const text = (balances: readonly Balance[]) =>
    balances
      .map(({ paper, venue, cash, reserved, outstanding }) => [paper, venue, cash, reserved, outstanding].join(' '))
      .sort()
      .join();
  return text(now) === text(before);
}

/** Every working order reserves cash or shares, so that none is missing where the sums agree. */
function isComplete(balances: readonly Balance[], held: readonly Position[], working: readonly Order[]): boolean {
  const cash = balances.every(({ paper, venue, reserved }) => {
    const own = working.filter(({ intent }) => isOf(intent, { paper, venue }));
    return reserved === own.reduce((sum, order) => plus(sum, reservedCash(order)), NO_USDC);
  });
  const sold = new Map<string, bigint>();
  for (const order of working)
    sold.set(nameOf(order.intent), (sold.get(nameOf(order.intent)) ?? 0n) + reservedShares(order));
  return cash && held.every((position) => position.reserved === (sold.get(nameOf(position)) ?? 0n));
}
