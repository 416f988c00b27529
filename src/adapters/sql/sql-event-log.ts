import type { AccountId } from '../../core/ids.js';
import type { AccountEvent, TradingRecord } from '../../core/ledger/event-log.js';
import type { Page } from '../../core/ledger/query.js';
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
import type { Dialect } from './columns.js';
import { stamp } from './columns.js';
import { eventIn, LOG } from './event-table.js';
import type { LogWatch } from './log-watch.js';
import { EVENTS } from './order-table.js';
import { RowReader } from './row-reader.js';
import type { Store } from './store.js';
import { VERSIONS } from './strategy-table.js';
import { type RowsWanted, rowsAsText, type Template, wanting, wantingBy } from './table.js';
import { TRADING_HISTORY } from './trading-table.js';

/** Accounts examined, and events deleted, by one statement: few enough that no writer has to wait. */
const AT_ONCE = 1000;

/** An account, and when the oldest event that may be deleted was recorded; null where there is none. */
interface LogStart {
  readonly id: AccountId;
  readonly since: string | null;
}

/** One probe of the index for each account, so that a million of idle accounts cost seconds. */
const STARTS = `
  select page.id, (
    select first.recorded_at from account_events as first where first.account = page.id
      and exists (select 1 from account_events as later where later.account = page.id and later.seq > first.seq)
      order by first.seq limit 1
  ) as since
  from (select id from accounts where id > ? order by id limit ?) as page order by page.id`;

/** Reads parts of histories, each with the index. */
function readingHistories(dialect: Dialect): Template {
  const account = dialect.member(0, 'text');
  const id = dialect.member(1, 'text');
  const [after, upTo] = [dialect.member(2, 'integer'), dialect.member(3, 'integer')];
  return (parameter) =>
    `select ${rowsAsText(EVENTS, dialect)} as found from ${dialect.elements(parameter)} cross join order_events
      where order_events.account = ${account} and order_events.order_id = ${id}
        and order_events.seq > ${after} and order_events.seq <= ${upTo}`;
}

/** Runs a read or a change of the store, and turns its errors into the domain's. */
export interface StoreAccess {
  read<T>(ask: () => PromiseLike<T>): Promise<T>;
  write<T>(ask: () => PromiseLike<T>): Promise<T>;
}

/** The event log in SQLite or Postgres. */
export class SqlEventLog implements EventLog {
  readonly #rows: RowReader;
  readonly #histories: RowsWanted<OrderEvent>;
  readonly #versions: RowsWanted<Strategy>;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
    private readonly watchers: Pick<LogWatch, 'watch'>,
  ) {
    this.#rows = new RowReader(store);
    this.#histories = wantingBy(EVENTS, readingHistories(store.dialect));
    this.#versions = wanting(VERSIONS, store.dialect, VERSIONS.key);
  }

  async list(account: AccountId, { types, upTo }: EventFilter, page: Page<number>): Promise<readonly AccountEvent[]> {
    const found = await this.access.read(() =>
      this.#rows.oldestFirst(LOG, 'seq', page, (q) => {
        q.where({ account });
        if (upTo !== undefined) q.where('seq', '<=', upTo);
        if (types !== undefined) q.whereIn('type', [...types]);
      }),
    );
    return found.map(eventIn);
  }

  async latest(
    account: AccountId,
    { types, from }: LatestFilter,
    page: Page<number>,
  ): Promise<readonly AccountEvent[]> {
    const found = await this.access.read(() =>
      this.#rows.newestFirst(LOG, 'seq', page, (q) => {
        q.where({ account });
        if (from !== undefined) q.where('seq', '>=', from);
        if (types !== undefined) q.whereIn('type', [...types]);
      }),
    );
    return found.map(eventIn);
  }

  range(account: AccountId): Promise<LogRange | null> {
    return this.access.read(async () => {
      const seqs = this.store.reader(LOG.name).where({ account }).select<{ seq: string | number }[]>('seq').limit(1);
      const [[first], [last]] = await Promise.all([seqs.clone().orderBy('seq'), seqs.clone().orderBy('seq', 'desc')]);
      return first === undefined || last === undefined ? null : { first: Number(first.seq), last: Number(last.seq) };
    });
  }

  async histories(account: AccountId, orders: readonly HistoryRange[]): Promise<readonly OrderEvent[]> {
    const keys = orders.map(({ id, after, upTo }) => JSON.stringify([account, id, after, upTo]));
    const events = await this.#found(this.#histories, keys);
    return events.sort((a, b) => a.seq - b.seq);
  }

  versions(account: AccountId, strategies: readonly VersionName[]): Promise<readonly Strategy[]> {
    const keys = strategies.map(({ id, version }) => JSON.stringify([account, id, version]));
    return this.#found(this.#versions, keys);
  }

  trading(account: AccountId, page: Page<number>): Promise<readonly TradingRecord[]> {
    return this.access.read(() => this.#rows.newestFirst(TRADING_HISTORY, 'seq', page, (q) => q.where({ account })));
  }

  watch(account: AccountId, wake: () => void): () => void {
    return this.watchers.watch(account, wake);
  }

  async forget(moment: Date): Promise<number> {
    const [{ reader }, before] = [this.store, stamp(moment)];
    let forgotten = 0;
    for (let last = ''; ; ) {
      const found = await this.access.read(() =>
        reader.raw<LogStart[] | { rows: LogStart[] }>(STARTS, [last, AT_ONCE]),
      );
      const accounts = Array.isArray(found) ? found : found.rows;
      for (const { id, since } of accounts)
        if (since !== null && since < before) forgotten += await this.#forgetOf(id, moment);
      if (accounts.length < AT_ONCE) return forgotten;
      last = accounts.at(-1)?.id ?? last;
    }
  }

  async #found<T>(rows: RowsWanted<T>, keys: readonly string[]): Promise<T[]> {
    const records: T[] = [];
    const wanted = rows(keys, (found) => records.push(...found));
    if (wanted.length > 0) await this.access.read(() => this.store.snapshot((reads) => reads.read(wanted)));
    return records;
  }

  async #forgetOf(account: AccountId, moment: Date): Promise<number> {
    const range = await this.range(account);
    if (range === null) return 0;
    const kept = await this.access.read(() =>
      this.store
        .reader(LOG.name)
        .where({ account })
        .where('recorded_at', '>=', stamp(moment))
        .orderBy('seq')
        .first<{ seq: string | number } | undefined>('seq'),
    );
    const from = kept === undefined ? range.last : Number(kept.seq);
    for (let at = range.first; at < from; at += AT_ONCE) {
      const upTo = Math.min(from, at + AT_ONCE);
      await this.access.write(() => this.store.writer(LOG.name).where({ account }).where('seq', '<', upTo).delete());
    }
    return from - range.first;
  }
}
