import type { Account } from '../account/account.js';
import { LiveTradingNotEnabled } from '../errors.js';
import type { Scope, Snapshot } from '../ledger/decision.js';
import { scopeOf } from '../ledger/decision.js';
import { LIMIT_CODES } from '../limits/limits.js';
import type { Market } from '../market/market.js';
import { formatMicro, MOST_SHARES, minus, NO_USDC, type Usdc } from '../money.js';
import type { Intent } from '../order/intent.js';
import { mostCost, type Order, type Refusal, refusal, reservedCash } from '../order/order.js';
import type { Strategy } from '../strategy/strategy.js';
import type { TradingState } from '../trading/state.js';
import type { Books } from './books.js';
import { keptBy, type MarketSet, NO_SET, otherSide, refusedBy, sentenceOf, stateOf } from './trading-stop.js';

/** Why an order is denied in a market whose fees are not known. */
export function feeUnknown({ terms }: Market): Refusal | null {
  if (terms === null || terms.fee !== null) return null;
  return refusal('fee_unknown', 'The venue does not report the fees of this market.');
}

/** Why an order with real money is denied that is worth more than one may be; null when it is not. */
export function overOrderCap({ paper, size }: Intent, cap: Usdc | null): Refusal | null {
  if (paper || cap === null || size <= cap) return null;
  const sizes = `size ${formatMicro(size)}, cap ${formatMicro(cap)}`;
  return refusal(LIMIT_CODES.liveOrderCap, `The order is worth more than one order with real money may be: ${sizes}.`);
}

/** Why an order is denied that buys nothing, cannot be booked, or has expired. */
export function unplaceable(intent: Intent, books: Books, now: Date): Refusal | null {
  const { shares, expiresAt } = intent;
  if (shares === 0n)
    return refusal('size_below_lot', 'The size buys less than the smallest lot of shares at this price.');
  if (shares >= MOST_SHARES) return refusal('size_too_large', 'The order is larger than can be booked at this price.');
  if (!books.hasRoomFor(intent)) {
    const ways = 'Place a smaller order, sell what is held, or reset the paper account.';
    return refusal(
      'account_full',
      `With this order the account could exceed the largest amount that can be booked. ${ways}`,
    );
  }
  if (expiresAt !== null && expiresAt <= now) return refusal('expiry_in_past', 'expires_at has passed.');
  return null;
}

/** Why an order of a strategy is denied. Caps bound money put to work, so they apply to BUY alone; a pause applies to both sides. */
export function overStrategy(intent: Intent, strategy: Strategy | null, books: Books): Refusal | null {
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
export function closedTo({ liveEnabled, halt }: Account): Refusal | null {
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
