import type { BetHead } from '../../../../ports/bet-store.js';
import type { ClosePrices } from '../../../../ports/close-prices.js';
import type { Ledger } from '../../../../ports/ledger.js';
import type { DayOf, Pause } from '../../../../ports/system.js';
import type { AccountId, OrderId } from '../../../ids.js';
import { EventsGone, type EventType } from '../../../ledger/event-log.js';
import { type Page, slices } from '../../../ledger/query.js';
import { dayIn } from '../../../limits/counted.js';
import { NO_USDC, plus, type Usdc } from '../../../money.js';
import { applyEvent } from '../../../order/apply.js';
import type { Order } from '../../../order/order.js';
import { type BetRow, closesAt, eventKey } from '../../../performance/bet.js';
import { type BetFact, BetLedger, betOutcome, bookName, outcomeOfOrder } from '../../../performance/bet-ledger.js';
import { partedBet } from '../../../performance/earlier-orders.js';
import {
  formOfSums,
  type KeptSums,
  RESULTS_BY,
  type ResultBy,
  sumName,
  sumsAfter,
  sumsByKey,
} from '../../../performance/kept-sums.js';
import type { DataPage, ReadEvents } from '../../accounts/read-events.js';

/** What bets are made of. */
const TYPES: readonly EventType[] = [
  'order.fill',
  'order.fill_voided',
  'order.settled',
  'order.amended',
  'cash.deposited',
  'cash.withdrawn',
  'cash.reset',
];

const AT_ONCE = 500;
/** Of about so many bets sums are made anew at once: some milliseconds of work. */
const BETS_TOGETHER = 50;
const NEW: BetHead = { version: 0, seq: 0, books: new Map(), sumsForm: '' };

/** What follows what is on record. */
interface NextBets extends Pick<BetHead, 'seq' | 'books'> {
  /** New ones, and changed ones. */
  readonly bets: readonly BetRow[];
  /** Those that are there no longer. */
  readonly went: readonly BetRow[];
  /** Those of `bets` that were made anew from all of their orders. */
  readonly remade: readonly BetRow[];
}

/** The zone in which sums have their days. */
export interface DayZone {
  readonly dayOf?: DayOf | undefined;
  /** Its name; UTC if absent. */
  readonly dayZone?: string | undefined;
}

/**
 * Brings the bets of an account up to its event log. What is on record of them names the event that it was made from, so that any process
 * may go on at any time, after any crash: of two at once, one stores its change and the other begins again.
 */
export class KeepBets {
  constructor(
    private readonly ledger: Pick<Ledger, 'bets' | 'log' | 'listEntries'>,
    private readonly events: Pick<ReadEvents, 'data'>,
    private readonly zone: DayZone & { readonly pause?: Pause | undefined } = {},
    private readonly closes: ClosePrices | null = null,
  ) {}

  /** Resolves once every event that was on record at the call is in the bets. @throws StorageUnavailable */
  async execute(account: AccountId): Promise<void> {
    let due: number | undefined;
    for (;;) {
      const { last, ...progress } = await this.ledger.bets.progress(account);
      due ??= last;
      if (progress.seq >= due && this.#isCurrent(progress)) return;
      await this.step(account);
      await this.zone.pause?.();
    }
  }

  /** Takes the next events of the account, a bounded number of them; true where these were all. @throws StorageUnavailable */
  async step(account: AccountId): Promise<boolean> {
    return this.#advance(account, await this.#head(account));
  }

  async #head(account: AccountId): Promise<BetHead> {
    return (await this.ledger.bets.head(account)) ?? NEW;
  }

  #isCurrent({ sumsForm, version }: Pick<BetHead, 'sumsForm' | 'version'>): boolean {
    return sumsForm === this.#form || version === 0;
  }

  async #advance(account: AccountId, now: BetHead): Promise<boolean> {
    const { seq, books: before } = now;
    const { items, next, head } = await this.#pageAfter(account, seq);
    const known = await this.#known(account, items);
    const { changed, gone, books } = await this.#after(account, new BetLedger(before, known), items);
    const bets = changed.map((bet) => this.#closed(bet));
    const went = known.filter(({ id }) => gone.includes(id));
    const parted = new Set(known.flatMap(({ id, earlierOrders }) => (earlierOrders === undefined ? [] : [id])));
    const remade = bets.filter(({ id, earlierOrders }) => earlierOrders === undefined && parted.has(id));
    const isStored = await this.#store(account, now, { seq: next, books, bets, went, remade });
    return isStored && next >= head;
  }

  /**
   * Stores the closes that are known by now of those of these bets that still have none. Where another process changed bets of the account
   * meanwhile, nothing is stored. @throws StorageUnavailable
   */
  async close(account: AccountId, unclosed: readonly BetRow[]): Promise<void> {
    const now = await this.#head(account);
    const outcomes = [...new Set(unclosed.map(betOutcome))];
    const found = await this.ledger.bets.find(account, { outcomes, unclosed: true });
    const bets = found.map((bet) => this.#closed(bet)).filter((bet, at) => bet !== found[at]);
    const { seq, books } = now;
    if (bets.length > 0) await this.#store(account, now, { seq, books, bets, went: [], remade: [] });
  }

  /** The bet, with its close where that is known by now. */
  #closed(bet: BetRow): BetRow {
    return this.closes === null ? bet : closedBet(bet, this.closes);
  }

  /** False where another process changed the bets since. */
  async #store(account: AccountId, now: BetHead, { seq, books, bets, went, remade }: NextBets): Promise<boolean> {
    const isCurrent = this.#isCurrent(now);
    const changed = [...went, ...bets];
    const rows = isCurrent ? this.#sumsAfter(account, changed, bets) : this.#sumsAnew(account, changed, bets);
    const head = { seq, books, sumsForm: this.#form };
    const sums = { anew: !isCurrent, rows: await rows };
    const gone = went.map(({ id }) => id);
    const parted = bets.map(partedBet);
    return this.ledger.bets.advance({
      account,
      from: now.version,
      head,
      bets: parted.map(({ bet }) => bet),
      orders: parted.flatMap(({ parts }) => parts),
      remade: remade.map(({ id }) => id),
      gone,
      sums,
    });
  }

  get #form(): string {
    return formOfSums(this.zone.dayZone ?? 'UTC');
  }

  #sumsOf(bets: readonly BetRow[], divisions?: readonly ResultBy[]): readonly KeptSums[] {
    return sumsByKey(bets, (at) => dayIn(this.zone, at), divisions);
  }

  /** The sums that change with these bets; `after` are those of them that are left. */
  async #sumsAfter(account: AccountId, changed: readonly BetRow[], after: readonly BetRow[]) {
    if (changed.length === 0) return [];
    const { bets } = this.ledger;
    const before = await bets.find(account, { events: [...new Set(changed.map(eventKey))] });
    const less = this.#sumsOf(before);
    const more = this.#sumsOf(withChanged(before, changed, after));
    const names = [...new Set([...less, ...more].map(sumName))];
    const kept = new Map((await bets.sums(account, { names })).map((row) => [sumName(row), row]));
    return sumsAfter(less, more, kept);
  }

  /**
   * All sums, of all bets: where none were kept yet, or were made in another way. No more than the bets of some events are held at once,
   * and other work has its turn between them. 100,000 bets of a SQLite file took 20 s.
   */
  async #sumsAnew(account: AccountId, changed: readonly BetRow[], after: readonly BetRow[]) {
    const { bets } = this.ledger;
    const sums = new Map<string, KeptSums>();
    const seen = new Set<string>();
    const read = (page: Page<string>) => bets.list(account, {}, page);
    let together = 1;
    for await (const some of slices(read, ({ id }) => id)) {
      const events = [...new Set(some.map(eventKey))].filter((event) => !seen.has(event));
      for (let from = 0; from < events.length; ) {
        const names = new Set(events.slice(from, from + together));
        const found = await bets.find(account, { events: [...names] });
        const own = after.filter((bet) => names.has(eventKey(bet)));
        await this.#addTo(sums, withChanged(found, changed, own));
        for (const name of names) seen.add(name);
        from += names.size;
        // Twice as many events while these have few bets; from one on where they had many.
        if (found.length > BETS_TOGETHER) together = 1;
        else if (2 * found.length <= BETS_TOGETHER) together = Math.max(together, 2 * names.size);
      }
    }
    await this.#addTo(
      sums,
      after.filter((bet) => !seen.has(eventKey(bet))),
    );
    return [...sums.values()];
  }

  /** Adds bets, which are all of their events. */
  async #addTo(sums: Map<string, KeptSums>, bets: readonly BetRow[]): Promise<void> {
    const parts = bets.length > BETS_TOGETHER ? RESULTS_BY.map((by) => [by]) : [RESULTS_BY];
    for (const part of parts) {
      await this.zone.pause?.();
      for (const row of sumsAfter([], this.#sumsOf(bets, part), sums)) sums.set(sumName(row), row);
    }
  }

  /** The events after this number; of a log that has lost them, those that it still has. */
  async #pageAfter(account: AccountId, seq: number): Promise<DataPage> {
    try {
      return await this.events.data(account, TYPES, { limit: AT_ONCE, after: seq });
    } catch (error) {
      if (!(error instanceof EventsGone)) throw error;
      return this.events.data(account, TYPES, { limit: AT_ONCE, after: error.first - 1 });
    }
  }

  async #after(account: AccountId, ledger: BetLedger, events: DataPage['items']): Promise<BetLedger> {
    for (const { type, data } of events) {
      if (data.kind === 'order') await this.#take(account, ledger, type, data);
      if (data.kind !== 'cash') continue;
      if (type === 'cash.reset') ledger.reset(data.moved.amount);
      else ledger.deposit(data.moved.venue ?? 'paper', data.moved.amount);
    }
    return ledger;
  }

  /** The bets that these events may change: open ones in general, and those that ended where a result or a fill was undone. */
  async #known(account: AccountId, events: DataPage['items']) {
    const touched = new Set<string>();
    const undone = new Set<string>();
    let isReset = false;
    for (const { type, data } of events) {
      if (data.kind === 'order') (isUndoing(type) ? undone : touched).add(outcomeOfOrder(data.order));
      else isReset ||= type === 'cash.reset';
    }
    const { bets } = this.ledger;
    const [all, open] = await Promise.all([
      undone.size === 0 ? [] : bets.find(account, { outcomes: [...undone] }),
      bets.find(account, { open: true, ...(isReset ? {} : { outcomes: [...touched] }) }),
    ]);
    return [...all, ...open.filter((bet) => !undone.has(betOutcome(bet)))];
  }

  async #take(account: AccountId, ledger: BetLedger, type: EventType, step: BetFact): Promise<void> {
    const book = bookName(step.order.intent);
    if (book === 'paper' && !ledger.books.has(book)) ledger.deposit(book, await this.#opening(account));
    if (type === 'order.fill_voided')
      ledger.rebuild(outcomeOfOrder(step.order), await this.#history(account, ledger, step));
    else ledger.apply(step);
  }

  /** The cash that the paper account of an account began with. */
  async #opening(account: AccountId): Promise<Usdc> {
    const [first] = await this.ledger.listEntries(account, true, { limit: 1 });
    if (first?.cause !== 'opening') return NO_USDC;
    return first.lines.reduce((sum, line) => (line.ledger === 'cash' ? plus(sum, line.amount) : sum), NO_USDC);
  }

  /** All steps so far of the orders that traded the outcome, without those of fills that were undone since. */
  async #history(account: AccountId, ledger: BetLedger, { order }: BetFact): Promise<readonly BetFact[]> {
    const name = outcomeOfOrder(order);
    const upTo = new Map([[order.id, order.seq]]);
    const known = ledger.bets.filter((bet) => betOutcome(bet) === name);
    const parted = known.flatMap(({ id, earlierOrders }) => (earlierOrders === undefined ? [] : [id]));
    const parts = parted.length === 0 ? [] : await this.ledger.bets.ordersOf(account, parted);
    for (const { orderIds, orderSeqs } of [...parts, ...known])
      for (const [at, id] of orderIds.entries()) upTo.set(id, Math.max(upTo.get(id) ?? 0, orderSeqs[at] ?? 0));
    const ids = [...upTo];
    const steps: BetFact[] = [];
    for (let from = 0; from < ids.length; from += MOST_HISTORIES) {
      const ranges = ids.slice(from, from + MOST_HISTORIES).map(([id, seq]) => ({ id, after: 0, upTo: seq }));
      const orders = new Map<string, Order>();
      for (const event of await this.ledger.log.histories(account, ranges)) {
        const after = applyEvent(orders.get(event.orderId), event);
        orders.set(event.orderId, after);
        steps.push({ order: after, event });
      }
    }
    const undone = new Set(steps.flatMap(undoneTrade));
    return steps.filter(({ order: { id }, event: { change } }) => {
      return change.type !== 'fill' || !undone.has(tradeName(id, change.fill.tradeId));
    });
  }
}

const MOST_HISTORIES = 100;

/** A bet that has no close, with the one that is known by now. */
export function closedBet(bet: BetRow, closes: ClosePrices): BetRow {
  if (closesAt(bet) === null) return bet;
  const close = closes.closeOf(bet);
  return close === 'not_started' ? bet : { ...bet, close };
}

/** Bets without those that changed, and with what these became. */
function withChanged(bets: readonly BetRow[], changed: readonly BetRow[], after: readonly BetRow[]): readonly BetRow[] {
  const ids = new Set(changed.map(({ id }) => id));
  return [...bets.filter(({ id }) => !ids.has(id)), ...after];
}

const isUndoing = (type: EventType): boolean => type === 'order.fill_voided' || type === 'order.amended';

const tradeName = (order: OrderId, trade: string): string => `${order} ${trade}`;

const undoneTrade = ({ order: { id }, event: { change } }: BetFact): string[] =>
  change.type === 'fill_voided' ? [tradeName(id, change.tradeId)] : [];
