import type { AccountId, OrderId } from '../../core/ids.js';
import type { AccountEvent } from '../../core/ledger/event-log.js';
import type { Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { EventFilter, EventLog, LogRange } from '../../ports/event-log.js';

/** The event log of a ledger in memory. */
export class MemoryEventLog implements EventLog {
  constructor(private readonly set: Pick<WorkingSet, 'log' | 'heads' | 'events'>) {}

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

  async histories(account: AccountId, orders: readonly OrderId[]): Promise<readonly OrderEvent[]> {
    const own = this.set.events.filter((event) => event.account === account && orders.includes(event.orderId));
    return own.toSorted((a, b) => a.seq - b.seq);
  }

  async forget(moment: Date): Promise<number> {
    const { log, heads } = this.set;
    const kept = log.filter(({ account, seq, recordedAt }) => recordedAt >= moment || seq === heads.get(account));
    const forgotten = log.length - kept.length;
    log.splice(0, log.length, ...kept);
    return forgotten;
  }

  #of(account: AccountId): readonly AccountEvent[] {
    return this.set.log.filter((event) => event.account === account);
  }
}
