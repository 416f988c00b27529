import { adjustCash, type Balance, cashOf, owed } from '../account/account.js';
import { balanced, line } from '../account/journal.js';
import { mayPay, type Position, redeemed } from '../account/position.js';
import type { Decision } from '../ledger/decision.js';
import { minus, NO_USDC } from '../money.js';

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
