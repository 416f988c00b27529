import { InvariantBroken } from '../errors.js';
import type { AccountId } from '../ids.js';
import { AMOUNT_LIMIT, NO_USDC, type Usdc } from '../money.js';

/** A tenant. Live trading is off until an operator turns it on for this account. */
export interface Account {
  readonly id: AccountId;
  readonly liveEnabled: boolean;
}

/**
 * The cash of one account, paper or live. `reserved` is the part promised to working BUY orders. Cash is below that, or
 * negative, only where an amended result took back what had been spent already.
 */
export interface Balance {
  readonly account: AccountId;
  readonly paper: boolean;
  readonly cash: Usdc;
  readonly reserved: Usdc;
}

/** A balance as it is before the account's first order. */
export function openBalance(account: AccountId, paper: boolean, cash: Usdc): Balance {
  return { account, paper, cash, reserved: NO_USDC };
}

/** Cash that no order has a claim on. */
export function freeCash(balance: Balance): Usdc {
  return (balance.cash - balance.reserved) as Usdc;
}

/**
 * The balance after cash came in (positive) or went out, and reservations grew or shrank.
 * @throws InvariantBroken when that spends what is not there, or leaves the storable range.
 */
export function moveCash(balance: Balance, cash: Usdc, reserved: Usdc): Balance {
  const next = adjustCash({ ...balance, reserved: (balance.reserved + reserved) as Usdc }, cash);
  const free = freeCash(next);
  if (free < 0n && free < freeCash(balance)) throw new InvariantBroken('no order spends more than the free cash');
  return next;
}

/**
 * The balance after a result paid (positive) or was amended and took back, whatever was spent meanwhile.
 * @throws InvariantBroken past the storable range.
 */
export function adjustCash(balance: Balance, cash: Usdc): Balance {
  const next = { ...balance, cash: (balance.cash + cash) as Usdc };
  const size = next.cash < 0n ? -next.cash : next.cash;
  if (next.reserved < 0n || size >= AMOUNT_LIMIT) {
    throw new InvariantBroken('0 <= reserved and |cash| < 2^53 on a balance');
  }
  return next;
}
