import { type Balance, freeCash, moveCash, openBalance } from '../account/account.js';
import { bought, emptyPosition, freeShares, type Position, promised, sold } from '../account/position.js';
import { least, minus, NO_SHARES, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import type { Exposure } from '../strategy/strategy.js';
import type { AccountId } from '../ids.js';
import { type Basis, type Fill, NO_BASIS } from './fill.js';
import type { Intent } from './intent.js';
import { type Order, reservedCash, reservedShares } from './order.js';

/** The money and shares that an order touches, carried from fill to fill within one decision. */
export class Books {
  #balance: Balance;
  #position: Position;
  #strategyPosition: Position | null = null;
  #exposure: Exposure | null = null;
  #moved = false;

  /** `opening` is the cash of an account that has no balance yet. */
  constructor(now: Snapshot, account: AccountId, intent: Intent, opening: Usdc) {
    const { paper, marketId, token, strategy } = intent;
    const key = { account, paper, marketId, token, strategyId: null };
    this.#balance = now.balance(paper) ?? openBalance(account, paper, opening);
    this.#position = now.position(key) ?? emptyPosition(key);
    if (strategy === null) return;
    const part = { ...key, strategyId: strategy.id };
    this.#strategyPosition = now.position(part) ?? emptyPosition(part);
    const none = { account, strategyId: strategy.id, paper, committed: NO_USDC };
    this.#exposure = now.exposure(strategy.id, paper) ?? none;
  }

  get freeCash(): Usdc {
    return freeCash(this.#balance);
  }

  /** What the order's strategy has at work already; nothing for an order without one. */
  get committed(): Usdc {
    return this.#exposure?.committed ?? NO_USDC;
  }

  get freeShares(): Shares {
    return freeShares(this.#position);
  }

  /** What a sale of `shares` would take out of the positions. */
  basisOfSale(shares: Shares): Basis {
    const part = this.#strategyPosition;
    const cost = minus(this.#position.cost, sold(this.#position, shares).cost);
    if (part === null) return { ...NO_BASIS, cost };
    const strategyShares = least(shares, part.shares);
    return { cost, strategyShares, strategyCost: minus(part.cost, sold(part, strategyShares).cost) };
  }

  /** Books the step from one state of an order to the next: its reservations, and the fill that came or went. */
  move(before: Order | undefined, after: Order, came: Fill | null, went: Fill | null): void {
    const reserved = minus(reservedCash(after), before === undefined ? NO_USDC : reservedCash(before));
    const shares = minus(reservedShares(after), before === undefined ? NO_SHARES : reservedShares(before));
    const committed = this.#strategyPosition?.cost ?? NO_USDC;
    const buying = after.intent.side === 'BUY';
    this.#moved = true;
    let flow = NO_USDC;
    if (shares < 0n) this.#position = promised(this.#position, shares);
    if (came !== null) flow = buying ? this.#buy(came) : this.#sell(came);
    if (went !== null) flow = buying ? this.#unbuy(went) : this.#unsell(went);
    if (shares > 0n) this.#position = promised(this.#position, shares);
    this.#balance = moveCash(this.#balance, flow, reserved);
    this.#commit(plus(reserved, minus(this.#strategyPosition?.cost ?? NO_USDC, committed)));
  }

  /** What `move` changed, to be stored; nothing for an order that moved no money. */
  changes(): Pick<Decision<unknown>, 'balances' | 'positions' | 'exposures'> {
    if (!this.#moved) return {};
    return {
      balances: [this.#balance],
      positions: [this.#position, this.#strategyPosition].filter((position) => position !== null),
      exposures: this.#exposure === null ? [] : [this.#exposure],
    };
  }

  #buy(fill: Fill): Usdc {
    const cost = plus(fill.notional, fill.fee);
    this.#position = bought(this.#position, fill.shares, cost);
    this.#part((part) => bought(part, fill.shares, cost));
    return -cost as Usdc;
  }

  #unbuy(fill: Fill): Usdc {
    const cost = plus(fill.notional, fill.fee);
    const taken = (position: Position, shares: Shares): Position =>
      bought(position, -shares as Shares, -least(cost, position.cost) as Usdc);
    this.#position = taken(this.#position, fill.shares);
    this.#part((part) => taken(part, least(fill.shares, part.shares)));
    return cost;
  }

  #sell(fill: Fill): Usdc {
    this.#position = sold(this.#position, fill.shares);
    this.#part((part) => sold(part, fill.basis.strategyShares));
    return minus(fill.notional, fill.fee);
  }

  #unsell(fill: Fill): Usdc {
    const { cost, strategyShares, strategyCost } = fill.basis;
    this.#position = bought(this.#position, fill.shares, cost);
    this.#part((part) => bought(part, strategyShares, strategyCost));
    return minus(fill.fee, fill.notional);
  }

  #part(change: (part: Position) => Position): void {
    if (this.#strategyPosition !== null) this.#strategyPosition = change(this.#strategyPosition);
  }

  #commit(change: Usdc): void {
    if (this.#exposure !== null) this.#exposure = { ...this.#exposure, committed: plus(this.#exposure.committed, change) };
  }
}
