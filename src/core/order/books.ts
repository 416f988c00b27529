import { type Balance, freeCash, moveCash, openBalance } from '../account/account.js';
import {
  bought,
  costOfSale,
  emptyPosition,
  freeShares,
  type Position,
  promised,
  sold,
  without,
} from '../account/position.js';
import type { AccountId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { AMOUNT_LIMIT, least, minus, NO_SHARES, NO_USDC, notional, plus, type Shares, type Usdc } from '../money.js';
import { type Exposure, noExposure } from '../strategy/strategy.js';
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

  /** `opening` is the cash of a paper account that has no balance yet; real money is never assumed. */
  constructor(now: Snapshot, account: AccountId, intent: Intent, opening: Usdc) {
    const { paper, marketId, token, strategy } = intent;
    const key = { account, paper, marketId, token, strategyId: null };
    this.#balance = now.balance(paper) ?? openBalance(account, paper, paper ? opening : NO_USDC);
    this.#position = now.position(key) ?? emptyPosition(key);
    if (strategy === null) return;
    const part = { ...key, strategyId: strategy.id };
    this.#strategyPosition = now.position(part) ?? emptyPosition(part);
    this.#exposure = now.exposure(strategy.id, paper) ?? noExposure({ account, id: strategy.id }, paper);
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

  /** True when all that the order may bring in can be booked on top of what is there. */
  hasRoomFor({ side, shares, price }: Intent): boolean {
    const part = this.#strategyPosition ?? this.#position;
    if (side === 'BUY') return this.#position.shares + shares < AMOUNT_LIMIT && part.shares + shares < AMOUNT_LIMIT;
    return this.#balance.cash + notional(shares, price, 'floor') < AMOUNT_LIMIT;
  }

  /** What a sale of `shares` would take out of the positions. */
  basisOfSale(shares: Shares): Basis {
    const part = this.#strategyPosition;
    const cost = costOfSale(this.#position, shares);
    if (part === null) return { ...NO_BASIS, cost };
    const strategyShares = least(shares, part.shares);
    return { cost, strategyShares, strategyCost: costOfSale(part, strategyShares) };
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
    this.#position = without(this.#position, fill.shares, cost);
    this.#part((part) => without(part, least(fill.shares, part.shares), cost));
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
    if (this.#exposure !== null)
      this.#exposure = { ...this.#exposure, committed: plus(this.#exposure.committed, change) };
  }
}
