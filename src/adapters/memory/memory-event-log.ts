import type { AccountId, OrderId } from '../../core/ids.js';
import type { AccountEvent, TradingRecord } from '../../core/ledger/event-log.js';
import { headsOf, LogWatchers } from '../../core/ledger/event-log.js';
import type { Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import type {
  EventFilter,
  EventLog,
  HistoryRange,
  LatestFilter,
  LogRange,
  VersionName,
} from '../../ports/event-log.js';
import { newestFirst } from './filters.js';

/** The event log of a ledger in memory: the events of each account, whose numbers have no holes, and of each order. */
export class MemoryEventLog implements EventLog {
  readonly #watchers = new LogWatchers();
  readonly #logs = new Map<AccountId, AccountEvent[]>();
  readonly #histories = new Map<OrderId, OrderEvent[]>();
  /** How many events of orders are in the histories. */
  #indexed = 0;

  constructor(private readonly set: Pick<WorkingSet, 'heads' | 'events' | 'versions' | 'trading'>) {}

  async list(
    account: AccountId,
    { types, upTo = Number.POSITIVE_INFINITY }: EventFilter,
    { limit, after = 0 }: Page<number>,
  ): Promise<readonly AccountEvent[]> {
    const own = this.#of(account);
    const found: AccountEvent[] = [];
    for (let at = Math.max(0, after + 1 - (own[0]?.seq ?? 0)); found.length < limit; at += 1) {
      const event = own[at];
      if (event === undefined || event.seq > upTo) break;
      if (types === undefined || types.includes(event.type)) found.push(event);
    }
    return found;
  }

  async latest(
    account: AccountId,
    { types, from = 0 }: LatestFilter,
    { limit, after = Number.POSITIVE_INFINITY }: Page<number>,
  ): Promise<readonly AccountEvent[]> {
    const own = this.#of(account);
    const found: AccountEvent[] = [];
    for (let at = Math.min(own.length, after - (own[0]?.seq ?? 0)) - 1; found.length < limit; at -= 1) {
      const event = own[at];
      if (event === undefined || event.seq < from) break;
      if (types === undefined || types.includes(event.type)) found.push(event);
    }
    return found;
  }

  async range(account: AccountId): Promise<LogRange | null> {
    const own = this.#of(account);
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? null : { first: first.seq, last: last.seq };
  }

  async histories(account: AccountId, orders: readonly HistoryRange[]): Promise<readonly OrderEvent[]> {
    const wanted = new Map(orders.map((range) => [range.id, range]));
    const found = [...wanted.values()].flatMap(({ id, after, upTo }) =>
      this.historyOf(id).filter(({ account: owner, seq }) => owner === account && seq > after && seq <= upTo),
    );
    return found.toSorted((a, b) => a.seq - b.seq);
  }

  /** The events of one order, in order. */
  historyOf(order: OrderId): readonly OrderEvent[] {
    for (const event of this.set.events.slice(this.#indexed)) listIn(this.#histories, event.orderId).push(event);
    this.#indexed = this.set.events.length;
    return this.#histories.get(order) ?? [];
  }

  async versions(account: AccountId, strategies: readonly VersionName[]): Promise<readonly Strategy[]> {
    return this.set.versions.filter(
      (one) =>
        one.account === account && strategies.some(({ id, version }) => one.id === id && one.version === version),
    );
  }

  async trading(account: AccountId, page: Page<number>): Promise<readonly TradingRecord[]> {
    const own = this.set.trading.filter((record) => record.account === account);
    return newestFirst(own, ({ seq }) => seq, page);
  }

  watch(account: AccountId, wake: () => void): () => void {
    return this.#watchers.watch(account, wake);
  }

  /** These events were added. */
  added(events: readonly AccountEvent[]): void {
    for (const event of events) listIn(this.#logs, event.account).push(event);
    for (const [account, head] of headsOf(events)) this.#watchers.grown(account, head);
  }

  async forget(moment: Date): Promise<number> {
    let forgotten = 0;
    for (const [account, own] of this.#logs) {
      const last = this.set.heads.get(account);
      // In the order of commits: what follows an event that is kept is kept too.
      const kept = own.findIndex(({ recordedAt, seq }) => recordedAt >= moment || seq === last);
      forgotten += own.splice(0, kept).length;
    }
    return forgotten;
  }

  #of(account: AccountId): readonly AccountEvent[] {
    return this.#logs.get(account) ?? [];
  }
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
