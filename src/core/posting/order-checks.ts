import type { Account } from '../account/account.js';
import { emptyPosition, type Position } from '../account/position.js';
import { LiveTradingNotEnabled } from '../errors.js';
import { type Decision, type Scope, type Snapshot, scopeOf } from '../ledger/decision.js';
import { dayIn, type EquityMark, gainBy } from '../limits/counted.js';
import { isLimited, LIMIT_CODES, limitsLosses, NO_LIMITS } from '../limits/limits.js';
import { type RiskGroup, riskGroupOf } from '../limits/risk.js';
import type { BookView } from '../market/book.js';
import type { Market } from '../market/market.js';
import type { Side } from '../market/side.js';
import { isoText } from '../moment.js';
import { formatMicro, MOST_SHARES, minus, NO_USDC, type Usdc } from '../money.js';
import { type Intent, mostCost, type Order, type Refusal, refusal, reservedCash } from '../order/order.js';
import { noExposure, type Strategy } from '../strategy/strategy.js';
import type { TradingState } from '../trading/state.js';
import { isHarmlessSale, measuredNow, overLimits } from './account-limits.js';
import type { Books } from './books.js';
import { againstNetting } from './own-orders.js';
import { boundsOf, countedOf, overStrategyLimits, throttled } from './strategy-limits.js';
import type { OrderContext } from './trading-stop.js';
import {
  keptBy,
  lowersFor,
  type MarketSet,
  NO_SET,
  otherSide,
  reducingOnly,
  refusedBy,
  sentenceOf,
  stateOf,
} from './trading-stop.js';

/** What an order is compared with beside what is on record, of just before the write: absent where it was not asked for. */
export interface Beside {
  /** Null where there is none. */
  readonly book?: BookView | null;
  /** What the account is worth, where its losses are limited; null where that cannot be determined. */
  readonly mark?: EquityMark | null;
  /** What the part of the strategy is worth, where its days are bounded; null where that cannot be determined. */
  readonly partMark?: EquityMark | null;
  /** What the other markets belong to in which the account holds something. */
  readonly groups?: ReadonlyMap<string, RiskGroup>;
  /** Whether nothing is asked for again, though money may have been booked since the marks. */
  readonly isLast: boolean;
}

/** What a write may lack to decide an order: all of it comes from outside of the store. */
export type Lacking = Exclude<keyof Beside, 'isLast'>;

/** The answer of a write that lacked something: it decided nothing, and is run again with what it lacks. */
export interface Again {
  readonly again: readonly Lacking[];
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
  /** Whether a client places it, and neither a rule nor an approval. */
  readonly isByClient: boolean;
  readonly books: Books;
  /** The strictest state of trading that is about the order. */
  readonly state: TradingState | null;
  /** Why the venue has no words for the order; null where it has. */
  readonly inexpressible: Refusal | null;
  readonly beside: Beside;
  /** By the clock of orders, and by the machine's. */
  readonly at: Date;
  readonly wall: Date;
  readonly context: OrderContext;
}

/** What is stored with an order, whether it is refused or not. */
type Changes = Pick<Decision<unknown>, 'accounts' | 'positions'>;

/** What a check found: nothing, a refusal, or changes to be stored with the order either way. */
type Found = Again | { readonly refusal: Refusal | null; readonly changes: Changes } | null;

/** Why an order is refused, or null, and what is stored with it; or what is missing for the check. */
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
  ({ strategy, isByClient, order }) => denied(unapproved(order.intent, strategy, isByClient)),
  ({ order, strategy, books }) => denied(overStrategy(order.intent, strategy, books)),
  ({ order, now, market }) => denied(againstNetting(order, now, market)),
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

/** What trading has brought the strategy, to count its day from; null where that was not measured, and for a sale. */
export function gainOf({ now, order, strategy, beside: { partMark } }: OrderFacts): Usdc | null {
  const { side, paper } = order.intent;
  if (strategy === null || side === 'SELL' || !partMark || boundsOf(strategy).dailyLoss === null) return null;
  return gainBy(partMark, countedOf(now, strategy.id, paper).booked);
}

/**
 * What was not brought of what the account and the version of the strategy on record are limited by; null where all was. A sale is
 * bound by no day of a strategy.
 */
export function lackingFor(now: Snapshot, strategy: Strategy | null, side: Side, beside: Beside): Again | null {
  if (beside.isLast) return null;
  const { limits = NO_LIMITS } = now.account;
  const boundsDay = side === 'BUY' && strategy !== null && boundsOf(strategy).dailyLoss !== null;
  const again: Lacking[] = [];
  if (limits.priceBand !== null && beside.book === undefined) again.push('book');
  if (limitsLosses(limits) && beside.mark === undefined) again.push('mark');
  if (boundsDay && beside.partMark === undefined) again.push('partMark');
  return again.length === 0 ? null : { again };
}

const denied = (refusal: Refusal | null): Found => (refusal === null ? null : { refusal, changes: {} });

const GROUPS: Again = { again: ['groups'] };

/** Whether the order lowers a worst case. */
const lowers = ({ order, now, market, beside }: OrderFacts): boolean | 'unread' =>
  lowersFor(order.intent, now, { group: riskGroupOf(market), groups: beside.groups ?? null });

/** A state of trading that is about the order. */
function stateOfTrading({ state, order, now, market, beside }: OrderFacts): Found {
  if (state === null) return null;
  const { groups = null, isLast } = beside;
  const refused = refusedBy(state, order.intent, now, { group: riskGroupOf(market), groups });
  if (refused !== 'unread') return denied(refused);
  // What came to be held elsewhere since may be of the set: then nothing proves that the order lowers a worst case.
  return isLast ? denied(reducingOnly(state)) : GROUPS;
}

/** Why orders are denied while the worth of an account, or of a strategy, cannot be determined. */
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
  const { now, order, beside, context } = facts;
  const { limits } = now.account;
  const { mark = null } = beside;
  if (limits === undefined || !limitsLosses(limits)) return null;
  if (mark === null) return raisesNone(facts) ? null : unmarked(facts);
  const measured = measuredNow(now, { paper: order.intent.paper, mark, context });
  if (measured.refusal !== null && raisesNone(facts))
    return stored(now, withMarks(now.account, measured.account), null);
  if (measured.refusal !== null && !measured.isExact && !beside.isLast) return { again: ['mark'] };
  return stored(now, measured.account, measured.refusal);
}

const unmarked = (facts: OrderFacts): Found => {
  const isLower = lowers(facts);
  if (isLower === 'unread' && !facts.beside.isLast) return GROUPS;
  return denied(isLower === true ? null : UNMARKED.account);
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
function entriesOfStrategy({ now, order, strategy, beside, at, wall, context }: OrderFacts): Found {
  if (strategy === null) return null;
  const { paper } = order.intent;
  const { mark = null } = beside;
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
  const { now, order, market, strategy, context } = facts;
  const { partMark, isLast } = facts.beside;
  if (strategy === null) return null;
  const bounds = boundsOf(strategy);
  const { paper, side } = order.intent;
  const strategyId = strategy.id;
  if (bounds.dailyLoss !== null && !partMark && side === 'BUY') return denied(UNMARKED.strategy);
  const found = overStrategyLimits(order, {
    bounds,
    group: riskGroupOf(market),
    gain: gainOf(facts) ?? NO_USDC,
    exposure: now.exposure(strategyId, paper) ?? noExposure(strategy, paper),
    risks: now.risks({ paper, strategyId }),
    today: dayIn(context, order.placedAt),
  });
  const { booked } = countedOf(now, strategyId, paper);
  const mayBeWrong = found?.code === 'daily_loss_exceeded' && partMark?.booked !== booked && !isLast;
  return mayBeWrong ? { again: ['partMark'] } : denied(found);
}

/** The limits of the account. */
function limitsOfAccount({ now, order, market, beside, context }: OrderFacts): Found {
  const { limits } = now.account;
  if (limits === undefined || !isLimited(limits)) return null;
  const { paper } = order.intent;
  const refusal = overLimits(order, {
    limits,
    risks: now.risks({ paper, strategyId: null }),
    balances: now.balances(paper),
    group: riskGroupOf(market),
    book: beside.book ?? undefined,
    at: order.placedAt,
    today: dayIn(context, order.placedAt),
  });
  return denied(refusal);
}

/** Why an order is denied in a market whose fees are not known. */
function feeUnknown({ terms }: Market): Refusal | null {
  if (terms === null || terms.fee !== null) return null;
  return refusal('fee_unknown', 'The venue does not report the fees of this market.');
}

/** Why an order with real money is denied that is worth more than one may be; null when it is not. */
function overOrderCap({ paper, size }: Intent, cap: Usdc | null): Refusal | null {
  if (paper || cap === null || size <= cap) return null;
  const sizes = `size ${formatMicro(size)}, cap ${formatMicro(cap)}`;
  return refusal(LIMIT_CODES.liveOrderCap, `The order is worth more than one order with real money may be: ${sizes}.`);
}

/** Why an order is denied that buys nothing, cannot be booked, or has expired. */
export function unplaceable(intent: Intent, books: Books, now: Date): Refusal | null {
  const { shares, expiresAt } = intent;
  const order = `${formatMicro(intent.size)} USDC at ${formatMicro(intent.price)}`;
  if (shares === 0n) return refusal('size_below_lot', `${order} are for less than the smallest lot of shares.`);
  if (shares >= MOST_SHARES) return refusal('size_too_large', `${order} are for more shares than can be booked.`);
  if (!books.hasRoomFor(intent)) {
    const ways = 'Place a smaller order, sell what is held, or reset the paper account.';
    return refusal(
      'account_full',
      `With this order the account could exceed the largest amount that can be booked. ${ways}`,
    );
  }
  if (expiresAt !== null && expiresAt <= now)
    return refusal('expiry_in_past', `expires_at has passed: ${isoText(expiresAt)}, and it is ${isoText(now)}.`);
  return null;
}

/** Why a purchase is denied that nobody approved, under a strategy that asks a person before each. */
function unapproved({ side }: Intent, strategy: Strategy | null, isByClient: boolean): Refusal | null {
  if (!isByClient || side === 'SELL' || strategy?.automation !== 'approve') return null;
  return refusal('approval_required', 'The strategy buys what a person approves, and this order was not asked for.');
}

/** Why an order of a strategy is denied. Caps bound money put to work, so they apply to BUY alone; a pause applies to both sides. */
function overStrategy(intent: Intent, strategy: Strategy | null, books: Books): Refusal | null {
  if (strategy === null) return null;
  if (strategy.isPaused) return refusal('strategy_paused', 'The strategy is paused.');
  return intent.side === 'SELL' ? null : overCaps(intent, strategy, books.committed);
}

/** `committed` is what the strategy has at work beside this purchase. */
function overCaps(intent: Intent, { stakeCap, bankrollCap }: Strategy, committed: Usdc): Refusal | null {
  const cost = mostCost(intent);
  if (intent.size > stakeCap) {
    const sizes = `size ${formatMicro(intent.size)}, stake cap ${formatMicro(stakeCap)}`;
    return refusal(LIMIT_CODES.stakeCap, `The order is above the strategy's stake cap: ${sizes}.`);
  }
  if (committed + cost > bankrollCap) {
    const sums = `${formatMicro(committed)} at work, order ${formatMicro(cost)}, bankroll cap ${formatMicro(bankrollCap)}`;
    return refusal(LIMIT_CODES.bankrollCap, `The order is above what is left of the strategy's bankroll: ${sums}.`);
  }
  return null;
}

/** Why an order is denied for which the account has not the money or the shares. */
export function overAccount(intent: Intent, books: Books): Refusal | null {
  if (intent.side === 'SELL') {
    if (intent.shares <= books.freeShares) return null;
    const held = `${formatMicro(intent.shares)} to sell, ${formatMicro(books.freeShares)} free`;
    return refusal('insufficient_position', `The account does not hold the shares: ${held}.`);
  }
  const cost = mostCost(intent);
  if (cost <= books.freeCash) return null;
  const cash = `order ${formatMicro(cost)}, free cash ${formatMicro(books.freeCash)}`;
  return refusal('insufficient_balance', `The account does not hold the money: ${cash}.`);
}

/** Why an account may not trade with real money; null when it may. */
function closedTo({ liveEnabled, halt }: Account): Refusal | null {
  if (!liveEnabled) return refusal('live_disabled', 'the account is not enabled for it.');
  return halt === null ? null : refusal('live_halted', `the account is halted (${halt.code}): ${halt.message}`);
}

/** What a live order needs beside an account that may trade with real money. */
export interface LiveTerms {
  /** Whether this server trades with real money at the venue. */
  readonly isOn: boolean;
  readonly mayTradeLive: boolean;
  /** The strictest state of trading that is about the order. */
  readonly state: TradingState | null;
}

/** Passes where an order may use real money. @throws LiveTradingNotEnabled with the first reason why not */
export function checkLive(account: Account, { isOn, mayTradeLive, state }: LiveTerms): void {
  if (!isOn) throw new LiveTradingNotEnabled('live trading is off on this server.');
  if (!mayTradeLive) throw new LiveTradingNotEnabled('these credentials cannot trade live.');
  const closed = closedTo(account);
  if (closed !== null) throw new LiveTradingNotEnabled(closed.message);
  if (state?.state === 'halted') throw new LiveTradingNotEnabled(`${sentenceOf(state)}.`);
}

/** What stops a live order that was placed but not sent; null when nothing does. `set` is null where none was read. */
export function stopped(order: Order, now: Snapshot, at: Date, set: MarketSet | null): Refusal | null {
  const { intent } = order;
  if (intent.paper) return null;
  const closed = closedTo(now.account);
  if (closed !== null) return closed;
  const state = stateOf(intent, now, at);
  const refused = state === null ? null : refusedBy(state, intent, now, set ?? NO_SET, keptBy(order));
  // What came to be held elsewhere since the set was read may be of it: then nothing proves that the order lowers a worst case.
  if (state !== null && refused === 'unread') return refusal('trading_reducing', `${sentenceOf(state)}.`);
  return refused === null || refused === 'unread' ? stoppedByStrategy(order, now) : refused;
}

/** The scope of a decision that asks what stops an order. */
export function stopScope(order: Order, set: MarketSet | null): Pick<Scope, 'service' | 'positions' | 'holdings'> {
  const { positions = [] } = scopeOf(order);
  const all = set === null ? {} : { holdings: order.intent.paper ? ('paper' as const) : ('live' as const) };
  return { service: true, positions: [...positions, otherSide(order.account, order.intent)], ...all };
}

function stoppedByStrategy(order: Order, now: Snapshot): Refusal | null {
  const { intent } = order;
  const strategy = intent.strategy === null ? null : now.strategy(intent.strategy.id);
  if (strategy === null) return null;
  if (strategy === undefined || strategy.archivedAt !== null) {
    return refusal('strategy_archived', 'The strategy was archived.');
  }
  if (strategy.isPaused) return refusal('strategy_paused', 'The strategy is paused.');
  if (strategy.paperOnly) return refusal('strategy_paper_only', 'The strategy is paper only.');
  if (intent.side === 'SELL') return null;
  const atWork = now.exposure(strategy.id, false)?.committed ?? NO_USDC;
  return overCaps(intent, strategy, minus(atWork, reservedCash(order)));
}
