import type { Accounts } from './accounts.js';
import { isImmediate, remaining, type VenueOrder } from './orders.js';
import { REFUSALS } from './refusals.js';
import { EXCHANGES } from './signature.js';
import type { VenueTrade } from './trades.js';
import { costOf, decimal, ONE, sum } from './wire.js';

const CENT = 10_000n;
/** A hundredth of a cent: four decimals. */
const FOUR_DECIMALS = 100n;
/** A GTD order must end at least this far ahead, and is stopped this long before its second (`polymarket.md` 3.1). */
const LEAST_AHEAD_SECONDS = 180;
const STOPPED_BEFORE_SECONDS = 60;

/** Whether the venue no longer keeps this order. */
export function hasExpired({ expiration }: VenueOrder, now: number): boolean {
  return expiration > 0 && now / 1000 >= expiration - STOPPED_BEFORE_SECONDS;
}

/** Refuses an invalid order, in the words of the venue. */
export function checkTerms(order: VenueOrder, now: number): void {
  const { type, side, dollars, market, expiration, postOnly } = order;
  if (postOnly && isImmediate(order)) throw REFUSALS.payload();
  if ((type === 'GTD') !== expiration > 0) throw REFUSALS.expiration();
  if (type === 'GTD' && expiration < now / 1000 + LEAST_AHEAD_SECONDS) throw REFUSALS.expiration();
  checkAmounts(order);
  const crosses = market.book.crosses(order);
  if (postOnly && crosses) throw REFUSALS.crossing();
  const marketable = isImmediate(order) || crosses;
  if (marketable && side === 'BUY' && dollars < ONE) throw REFUSALS.notional(decimal(dollars));
}

function checkAmounts(order: VenueOrder): void {
  const { hash, size, side, dollars, market } = order;
  if (isImmediate(order)) {
    const [maker, taker] = side === 'BUY' ? [dollars, size] : [size, dollars];
    if (maker % CENT !== 0n || taker % FOUR_DECIMALS !== 0n) throw REFUSALS.precision(side === 'BUY' ? 'buy' : 'sell');
  } else {
    if (size % CENT !== 0n) throw REFUSALS.lot(hash, decimal(size));
    if (size < market.minSize) throw REFUSALS.size(hash, decimal(size), market.terms.minSize);
  }
}

/** Refuses an order that the wallet cannot pay beside its other open orders and its trades that have not moved yet. */
export function checkFunds(
  order: VenueOrder,
  accounts: Accounts,
  open: readonly VenueOrder[],
  pending: readonly VenueTrade[],
): void {
  const account = accounts.of(order.maker);
  if (account.banned) throw REFUSALS.banned(order.maker);
  if (account.closedOnly && order.side === 'BUY') throw REFUSALS.closedOnly(order.maker);
  const asset = order.side === 'BUY' ? 'COLLATERAL' : order.token;
  const own = open.filter((other) => other.maker === order.maker && other !== order);
  const unpaid = pending.filter(({ taker }) => taker.maker === order.maker);
  const reserved =
    order.side === 'BUY'
      ? sum(own.filter(({ side }) => side === 'BUY').map((other) => costOf(remaining(other), other.price))) +
        sum(unpaid.filter(({ taker }) => taker.side === 'BUY').map(({ cost, fee }) => cost + fee))
      : sum(own.filter(({ side, token }) => side === 'SELL' && token === asset).map(remaining)) +
        sum(unpaid.filter(({ taker }) => taker.side === 'SELL' && taker.token === asset).map(({ size }) => size));
  const crosses = isImmediate(order) || order.market.book.crosses(order);
  const fee = order.side === 'BUY' && crosses ? order.market.feeOf(order.size, order.price) : 0n;
  const wanted = (order.side === 'BUY' ? order.dollars : order.size) + fee;
  const free = account.balanceOf(asset) - reserved;
  if (free < wanted) throw REFUSALS.balance(free, wanted);
  const spender = order.market.terms.negRisk ? EXCHANGES.negRisk : EXCHANGES.plain;
  const allowed = account.allowances.get(spender) ?? 0n;
  if (allowed < wanted) throw REFUSALS.allowance(allowed, wanted);
}
