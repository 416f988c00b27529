import type { Ledger } from '../../../../ports/ledger.js';
import type { Timeline } from '../../../../ports/system.js';
import { OrderNotCancellable } from '../../../errors.js';
import type { OrderId } from '../../../ids.js';
import { isWorking } from '../../../order/lifecycle.js';
import type { Order } from '../../../order/order.js';
import { isImmediate } from '../../../order/order.js';
import { tradingRules } from '../../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { CancelOrder } from '../../orders/cancel-order.js';
import type { OnRunnerFault } from './runner-parts.js';

/** How long after an attempt to cancel the order is checked again, until it is at work no longer. */
const AGAIN_MS = 5000;

/** What unfilled orders are given up with. */
export interface GiveUpParts {
  readonly ledger: Pick<Ledger, 'read' | 'findOrder' | 'listVersions'>;
  readonly cancel: Pick<CancelOrder, 'execute'>;
  readonly timeline: Timeline;
  readonly onFault: OnRunnerFault;
}

interface Planned {
  readonly order: Order;
  callOff(): void;
}

/**
 * Cancels what rests of the bets of strategies once it is as old as `give_up_after`, by the rules in force then; also for a
 * strategy that is paused, or trades by itself no longer. The time counts from the order on record, so that a restart changes
 * nothing. Orders that a client placed under a strategy are left alone.
 */
export class GiveUpOrders {
  readonly #planned = new Map<OrderId, Planned>();
  #isStopped = false;

  constructor(private readonly parts: GiveUpParts) {}

  /** How many orders are to be given up. */
  get size(): number {
    return this.#planned.size;
  }

  /** Takes in an order as it is now. @throws StorageUnavailable */
  async takeOrder(order: Order): Promise<void> {
    if (!isWorking(order.state)) return this.#forget(order.id);
    if (isImmediate(order.intent) || this.#planned.has(order.id) || !(await this.#isBet(order))) return;
    await this.#plan(order);
  }

  /** Takes in a version of a strategy: its rules are those in force. @throws StorageUnavailable */
  async takeStrategy({ id }: Pick<Strategy, 'id'>): Promise<void> {
    for (const { order } of [...this.#planned.values()]) if (order.intent.strategy?.id === id) await this.#plan(order);
  }

  /** Gives up nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    for (const id of [...this.#planned.keys()]) this.#forget(id);
  }

  async #plan(order: Order): Promise<void> {
    const at = await this.#givenUpAt(order);
    if (at === null) this.#forget(order.id);
    else this.#lookAt(order, at);
  }

  #lookAt(order: Order, at: Date): void {
    this.#forget(order.id);
    if (this.#isStopped) return;
    const callOff = this.parts.timeline.at(at, () => this.#giveUp(order));
    this.#planned.set(order.id, { order, callOff });
  }

  async #giveUp(order: Order): Promise<void> {
    const { ledger, cancel, timeline, onFault } = this.parts;
    const { account, id: orderId } = order;
    try {
      const at = await this.#givenUpAt(order);
      if (at === null || at > timeline.now()) return await this.#plan(order);
      await cancel.execute({ account, orderId, idempotencyKey: null });
    } catch (error) {
      if (!(error instanceof OrderNotCancellable)) onFault('could not give up an order', error);
    }
    const now = await ledger.findOrder(account, orderId).catch(() => order);
    const isDone = now === undefined || !isWorking(now.state);
    if (isDone) this.#forget(orderId);
    else this.#lookAt(order, new Date(timeline.now().getTime() + AGAIN_MS));
  }

  /** When an order is given up; null where the rules in force let it rest. */
  async #givenUpAt({ account, intent, placedAt }: Order): Promise<Date | null> {
    if (intent.strategy === null) return null;
    const [strategy] = await this.parts.ledger.listVersions(account, intent.strategy.id, { limit: 1 });
    const after = strategy === undefined ? null : tradingRules(strategy).order.giveUpAfterMs;
    return after === null ? null : new Date(placedAt.getTime() + after);
  }

  /** Whether the strategy placed it by itself, or after an approval. */
  async #isBet({ account, id, intent }: Order): Promise<boolean> {
    const { strategy, venue, marketId, side } = intent;
    if (strategy === null || side === 'SELL') return false;
    const slots = { strategyId: strategy.id, venue, marketId, eventId: null, day: '' };
    return this.parts.ledger.read({ account, slots }, (now) => now.slots().some(({ orderId }) => orderId === id));
  }

  #forget(id: OrderId): void {
    this.#planned.get(id)?.callOff();
    this.#planned.delete(id);
  }
}
