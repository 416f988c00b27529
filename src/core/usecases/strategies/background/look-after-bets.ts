import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import type { AccountId, OrderId } from '../../../ids.js';
import type { EventType } from '../../../ledger/event-log.js';
import { slices } from '../../../ledger/query.js';
import type { Order } from '../../../order/order.js';
import type { SignalKey } from '../../../signal/signal.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { Judgement } from '../judgement.js';
import type { Judged, PlaceBet } from '../place-bet.js';
import { ChangedStrategies } from './changed-strategies.js';
import type { GiveUpOrders } from './give-up-orders.js';
import type { HeldBackExits } from './held-back-exits.js';
import type { RunExits } from './run-exits.js';
import type { FollowedMarkets } from './watched-markets.js';

/** What looks after bets. */
export interface LookAfterBetsParts {
  readonly ledger: Ledger;
  readonly wallClock: Clock;
  readonly exits: RunExits;
  /** Where markets are followed for exits. */
  readonly followed: FollowedMarkets;
  readonly heldBack: HeldBackExits;
  readonly giveUp: GiveUpOrders;
}

/**
 * Manages the bets of strategies once they are placed: sells what they got by the rules of `exit`, and gives up what rests.
 * One server at a time does it. It begins with what is on record, and then reads what changed, by whichever writer.
 */
export class LookAfterBets {
  readonly #news: OrderNews;
  readonly #changed: ChangedStrategies;
  #hasBegun = false;

  constructor(private readonly parts: LookAfterBetsParts) {
    this.#news = new OrderNews(parts.ledger);
    this.#changed = new ChangedStrategies(parts.ledger, parts.wallClock);
  }

  /** Where markets are followed for exits: those for bets are followed there too, each once. */
  get followed(): FollowedMarkets {
    return this.parts.followed;
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
    return this.parts.exits.signalKeys();
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

/** What changes a position, or whether an order rests. */
const TYPES: readonly EventType[] = [
  ...(['order.accepted', 'order.fill', 'order.fill_voided', 'order.rejected'] as const),
  ...(['order.cancelled', 'order.expired', 'order.settled', 'order.amended'] as const),
];
const PAGE = 500;
/** Accounts whose logs are read at once. */
const AT_ONCE = 16;

/** Finds orders that changed, on whichever server, in the event logs of accounts. */
class OrderNews {
  /** The number of the last event that was read, by account. */
  readonly #lastSeq = new Map<AccountId, number>();

  constructor(private readonly ledger: Pick<Ledger, 'log' | 'findOrder'>) {}

  /** What happens to the account from now on is news. @throws StorageUnavailable */
  async watch(account: AccountId): Promise<void> {
    if (!this.#lastSeq.has(account)) this.#lastSeq.set(account, (await this.ledger.log.range(account))?.last ?? 0);
  }

  /** Hands over every order of a strategy that changed since the last call. @throws StorageUnavailable, and what `take` throws */
  async read(take: (order: Order) => Promise<void>): Promise<void> {
    const accounts = [...this.#lastSeq.keys()];
    // Few at once: a store has few connections for lists.
    for (let first = 0; first < accounts.length; first += AT_ONCE)
      await Promise.all(accounts.slice(first, first + AT_ONCE).map((account) => this.#read(account, take)));
  }

  async #read(account: AccountId, take: (order: Order) => Promise<void>): Promise<void> {
    for (let isWhole = false; !isWhole; ) {
      const after = this.#lastSeq.get(account) ?? 0;
      const events = await this.ledger.log.list(account, {}, { limit: PAGE, after });
      isWhole = events.length < PAGE;
      const named = events.flatMap(({ type, subject }) =>
        TYPES.includes(type) && subject.kind === 'order' ? [subject.id] : [],
      );
      const orders = await Promise.all([...new Set<OrderId>(named)].map((id) => this.ledger.findOrder(account, id)));
      for (const order of orders) {
        if (order !== undefined && order.intent.strategy !== null) await take(order);
      }
      // Only now: what could not be taken is read again.
      this.#lastSeq.set(account, events.at(-1)?.seq ?? after);
    }
  }
}

/** Places bets as the given use case does, and hands each over to what looks after it. */
export class FollowedBets implements Pick<PlaceBet, 'execute'> {
  constructor(
    private readonly placeBet: Pick<PlaceBet, 'execute'>,
    private readonly after: Pick<LookAfterBets, 'placed'>,
  ) {}

  /** @throws what placing throws */
  async execute(judgement: Judgement): Promise<Judged | null> {
    const judged = await this.placeBet.execute(judgement);
    // An order that could not be taken in now is read from the log of its account.
    if (judged !== null && judged.order !== null) await this.after.placed(judged.order).catch(() => {});
    return judged;
  }
}
