import type { Ledger } from '../../../../ports/ledger.js';
import { type AutomatedCursor, type Page, slices } from '../../../ledger/query.js';
import type { Order } from '../../../order/order.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { GiveUpOrders } from './give-up-orders.js';
import { OrderNews } from './order-news.js';
import type { RunExits } from './run-exits.js';

/** Versions this much older than the newest one are read again. */
const OVERLAP_MS = 60_000;

/** What looks after bets. */
export interface LookAfterBetsParts {
  readonly ledger: Ledger;
  readonly exits: RunExits;
  readonly giveUp: GiveUpOrders;
}

/**
 * Looks after the bets of strategies once they are placed: sells what they got by the rules of `exit`, and gives up what rests.
 * One server at a time does it. It begins with what is on record, and then reads what changed, whoever changed it.
 */
export class LookAfterBets {
  readonly #news: OrderNews;
  #changedSince: Date | null = null;
  #hasBegun = false;

  constructor(private readonly parts: LookAfterBetsParts) {
    this.#news = new OrderNews(parts.ledger);
  }

  /** Takes in strategies and orders that changed since the last call. @throws StorageUnavailable: the next call goes on there */
  async refresh(): Promise<void> {
    await this.#refreshStrategies();
    if (!this.#hasBegun) await this.#takeWorking();
    this.#hasBegun = true;
    await this.#news.read((order) => this.placed(order));
  }

  /** Takes in an order that was just placed, or changed. @throws StorageUnavailable */
  async placed(order: Order): Promise<void> {
    await this.parts.giveUp.takeOrder(order);
    await this.parts.exits.takeOrder(order);
  }

  /** Takes in the metadata of markets anew. */
  async refreshMarkets(): Promise<void> {
    await this.parts.exits.refreshMarkets();
  }

  /** Does nothing from now on. */
  stop(): void {
    this.parts.exits.stop();
    this.parts.giveUp.stop();
  }

  async #refreshStrategies(): Promise<void> {
    const since = this.#changedSince;
    const read = (page: Page<AutomatedCursor>) => this.parts.ledger.listAutomated(since, page);
    let newest = since?.getTime() ?? 0;
    for await (const strategies of slices(read, (strategy) => strategy)) {
      for (const strategy of strategies) await this.#take(strategy);
      newest = strategies.reduce((last, { updatedAt }) => Math.max(last, updatedAt.getTime()), newest);
    }
    // Servers stamp versions by their own clocks, and store them a moment later.
    this.#changedSince = new Date(Math.max(0, newest - OVERLAP_MS));
  }

  async #take(strategy: Strategy): Promise<void> {
    // What changes while the positions are read is news.
    if (strategy.automation !== 'off') await this.#news.watch(strategy.account);
    await this.parts.exits.takeStrategy(strategy);
    await this.parts.giveUp.takeStrategy(strategy);
  }

  async #takeWorking(): Promise<void> {
    const read = (page: Parameters<Ledger['listVenueOrders']>[1]) =>
      this.parts.ledger.listVenueOrders({ working: true }, page);
    for await (const orders of slices(read, ({ id }) => id))
      for (const order of orders) await this.parts.giveUp.takeOrder(order);
  }
}
