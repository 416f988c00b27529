import type { Position, PositionKey } from '../account/position.js';
import type { Snapshot } from '../ledger/decision.js';
import { LIMIT_CODES } from '../limits/limits.js';
import { NOTHING_WORKING } from '../limits/risk.js';
import { isNetted, type Market } from '../market/market.js';
import { formatMicro, NO_SHARES, ONE, type Price, plus, type Shares } from '../money.js';
import { type Order, type Refusal, refusal } from '../order/order.js';
import { otherSide } from './trading-stop.js';

/** An outcome of a market. */
type Outcome = Pick<PositionKey, 'venue' | 'marketId' | 'outcome'>;

/**
 * Why an order is denied in a market of which an account holds one outcome at a time: it would buy the other one, or trade with an order
 * of the same account. Null elsewhere. The scope has to name both outcomes.
 */
export function againstNetting({ account, intent }: Order, now: Snapshot, market: Market): Refusal | null {
  if (!isNetted(market)) return null;
  const { paper, venue, marketId, outcome } = intent;
  const other = otherSide(account, intent);
  const taken = intent.side === 'BUY' ? heldOf(now, other) : NO_SHARES;
  if (taken > 0n) {
    const held = `${formatMicro(taken)} shares of ${other.outcome}, those of working orders among them`;
    const words = 'The venue keeps one net position of the market, and the account holds the other outcome';
    return refusal('other_outcome_held', `${words}: ${held}. Sell or cancel those first.`);
  }
  return crossing(intent, bothOutcomes(now, { account, paper, venue, marketId, outcome, strategyId: null }));
}

/** What the account of a position holds of both outcomes of its market. */
export const bothOutcomes = (now: Pick<Snapshot, 'position'>, key: PositionKey): readonly Position[] =>
  [{ ...key, strategyId: null }, otherSide(key.account, key)].flatMap((one) => now.position(one) ?? []);

/** The shares of an outcome that an account holds, and those that its working purchases may still bring. */
export function heldOf(now: Pick<Snapshot, 'position'>, key: PositionKey): Shares {
  const { shares = NO_SHARES, wanted = NO_SHARES } = now.position(key) ?? {};
  return plus(shares, wanted);
}

/**
 * Why an order would trade with a working one of its account, null where it would not. A BUY of one outcome at p meets a SELL of it at p
 * or below, and a BUY of the other one at 1 − p or above. `held` are both outcomes, as far as they are held.
 */
export function crossing(order: Order['intent'], held: readonly Position[]): Refusal | null {
  const { side, price } = order;
  const own = ownPrices(order, side === 'BUY' ? 'asks' : 'bids', held);
  const isMet = (one: Price) => (side === 'BUY' ? one <= price : one >= price);
  const isBetter = (one: Price, other: Price) => (side === 'BUY' ? one < other : one > other);
  const met = own
    .filter(isMet)
    .reduce<Price | null>((best, one) => (best === null || isBetter(one, best) ? one : best), null);
  if (met === null) return null;
  const words = 'The order would trade with an order of the same account that is working in this market';
  return refusal(LIMIT_CODES.selfCross, `${words}: price ${formatMicro(price)}, its own at ${formatMicro(met)}.`);
}

/** The least price at which a sale of the outcome meets no working order of its account; null where none would buy it. */
export function aboveOwnBids(key: Outcome, held: readonly Position[]): Price | null {
  const own = ownPrices(key, 'bids', held);
  if (own.length === 0) return null;
  return (own.reduce((most, price) => (price > most ? price : most)) + 1n) as Price;
}

/** The prices, as those of this outcome, at which working orders of the account would buy it (`bids`), or sell it (`asks`). */
function ownPrices(key: Outcome, as: 'bids' | 'asks', positions: readonly Position[]): readonly Price[] {
  return positions.flatMap((held) => {
    const working = held.risk?.working ?? NOTHING_WORKING;
    if (held.outcome === key.outcome) return working[as].map(([price]) => price);
    return working[as === 'bids' ? 'asks' : 'bids'].map(([price]) => (ONE - price) as Price);
  });
}
