import type { LogRange } from '../../../ports/event-log.js';
import type { Ledger } from '../../../ports/ledger.js';
import { InvariantBroken } from '../../errors.js';
import type { AccountId, DecisionId, OrderId } from '../../ids.js';
import {
  type AccountEvent,
  type EventData,
  EventsGone,
  type EventType,
  type LoggedEvent,
} from '../../ledger/event-log.js';
import type { Page } from '../../ledger/query.js';
import { applyEvent } from '../../order/apply.js';
import type { OrderEvent } from '../../order/event.js';
import type { Order } from '../../order/order.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import type { DecisionRecord } from '../../strategy/record/decision-record.js';
import type { Strategy } from '../../strategy/strategy.js';

/** A page of events. */
export interface EventPage {
  readonly items: readonly LoggedEvent[];
  /** The `after` of the next page. */
  readonly next: number;
  /** The number of the account's last event; 0 where there is none. */
  readonly head: number;
}

/** What happened, of a page of events. */
export interface DataPage extends Pick<EventPage, 'next' | 'head'> {
  readonly items: readonly Pick<LoggedEvent, 'type' | 'data'>[];
}

/** A page of events, newest first. */
export interface LatestEvents {
  readonly items: readonly LoggedEvent[];
  /** Where the next page begins: only events before this number; null at the end of what is kept. */
  readonly next: number | null;
  /** The number of the account's last event; 0 where there is none. */
  readonly head: number;
}

/** How many events one page looks at for the kinds that it wants. */
const MOST_READ = 5000;
const DIGITS = '0123456789abcdef';
const VARIANTS = '89ab89ab89ab89ab';

/** Reads the event log of an account; oldest first, a reader that goes on from the last event it saw misses none. */
export class ReadEvents {
  readonly #orders: LoggedOrders;
  readonly #decisions: LoggedDecisions;

  constructor(
    private readonly ledger: Ledger,
    private readonly context: Pick<OrderContext, 'digest'>,
  ) {
    this.#orders = new LoggedOrders(ledger);
    this.#decisions = new LoggedDecisions(ledger);
  }

  /** The numbers of the oldest event that is kept, and of the last one, which is 0 where there is none. */
  async range(account: AccountId): Promise<LogRange> {
    return (await this.ledger.log.range(account)) ?? { first: 1, last: 0 };
  }

  /**
   * Without `after`, from the oldest event that is kept. A page of few kinds may be empty, although more follow: go on from
   * `next` until it is `head`. @throws EventsGone where events after `after` are not kept any more
   */
  async page(account: AccountId, types: readonly EventType[] | null, page: Page<number>): Promise<EventPage> {
    const { events, ...range } = await this.#pageOf(account, types, page);
    return { items: await this.#shown(account, events), ...range };
  }

  /** The same page for who needs no ids and no moments: half as long for many events. @throws EventsGone */
  async data(account: AccountId, types: readonly EventType[], page: Page<number>): Promise<DataPage> {
    const { events, ...range } = await this.#pageOf(account, types, page);
    const dataOf = await this.#dataOf(account, events);
    return { items: events.map((event) => ({ type: event.type, data: dataOf(event) })), ...range };
  }

  async #pageOf(account: AccountId, types: readonly EventType[] | null, page: Page<number>) {
    const range = await this.ledger.log.range(account);
    const { limit, after = range === null ? 0 : range.first - 1 } = page;
    const { first, last } = range ?? { first: 1, last: 0 };
    if (after < first - 1 || after > last) throw new EventsGone(first, last);
    const upTo = after + MOST_READ;
    const events = await this.ledger.log.list(account, types === null ? {} : { types, upTo }, { limit, after });
    if (page.after !== undefined) await this.#checkKept(account, types, after, events);
    const newest = events.at(-1)?.seq ?? after;
    const readUpTo = types === null ? last : Math.min(last, upTo);
    const next = events.length === limit ? newest : Math.max(newest, readUpTo);
    return { events, next, head: Math.max(last, newest) };
  }

  /**
   * Newest first, those before the event `page.after`; without it from the last event. A page of few kinds may be empty, although
   * more follow: go on from `next` until it is null.
   */
  async latest(account: AccountId, types: readonly EventType[] | null, page: Page<number>): Promise<LatestEvents> {
    const { first, last } = await this.range(account);
    const before = Math.min(page.after ?? last + 1, last + 1);
    const from = Math.max(first, before - MOST_READ);
    const filter = types === null ? {} : { types, from };
    const events = await this.ledger.log.latest(account, filter, { limit: page.limit, after: before });
    const oldest = events.length === page.limit ? (events.at(-1)?.seq ?? from) : types === null ? first : from;
    const items = await this.#shown(account, events.toReversed());
    return { items: items.toReversed(), next: oldest > first ? oldest : null, head: last };
  }

  /** Events may have been deleted since the range was read. */
  async #checkKept(
    account: AccountId,
    types: readonly EventType[] | null,
    after: number,
    events: readonly AccountEvent[],
  ): Promise<void> {
    if (types === null && (events.length === 0 || events[0]?.seq === after + 1)) return;
    const range = await this.ledger.log.range(account);
    if (range !== null && after < range.first - 1) throw new EventsGone(range.first, range.last);
  }

  async #shown(account: AccountId, events: readonly AccountEvent[]): Promise<readonly LoggedEvent[]> {
    const dataOf = await this.#dataOf(account, events);
    return events.map((event) => {
      const { seq, type, recordedAt } = event;
      const data = dataOf(event);
      const at = momentOf(data) ?? recordedAt;
      return { id: this.#idOf(account, seq, recordedAt), seq, type, at, data };
    });
  }

  /** What each of these events is of. */
  async #dataOf(account: AccountId, events: readonly AccountEvent[]): Promise<(event: AccountEvent) => EventData> {
    const [orders, strategies, decisions] = await Promise.all([
      this.#orders.after(account, events),
      this.#strategiesAt(account, events),
      this.#decisions.of(account, events),
    ]);
    return ({ subject }) => subjectData(subject, orders, strategies, decisions);
  }

  async #strategiesAt(account: AccountId, events: readonly AccountEvent[]): Promise<ReadonlyMap<string, Strategy>> {
    const named = events.flatMap(({ subject }) => (subject.kind === 'strategy' ? [subject] : []));
    const found = named.length === 0 ? [] : await this.ledger.log.versions(account, named);
    return new Map(found.map((strategy) => [versionName(strategy), strategy]));
  }

  /** A UUIDv7 of the moment of the record, and of a digest in place of chance. */
  #idOf(account: AccountId, seq: number, recordedAt: Date): string {
    const time = recordedAt.getTime().toString(16).padStart(12, '0');
    const chance = this.context.digest(`${account}\n${seq}`);
    const variant = VARIANTS.charAt(DIGITS.indexOf(chance.charAt(3)));
    return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-${variant}${chance.slice(4, 7)}-${chance.slice(7, 19)}`;
  }
}

/** When it happened in the time of its market, which may be that of a tape; null of what has no market. */
function momentOf(data: EventData): Date | null {
  if (data.kind === 'order') return data.event.at;
  if (data.kind === 'decision') return data.decision.at;
  if (data.kind !== 'approval') return null;
  const { state, decision, decidedAt, expiresAt } = data.approval;
  return state === 'waiting' ? decision.at : state === 'expired' ? expiresAt : decidedAt;
}

const versionName = ({ id, version }: Pick<Strategy, 'id' | 'version'>): string => `${version} ${id}`;

/** @throws InvariantBroken where what the event names is not on record */
function subjectData(
  subject: AccountEvent['subject'],
  orders: Awaited<ReturnType<LoggedOrders['after']>>,
  strategies: ReadonlyMap<string, Strategy>,
  decisions: Awaited<ReturnType<LoggedDecisions['of']>>,
): EventData {
  if (subject.kind === 'order') return orders(subject);
  if (subject.kind === 'decision') return decisions(subject.id);
  if (subject.kind !== 'strategy') return subject;
  const strategy = strategies.get(versionName(subject));
  if (strategy === undefined) throw new InvariantBroken('every version of a strategy in the log is on record');
  return { kind: 'strategy', strategy };
}

/** A decision that is in the log. */
export interface Decided {
  readonly kind: 'decision';
  readonly decision: DecisionRecord;
}

/** The decisions that events name. */
class LoggedDecisions {
  constructor(private readonly ledger: Pick<Ledger, 'decisions'>) {}

  /** The decisions of these events, by their ids. @throws InvariantBroken for any other id */
  async of(account: AccountId, events: readonly AccountEvent[]): Promise<(id: DecisionId) => Decided> {
    const named = events.flatMap(({ subject }) => (subject.kind === 'decision' ? [subject.id] : []));
    // A store answers those that are asked for in one turn together.
    const found = await Promise.all(named.map((id) => this.ledger.decisions.find(account, id)));
    const byId = new Map(found.flatMap((decision) => (decision === undefined ? [] : [[decision.id, decision]])));
    return (id) => {
      const decision = byId.get(id);
      if (decision === undefined) throw new InvariantBroken('every decision in the log is on record');
      return { kind: 'decision', decision };
    };
  }
}

/** An event of an order, by the order's id and the number of the event in its history. */
interface Named {
  readonly id: OrderId;
  readonly seq: number;
}

/** An order right after one of its events. */
export interface OrderAfter {
  readonly kind: 'order';
  readonly order: Order;
  readonly event: OrderEvent;
}

/** Orders remembered: few, because each may have thousands of fills. */
const MOST = 100;

/** Orders as they were after their events; it goes on from what the page before left of them. */
class LoggedOrders {
  readonly #recent = new Map<OrderId, Order>();

  constructor(private readonly ledger: Pick<Ledger, 'log'>) {}

  /** The orders after each of these events. @throws InvariantBroken for any other event */
  async after(account: AccountId, events: readonly AccountEvent[]): Promise<(event: Named) => OrderAfter> {
    const wanted = events.flatMap(({ subject }) => (subject.kind === 'order' ? [subject] : []));
    const found = new Map<string, OrderAfter>(wanted.length === 0 ? [] : await this.#found(account, wanted));
    return (event) => {
      const after = found.get(nameOf(event));
      if (after === undefined) throw new InvariantBroken('every event of an order in the log is on record');
      return after;
    };
  }

  async #found(account: AccountId, wanted: readonly Named[]): Promise<[string, OrderAfter][]> {
    const names = new Set(wanted.map(nameOf));
    const first = new Map(wanted.toReversed().map(({ id, seq }) => [id, seq]));
    const last = new Map(wanted.map(({ id, seq }) => [id, seq]));
    const states = new Map([...first].flatMap(([id, seq]) => this.#known(account, id, seq)));
    const ranges = [...last].map(([id, upTo]) => ({ id, after: states.get(id)?.seq ?? 0, upTo }));
    const found: [string, OrderAfter][] = [];
    for (const event of await this.ledger.log.histories(account, ranges)) {
      const order = applyEvent(states.get(event.orderId), event);
      states.set(order.id, order);
      const name = nameOf(order);
      if (names.has(name)) found.push([name, { kind: 'order', order, event }]);
    }
    for (const order of states.values()) this.#remember(order);
    return found;
  }

  #known(account: AccountId, id: OrderId, before: number): [OrderId, Order][] {
    const order = this.#recent.get(id);
    return order !== undefined && order.account === account && order.seq < before ? [[id, order]] : [];
  }

  #remember(order: Order): void {
    this.#recent.delete(order.id);
    this.#recent.set(order.id, order);
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined && this.#recent.size > MOST) this.#recent.delete(oldest);
  }
}

const nameOf = ({ id, seq }: Named): string => `${seq} ${id}`;
