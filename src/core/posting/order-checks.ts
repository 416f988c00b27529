import type { Account } from '../account/account.js';
import { emptyPosition, type Position } from '../account/position.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { isLimited, type Limits } from '../limits/limits.js';
import { type EquityMark, gainBy, limitsLosses } from '../limits/loss-marks.js';
import { riskGroupOf } from '../limits/risk.js';
import type { BookView } from '../market/book.js';
import type { Market } from '../market/market.js';
import { NO_USDC, type Usdc } from '../money.js';
import { type Order, type Refusal, refusal } from '../order/order.js';
import { noExposure, type Strategy } from '../strategy/strategy.js';
import type { TradingState } from '../trading/state.js';
import { overLimits } from './account-limits.js';
import type { Books } from './books.js';
import { feeUnknown, overAccount, overOrderCap, overStrategy, unplaceable } from './limits.js';
import { countedOf, measuredNow } from './measured-losses.js';
import { dayIn, type OrderContext } from './order-context.js';
import { boundsOf, overStrategyLimits, throttled } from './strategy-limits.js';
import { lowersFor, type MarketSet, refusedBy } from './trading-stop.js';
import { isHarmlessSale } from './worst-case-limits.js';

/** What was read before the write of an order of an account with limits. */
export interface AccountReads {
  /** The limits for which it was read. */
  readonly limits: Limits;
  readonly book: BookView | undefined;
  /** What the account is worth, where its losses are limited; null where that cannot be told. */
  readonly mark: EquityMark | null;
  /** Whether it is not read again, though the equity may have changed meanwhile. */
  readonly isLast: boolean;
}

/** What was read before the write of an order of a strategy with limits. */
export interface StrategyReads {
  /** Whether what its parts may lose is read with the order. */
  readonly seesRisks: boolean;
  /** What its part is worth; undefined where its days are not bounded, null where that cannot be told. */
  readonly mark: EquityMark | null | undefined;
  /** Whether it is not read again, though the worth may have changed meanwhile. */
  readonly isLast: boolean;
}

/** What a write lacks to decide an order: marks and a book for limits, or what is held in the other markets of its set. */
export type Lacking = 'limits' | 'holdings';

/** The answer of a write that lacked something: it decided nothing, and is run again with what it lacks. */
export interface Again {
  readonly again: Lacking;
}

/** Whether a write has to be run again. */
export const isAgain = (result: unknown): result is Again =>
  typeof result === 'object' && result !== null && 'again' in result;

/** An order of which nothing is reserved yet, and all that may refuse it, of the moment of the write. */
export interface OrderFacts {
  readonly now: Snapshot;
  readonly order: Order;
  readonly market: Market;
  readonly strategy: Strategy | null;
  readonly books: Books;
  /** The strictest state of trading that is about the order. */
  readonly state: TradingState | null;
  /** Why the venue has no words for the order; null where it has. */
  readonly inexpressible: Refusal | null;
  readonly account: AccountReads | null;
  readonly part: StrategyReads | null;
  /** What the other markets belong to in which the account holds something; null where that was not read. */
  readonly groups: MarketSet['groups'];
  /** By the clock of orders, and by the machine's. */
  readonly at: Date;
  readonly wall: Date;
  readonly context: OrderContext;
}

/** What is stored with an order, whether it is refused or not. */
type Changes = Pick<Decision<unknown>, 'accounts' | 'positions'>;

/** What a check found: nothing, a refusal, or changes to be stored with the order either way. */
type Found = Again | { readonly refusal: Refusal | null; readonly changes: Changes } | null;

/** Why an order is refused, or null, and what is stored with it; or what is lacking to tell. */
export type Checked = Again | { readonly refusal: Refusal | null; readonly changes: Changes };

/**
 * All that may deny an order that is put on record, in the order in which it is asked: the first that refuses wins. A limit of the
 * account or of the strategy that passes orders which lower a worst case asks that last.
 */
export const CHECKS: readonly ((facts: OrderFacts) => Found)[] = [
  stateOfTrading,
  lossesOfAccount,
  entriesOfStrategy,
  ({ market }) => denied(feeUnknown(market)),
  ({ order, books, at }) => denied(unplaceable(order.intent, books, at)),
  ({ order, strategy, books }) => denied(overStrategy(order.intent, strategy, books)),
  ({ order, books }) => denied(overAccount(order.intent, books)),
  ({ order, context }) => denied(overOrderCap(order.intent, context.liveOrderCap)),
  ({ inexpressible }) => denied(inexpressible),
  limitsOfStrategy,
  limitsOfAccount,
];

/** Asks all checks, in their order. */
export function checkOrder(facts: OrderFacts): Checked {
  let changes: Changes = {};
  for (const check of CHECKS) {
    const found = check(facts);
    if (found === null) continue;
    if (isAgain(found)) return found;
    changes = { ...changes, ...found.changes };
    if (found.refusal !== null) return { refusal: found.refusal, changes };
  }
  return { refusal: null, changes };
}

/** What trading has brought the strategy, to count its day from; null where that was not measured. */
export function gainOf({ now, order, strategy, part }: OrderFacts): Usdc | null {
  if (strategy === null || !part?.mark) return null;
  return gainBy(part.mark, countedOf(now, strategy.id, order.intent.paper).booked);
}

const denied = (refusal: Refusal | null): Found => (refusal === null ? null : { refusal, changes: {} });

const HOLDINGS: Again = { again: 'holdings' };
const LIMITS: Again = { again: 'limits' };

/** Whether the order lowers a worst case. */
const lowers = ({ order, now, market, groups }: OrderFacts): boolean | 'unread' =>
  lowersFor(order.intent, now, { group: riskGroupOf(market), groups });

/** A state of trading that is about the order. */
function stateOfTrading({ state, order, now, market, groups }: OrderFacts): Found {
  if (state === null) return null;
  const refused = refusedBy(state, order.intent, now, { group: riskGroupOf(market), groups });
  return refused === 'unread' ? HOLDINGS : denied(refused);
}

/** Why orders are denied while it cannot be told what an account, or a strategy, is worth. */
export const UNMARKED = {
  account: refusal(
    'market_data_stale',
    'The losses of the account are limited, and its equity cannot be marked now: a market in which it holds shares has no fresh price. Orders that lower a worst case pass.',
  ),
  strategy: refusal(
    'market_data_stale',
    'The daily loss of the strategy is limited, and what it holds cannot be marked now: a market in which it has shares has no fresh price. It may sell.',
  ),
} as const;

/** True where an order was denied because of what is held already, and not of its own market: the code is the same. */
export const isUnmarked = (denial: Refusal | null): boolean =>
  Object.values(UNMARKED).some(({ message }) => message === denial?.message);

/**
 * What the account may lose in a day, and below its highest worth. Where money was booked since the mark, a loss is measured again. A
 * sale that raises no worst case is refused by no limit of losses, and halts nothing either: the next purchase does, or the watch of
 * losses within a second.
 */
function lossesOfAccount(facts: OrderFacts): Found {
  const { now, order, account, context } = facts;
  const { limits } = now.account;
  if (account === null || limits === undefined || !limitsLosses(limits)) return null;
  if (account.mark === null) return raisesNone(facts) ? null : unmarked(facts);
  const measured = measuredNow(now, { paper: order.intent.paper, mark: account.mark, context });
  if (measured.refusal !== null && raisesNone(facts))
    return stored(now, withMarks(now.account, measured.account), null);
  if (measured.refusal !== null && !measured.isExact && !account.isLast) return LIMITS;
  return stored(now, measured.account, measured.refusal);
}

const unmarked = (facts: OrderFacts): Found => {
  const isLower = lowers(facts);
  return isLower === 'unread' ? HOLDINGS : denied(isLower ? null : UNMARKED.account);
};

/** Whether the order is a sale that raises no worst case. */
function raisesNone({ now, order, market }: OrderFacts): boolean {
  const risks = now.risks({ paper: order.intent.paper, strategyId: null });
  return isHarmlessSale(order, { risks, group: riskGroupOf(market) });
}

/** An account with what was measured of it, and no other state of trading. */
const withMarks = (account: Account, { losses }: Account): Account =>
  losses === account.losses || losses === undefined ? account : { ...account, losses };

/** A refusal or none, and the account where it changed. */
const stored = (now: Snapshot, account: Account, refusal: Refusal | null): Found =>
  account === now.account ? denied(refusal) : { refusal, changes: { accounts: [account] } };

/** A strategy that re-enters an outcome too fast. */
function entriesOfStrategy({ now, order, strategy, account, at, wall, context }: OrderFacts): Found {
  if (strategy === null) return null;
  const { paper } = order.intent;
  const mark = account?.mark ?? null;
  const measured = mark === null ? now.account : measuredNow(now, { paper, mark, context }).account;
  const fast = throttled(order, strategy, partOf(now, order), measured, { at, wall });
  return fast && { refusal: fast.refusal, changes: { accounts: [fast.account], positions: [fast.part] } };
}

/** What the strategy of an order holds of its outcome. */
function partOf(now: Snapshot, { account, intent }: Order): Position {
  const { paper, venue, marketId, outcome, strategy } = intent;
  const key = { account, paper, venue, marketId, outcome, strategyId: strategy?.id ?? null };
  return now.position(key) ?? emptyPosition(key);
}

/** The limits in the rules of the strategy. Where money was booked since the mark, a loss of the day is measured again. */
function limitsOfStrategy(facts: OrderFacts): Found {
  const { now, order, market, strategy, part, context } = facts;
  if (strategy === null) return null;
  const bounds = boundsOf(strategy);
  const { paper, side } = order.intent;
  const strategyId = strategy.id;
  if (bounds.dailyLoss !== null && part?.mark === null && side === 'BUY') return denied(UNMARKED.strategy);
  const found = overStrategyLimits(order, {
    bounds,
    group: riskGroupOf(market),
    gain: gainOf(facts) ?? NO_USDC,
    exposure: now.exposure(strategyId, paper) ?? noExposure(strategy, paper),
    risks: now.risks({ paper, strategyId }),
    today: dayIn(context, order.placedAt),
  });
  const { booked } = countedOf(now, strategyId, paper);
  const mayBeWrong = found?.code === 'daily_loss_exceeded' && part?.mark?.booked !== booked && part?.isLast === false;
  return mayBeWrong ? LIMITS : denied(found);
}

/** The limits of the account. */
function limitsOfAccount({ now, order, market, account, context }: OrderFacts): Found {
  const { limits } = now.account;
  if (limits === undefined || !isLimited(limits) || account === null) return null;
  const { paper } = order.intent;
  const refusal = overLimits(order, {
    limits,
    risks: now.risks({ paper, strategyId: null }),
    balances: now.balances(paper),
    group: riskGroupOf(market),
    book: account.book,
    at: order.placedAt,
    today: dayIn(context, order.placedAt),
  });
  return denied(refusal);
}
