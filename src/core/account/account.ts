import { InvariantBroken } from '../errors.js';
import type { AccountId } from '../ids.js';
import { AMOUNT_LIMIT, NO_USDC, type Usdc } from '../money.js';

/** A tenant. Live trading is off until an operator turns it on for this account. */
export interface Account {
  readonly id: AccountId;
  readonly liveEnabled: boolean;
}

/** The cash of one account, paper or live. `reserved` is the part promised to working BUY orders. */
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
 * @throws InvariantBroken when the result would be negative or past the storable range.
 */
export function moveCash(balance: Balance, cash: Usdc, reserved: Usdc): Balance {
  const next = {
    ...balance,
    cash: (balance.cash + cash) as Usdc,
    reserved: (balance.reserved + reserved) as Usdc,
  };
  if (next.reserved < 0n || next.cash < next.reserved || next.cash >= AMOUNT_LIMIT) {
    throw new InvariantBroken('0 <= reserved <= cash < 2^53 on a balance');
  }
  return next;
}
