import type { AccountId } from '../../core/ids.js';
import type { AccountEvent } from '../../core/ledger/event-log.js';
import { headsOf, LogWatchers } from '../../core/ledger/log-watchers.js';
import type { Page } from '../../core/ledger/query.js';
import type { TradingRecord } from '../../core/ledger/trading-history.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import type { EventFilter, EventLog, HistoryRange, LogRange, VersionName } from '../../ports/event-log.js';
import { newestFirst } from './pages.js';

/** The event log of a ledger in memory. */
export class MemoryEventLog implements EventLog {
  readonly #watchers = new LogWatchers();

  constructor(private readonly set: Pick<WorkingSet, 'log' | 'heads' | 'events' | 'versions' | 'trading'>) {}

  async list(
    account: AccountId,
    { types, upTo }: EventFilter,
    { limit, after = 0 }: Page<number>,
  ): Promise<readonly AccountEvent[]> {
    const found = this.#of(account).filter(({ seq, type }) => {
      return seq > after && (upTo === undefined || seq <= upTo) && (types === undefined || types.includes(type));
    });
    return found.slice(0, limit);
  }

  async range(account: AccountId): Promise<LogRange | null> {
    const own = this.#of(account);
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? null : { first: first.seq, last: last.seq };
  }

  async histories(account: AccountId, orders: readonly HistoryRange[]): Promise<readonly OrderEvent[]> {
    const wanted = new Map(orders.map((range) => [range.id, range]));
    const own = this.set.events.filter(({ account: owner, orderId, seq }) => {
      const range = wanted.get(orderId);
      return owner === account && range !== undefined && seq > range.after && seq <= range.upTo;
    });
    return own.toSorted((a, b) => a.seq - b.seq);
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
    for (const [account, head] of headsOf(events)) this.#watchers.grown(account, head);
  }

  async forget(moment: Date): Promise<number> {
    const { log, heads } = this.set;
    const isKept = new Set<AccountId>();
    let kept = 0;
    for (const event of log) {
      // In the order of commits: what follows an event that is kept is kept too.
      if (event.recordedAt >= moment || event.seq === heads.get(event.account)) isKept.add(event.account);
      if (!isKept.has(event.account)) continue;
      log[kept] = event;
      kept += 1;
    }
    const forgotten = log.length - kept;
    log.length = kept;
    return forgotten;
  }

  #of(account: AccountId): readonly AccountEvent[] {
    return this.set.log.filter((event) => event.account === account);
  }
}
