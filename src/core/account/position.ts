import { InvariantBroken } from '../errors.js';
import type { AccountId, MarketId, StrategyId } from '../ids.js';
import type { Token } from '../market/market.js';
import { AMOUNT_LIMIT, least, minus, NO_SHARES, NO_USDC, proportion, type Shares, type Usdc } from '../money.js';

/** Names a position: an outcome held by an account, as a whole or by one of its strategies. */
export interface PositionKey {
  readonly account: AccountId;
  readonly paper: boolean;
  readonly marketId: MarketId;
  readonly token: Token;
  /** Null is the whole account, whoever bought the shares. */
  readonly strategyId: StrategyId | null;
}

/** Shares held, what they cost, and how many of them working SELL orders have promised. */
export interface Position extends PositionKey {
  readonly shares: Shares;
  readonly reserved: Shares;
  readonly cost: Usdc;
}

/** The position before the first fill. */
export function emptyPosition(key: PositionKey): Position {
  const { account, paper, marketId, token, strategyId } = key;
  return { account, paper, marketId, token, strategyId, shares: NO_SHARES, reserved: NO_SHARES, cost: NO_USDC };
}

/** Shares that may still be sold. */
export function freeShares(position: Position): Shares {
  return (position.shares - position.reserved) as Shares;
}

/** After buying `shares` for `cost`, fees included. */
export function bought(position: Position, shares: Shares, cost: Usdc): Position {
  return checked({
    ...position,
    shares: (position.shares + shares) as Shares,
    cost: (position.cost + cost) as Usdc,
  });
}

/** After selling `shares`: the cost leaves in proportion, so the average cost of the rest is unchanged. */
export function sold(position: Position, shares: Shares): Position {
  return without(position, shares, costOfSale(position, shares));
}

/**
 * What `shares` take with them when they are sold: all of the cost with the last one, their proportion before.
 * @throws InvariantBroken for more shares than are held.
 */
export function costOfSale({ shares: held, cost }: Position, shares: Shares): Usdc {
  if (shares > held) throw new InvariantBroken('a sale takes no more shares than are held');
  if (shares === held) return cost;
  return minus(cost, proportion(cost, minus(held, shares), held, 'ceil'));
}

/** After `shares` left and took `cost` with them: no more than there is, and nothing stays behind the last share. */
export function without(position: Position, shares: Shares, cost: Usdc): Position {
  const left = minus(position.shares, shares);
  const rest = left === 0n ? NO_USDC : minus(position.cost, least(cost, position.cost));
  return checked({ ...position, shares: left, cost: rest });
}

/** After a working SELL promised `shares` more (or, negative, gave them back). */
export function promised(position: Position, shares: Shares): Position {
  return checked({ ...position, reserved: (position.reserved + shares) as Shares });
}

function checked(position: Position): Position {
  const { shares, reserved, cost } = position;
  const whole = reserved >= 0n && shares >= reserved && cost >= 0n && shares < AMOUNT_LIMIT && cost < AMOUNT_LIMIT;
  if (!whole) throw new InvariantBroken('0 <= reserved <= shares < 2^53 and 0 <= cost < 2^53 on a position');
  return position;
}
