import type { AccountId, OrderId } from '../../core/ids.js';
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
import { type Dialect, rowIn, rowsIn, stamp, wholeIn } from './columns.js';
import { eventIn, LOG } from './event-table.js';
import type { LogWatch } from './log-watch.js';
import { EVENTS } from './order-table.js';
import type { RecentHistories } from './recent-histories.js';
import { RowReader } from './row-reader.js';
import type { Ask, Store } from './store.js';
import { VERSIONS } from './strategy-table.js';
import { type Rows, reading, rowsAsText, type Template } from './table.js';
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

/** Reads a page of a log, of some kinds or of all. */
function listing(dialect: Dialect, ofKinds: boolean): string {
  const [account, after, upTo, ...more] = [0, 1, 2, 3, 4].map((at) => dialect.parameter(at));
  const [kinds, limit] = ofKinds ? more : ['', ...more];
  const among = dialect.among(`select ${dialect.member(0, 'text')} from ${dialect.elements(kinds ?? '')}`);
  const page = `select * from ${LOG.name} where account = ${account} and seq > ${after} and seq <= ${upTo}
    ${ofKinds ? `and type ${among}` : ''} order by seq limit ${limit}`;
  return `select ${rowsAsText(LOG, dialect)} as found from (${page}) as ${LOG.name}`;
}

/** The numbers of the first and the last event of a log, each found in its index. */
function readingRange(dialect: Dialect): string {
  const seq = (way: string, at: number) =>
    `(select seq from ${LOG.name} where account = ${dialect.parameter(at)} order by seq ${way} limit 1)`;
  return `select ${dialect.text(dialect.array([seq('asc', 0), seq('desc', 1)]))} as found`;
}

/** Runs a read or a change of the store, and turns its errors into the domain's. */
export interface StoreAccess {
  read<T>(ask: () => PromiseLike<T>): Promise<T>;
  write<T>(ask: () => PromiseLike<T>): Promise<T>;
}

/** The event log in SQLite or Postgres. */
export class SqlEventLog implements EventLog {
  readonly #rows: RowReader;
  readonly #histories: string;
  readonly #versions: string;
  readonly #range: string;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
    private readonly own: {
      readonly watchers: Pick<LogWatch, 'watch'>;
      readonly recent: Pick<RecentHistories, 'part'>;
    },
  ) {
    const { dialect } = store;
    this.#rows = new RowReader(store);
    this.#histories = readingHistories(dialect)(dialect.parameter(0));
    this.#versions = reading(VERSIONS, dialect, VERSIONS.key)(dialect.parameter(0));
    this.#range = readingRange(dialect);
  }

  async list(
    account: AccountId,
    filter: EventFilter,
    { limit, after = 0 }: Page<number>,
  ): Promise<readonly AccountEvent[]> {
    const { types, upTo = Number.MAX_SAFE_INTEGER } = filter;
    const sql = listing(this.store.dialect, types !== undefined);
    const kinds = types === undefined ? [] : [JSON.stringify(types.map((type) => [type]))];
    const rows = rowsIn(await this.#ask(sql, account, after, upTo, ...kinds, limit));
    return rows.map((row) => eventIn(LOG.decode(row))).sort((a, b) => a.seq - b.seq);
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

  async range(account: AccountId): Promise<LogRange | null> {
    const [first = null, last = null] = rowIn(await this.#ask(this.#range, account, account));
    return first === null || last === null ? null : { first: wholeIn(first), last: wholeIn(last) };
  }

  async histories(account: AccountId, orders: readonly HistoryRange[]): Promise<readonly OrderEvent[]> {
    const events: OrderEvent[] = [];
    const unknown: (readonly [AccountId, OrderId, number, number])[] = [];
    for (const range of orders) {
      const known = this.own.recent.part(account, range);
      if (known === undefined) unknown.push([account, range.id, range.after, range.upTo]);
      else events.push(...known);
    }
    events.push(...(await this.#found(EVENTS, this.#histories, unknown)));
    return events.sort((a, b) => a.seq - b.seq);
  }

  versions(account: AccountId, strategies: readonly VersionName[]): Promise<readonly Strategy[]> {
    const keys = strategies.map(({ id, version }) => [account, id, version]);
    return this.#found(VERSIONS, this.#versions, keys);
  }

  trading(account: AccountId, page: Page<number>): Promise<readonly TradingRecord[]> {
    return this.access.read(() => this.#rows.newestFirst(TRADING_HISTORY, 'seq', page, (q) => q.where({ account })));
  }

  watch(account: AccountId, wake: () => void): () => void {
    return this.own.watchers.watch(account, wake);
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

  async #found<T>(table: Rows<T>, sql: string, keys: readonly unknown[]): Promise<T[]> {
    return keys.length === 0 ? [] : rowsIn(await this.#ask(sql, JSON.stringify(keys))).map(table.decode);
  }

  #ask(...asked: Parameters<Ask>): Promise<string> {
    return this.access.read(() => this.store.reads.using((ask) => ask(...asked)));
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
