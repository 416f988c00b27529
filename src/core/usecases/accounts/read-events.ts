import type { LogRange } from '../../../ports/event-log.js';
import type { Ledger } from '../../../ports/ledger.js';
import { InvariantBroken } from '../../errors.js';
import { EventsGone } from '../../events-gone.js';
import type { AccountId } from '../../ids.js';
import type { AccountEvent, EventType } from '../../ledger/event-log.js';
import type { EventData, LoggedEvent } from '../../ledger/logged-event.js';
import type { Page } from '../../ledger/query.js';
import type { OrderContext } from '../../posting/order-context.js';
import type { Strategy } from '../../strategy/strategy.js';
import { LoggedDecisions } from './logged-decisions.js';
import { LoggedOrders } from './logged-orders.js';

/** A page of events. */
export interface EventPage {
  readonly items: readonly LoggedEvent[];
  /** The `after` of the next page. */
  readonly next: number;
  /** The number of the account's last event; 0 where there is none. */
  readonly head: number;
}

/** How many events one page looks at for the kinds that it wants. */
const LOOKED_AT = 5000;
const DIGITS = '0123456789abcdef';
const VARIANTS = '89ab89ab89ab89ab';

/** Reads the event log of an account, oldest first: a reader that goes on from the last event it saw misses none. */
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
    const range = await this.ledger.log.range(account);
    const { limit, after = range === null ? 0 : range.first - 1 } = page;
    const { first, last } = range ?? { first: 1, last: 0 };
    if (after < first - 1 || after > last) throw new EventsGone(first, last);
    const upTo = after + LOOKED_AT;
    const events = await this.ledger.log.list(account, types === null ? {} : { types, upTo }, { limit, after });
    if (page.after !== undefined) await this.#checkKept(account, types, after, events);
    const newest = events.at(-1)?.seq ?? after;
    const seen = types === null ? last : Math.min(last, upTo);
    const next = events.length === limit ? newest : Math.max(newest, seen);
    return { items: await this.#shown(account, events), next, head: Math.max(last, newest) };
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
    const [orders, strategies, decisions] = await Promise.all([
      this.#orders.after(account, events),
      this.#strategiesAt(account, events),
      this.#decisions.of(account, events),
    ]);
    return events.map(({ seq, type, recordedAt, subject }) => {
      const data = dataOf(subject, orders, strategies, decisions);
      const at = data.kind === 'order' ? data.event.at : recordedAt;
      return { id: this.#idOf(account, seq, recordedAt), seq, type, at, data };
    });
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

const versionName = ({ id, version }: Pick<Strategy, 'id' | 'version'>): string => `${version} ${id}`;

/** @throws InvariantBroken where what the event names is not on record */
function dataOf(
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
