import type { Ledger } from '../../../ports/ledger.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId, OrderId } from '../../ids.js';
import { type Page, slices } from '../../ledger/query.js';
import { isWorking, type OrderStatus } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { statusOf } from '../../order/order.js';
import { isCommon, sportScope, strategyScope, type TradingState } from '../../trading/state.js';
import type { Venues } from '../../venues/venues.js';
import type { CancelOrder } from '../orders/cancel-order.js';

/** An order that still works, and why it could not be cancelled. */
export interface NotCancelled {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly reason: string;
}

/** What became of the working orders that a state stops. */
export interface Cancellation {
  readonly cancelled: number;
  /** How many still work. */
  readonly working: number;
  /** The orders that could not be cancelled, at most 100. */
  readonly notCancelled: readonly NotCancelled[];
}

const AT_ONCE = 10;
const WORKING = ['pending', 'unknown', 'delayed', 'open', 'partially_filled'] as const satisfies readonly OrderStatus[];
const MOST_NAMED = 100;
/** An order may arrive while the others are cancelled, and one on its way to the venue can be cancelled a moment later. */
const ROUNDS = 3;

/** Cancels the working orders that a state of trading stops, and looks afterwards whether they are gone. */
export class CancelInScope {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly cancelOrder: CancelOrder,
  ) {}

  /**
   * Cancels the orders of `account`, or of all where the state holds for every account; with `paper` only those on paper, or with real money.
   * @throws StorageUnavailable, MarketDataUnavailable
   */
  async execute(account: AccountId, state: TradingState, paper?: boolean): Promise<Cancellation> {
    const working = async () =>
      (await this.#working(account, state)).filter(({ intent }) => paper === undefined || intent.paper === paper);
    let left: readonly Order[] = await working();
    const cancelled = new Set<OrderId>();
    const reasons = new Map<OrderId, string>();
    for (let round = 1; round <= ROUNDS && left.length > 0; round += 1) {
      const waiting = [...left];
      while (waiting.length > 0) {
        await Promise.all(
          waiting.splice(0, AT_ONCE).map(async (order) => {
            const reason = await this.#cancel(order);
            if (reason === null) cancelled.add(order.id);
            else reasons.set(order.id, reason);
          }),
        );
      }
      left = await working();
    }
    for (const { id } of left) cancelled.delete(id);
    const notCancelled = left.slice(0, MOST_NAMED).map((order) => ({
      orderId: order.id,
      account: order.account,
      reason: reasons.get(order.id) ?? `it is ${statusOf(order)}`,
    }));
    return { cancelled: cancelled.size, working: left.length, notCancelled };
  }

  /** Null once it is cancelled. */
  async #cancel({ account, id }: Order): Promise<string | null> {
    try {
      const { record } = await this.cancelOrder.execute({ account, orderId: id, idempotencyKey: null });
      return record.state === 'cancelled' ? null : `it is ${statusOf(record)}`;
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }

  async #working(account: AccountId, { scope, stops }: TradingState): Promise<readonly Order[]> {
    const found: Order[] = [];
    for await (const orders of this.#lists(isCommon(scope) ? null : account, stops)) {
      for (const order of orders) if (isWorking(order.state) && (await this.#isAbout(scope, order))) found.push(order);
    }
    return found;
  }

  async *#lists(account: AccountId | null, stops: TradingState['stops']): AsyncGenerator<readonly Order[]> {
    const paper = stops === 'live' ? { paper: false } : {};
    const all = (page: Page<OrderId>) => this.ledger.listVenueOrders({ ...paper, working: true }, page);
    if (account === null) yield* slices(all, ({ id }) => id);
    else
      for (const status of WORKING) {
        const own = (page: Page<OrderId>) => this.ledger.listOrders(account, { ...paper, status }, page);
        yield* slices(own, ({ id }) => id);
      }
  }

  async #isAbout(scope: TradingState['scope'], { intent }: Order): Promise<boolean> {
    if (scope === 'service' || scope === 'account') return true;
    if (!scope.startsWith('sport:')) return intent.strategy !== null && strategyScope(intent.strategy.id) === scope;
    // An order on paper has no sport on record.
    const sport = intent.sport ?? (await this.venues.find(intent))?.sport;
    return typeof sport === 'string' && sportScope(sport) === scope;
  }
}
