import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { slices } from '../../../ledger/query.js';
import type { Order } from '../../../order/order.js';
import type { SignalKey } from '../../../signal/signal.js';
import type { Strategy } from '../../../strategy/strategy.js';
import { ChangedStrategies } from './changed-strategies.js';
import type { GiveUpOrders } from './give-up-orders.js';
import type { HeldBackExits } from './held-back-exits.js';
import { OrderNews } from './order-news.js';
import type { RunExits } from './run-exits.js';

/** What looks after bets. */
export interface LookAfterBetsParts {
  readonly ledger: Ledger;
  readonly wallClock: Clock;
  readonly exits: RunExits;
  readonly heldBack: HeldBackExits;
  readonly giveUp: GiveUpOrders;
}

/**
 * Looks after the bets of strategies once they are placed: sells what they got by the rules of `exit`, and gives up what rests.
 * One server at a time does it. It begins with what is on record, and then reads what changed, whoever changed it.
 */
export class LookAfterBets {
  readonly #news: OrderNews;
  readonly #changed: ChangedStrategies;
  #hasBegun = false;

  constructor(private readonly parts: LookAfterBetsParts) {
    this.#news = new OrderNews(parts.ledger);
    this.#changed = new ChangedStrategies(parts.ledger, parts.wallClock);
  }

  /** Takes in strategies and orders that changed since the last call. @throws StorageUnavailable: the next call goes on there */
  async refresh(): Promise<void> {
    const { heldBack } = this.parts;
    await heldBack.begin();
    await this.#changed.read((strategy) => this.#take(strategy));
    if (!this.#hasBegun) await this.#takeWorking();
    this.#hasBegun = true;
    await this.#news.read((order) => this.placed(order));
    await heldBack.clear();
  }

  /** Takes in an order that was just placed, or changed. @throws StorageUnavailable */
  async placed(order: Order): Promise<void> {
    await this.parts.giveUp.takeOrder(order);
    await this.parts.exits.takeOrder(order);
  }

  /** The signals by which what is held is judged. */
  signalKeys(): readonly SignalKey[] {
    return this.parts.exits.bySignals.keys();
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
