import { EXCHANGES } from './signature.js';
import type { VenueTrade } from './trades.js';
import type { Side } from './wire.js';

export const UNLIMITED = 2n ** 256n - 1n;

/** Money and shares of one wallet, in millionths. */
export class Account {
  collateral = 0n;
  readonly shares = new Map<string, bigint>();
  /** The allowances of each contract, for shares and collateral alike. */
  readonly allowances = new Map<string, bigint>(Object.values(EXCHANGES).map((spender) => [spender, UNLIMITED]));
  banned = false;
  closedOnly = false;

  /** `COLLATERAL` or a token. */
  balanceOf(asset: string): bigint {
    return asset === 'COLLATERAL' ? this.collateral : (this.shares.get(asset) ?? 0n);
  }

  add(asset: string, amount: bigint): void {
    if (asset === 'COLLATERAL') this.collateral += amount;
    else this.shares.set(asset, this.balanceOf(asset) + amount);
  }
}

/** All wallets that the venue knows, by address in lower case. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  of(address: string): Account {
    const name = address.toLowerCase();
    const known = this.#accounts.get(name) ?? new Account();
    this.#accounts.set(name, known);
    return known;
  }

  /** Moves what a trade moves, or with -1 moves it back. */
  move(trade: VenueTrade, direction: 1n | -1n): void {
    const { taker, makers, size, cost, fee } = trade;
    this.#exchange(taker.maker, taker.token, taker.side, size * direction, cost * direction);
    this.of(taker.maker).add('COLLATERAL', -fee * direction);
    for (const { order, size: given, cost: paid } of makers) {
      this.#exchange(order.maker, order.token, order.side, given * direction, paid * direction);
    }
    trade.moved = direction === 1n;
  }

  #exchange(address: string, token: string, side: Side, shares: bigint, dollars: bigint): void {
    const account = this.of(address);
    const sign = side === 'BUY' ? 1n : -1n;
    account.add(token, shares * sign);
    account.add('COLLATERAL', -dollars * sign);
  }
}
