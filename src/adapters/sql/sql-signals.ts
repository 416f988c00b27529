import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import { type OutcomeProbability, type Signal, type SignalKey, signalKeyText } from '../../core/signal/signal.js';
import type { SignalFilter, SignalStore } from '../../ports/signals.js';
import {
  as,
  type Dialect,
  group,
  microColumn,
  momentColumn,
  orNull,
  postgresDialect,
  sqliteDialect,
  stamp,
  textColumn,
} from './columns.js';
import { Lookup } from './lookup.js';
import { RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';
import { storing, type Table, table } from './table.js';

/** Signals of one statement: it holds the database for a moment only. */
const TOGETHER = 1000;

/** Signals that wait to be stored, and their caller. */
interface Waiting {
  readonly signals: readonly Signal[];
  stored(): void;
  failed(error: unknown): void;
}

/** Signals in SQLite or Postgres. Those that arrive while others are being stored share the next statement. */
export class SqlSignals implements SignalStore {
  readonly #rows: RowReader;
  readonly #lookup: Lookup<Signal>;
  readonly #waiting: Waiting[] = [];
  #storing: Promise<void> | null = null;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.#lookup = new Lookup(SIGNALS, store, store.reads);
  }

  find({ account, name, venue, marketId }: SignalKey): Promise<Signal | undefined> {
    return this.access.read(() => this.#lookup.find(account, name, venue, marketId));
  }

  put(signals: readonly Signal[]): Promise<void> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ signals, stored, failed });
      this.#storing ??= this.#storeAll();
    });
  }

  list(account: AccountId, filter: SignalFilter, { limit, after }: Page<SignalKey>): Promise<readonly Signal[]> {
    const { name, marketId } = filter;
    return this.access.read(() =>
      this.#rows.all(SIGNALS, (q) => {
        q.where({ account, ...(name && { name }), ...(marketId && { market_id: marketId }) });
        if (after !== undefined)
          q.whereRaw('(name, venue, market_id) > (?, ?, ?)', [after.name, after.venue, after.marketId]);
        q.orderBy(['name', 'venue', 'market_id']).limit(limit);
      }),
    );
  }

  async remove(key: SignalKey): Promise<Signal | undefined> {
    const { account, name, venue, marketId } = key;
    const found = await this.find(key);
    if (found === undefined) return undefined;
    const { writer } = this.store;
    const row = { account, name, venue, market_id: marketId };
    const removed = await this.access.write(() => writer(SIGNALS.name).where(row).delete());
    return removed === 0 ? undefined : found;
  }

  async count(account: AccountId): Promise<number> {
    const { reader } = this.store;
    const counted = reader(SIGNALS.name).where({ account }).count<{ many: number | string }[]>({ many: '*' });
    const [row] = await this.access.read(() => counted);
    return Number(row?.many ?? 0);
  }

  /** Looks through all of them, off the connection that writes: there is no index of expiries. */
  async forgetExpired(now: Date, account?: AccountId): Promise<number> {
    let forgotten = 0;
    for (let after: Signal | undefined; ; ) {
      const expired = await this.#expired(now, account, after);
      if (expired.length > 0) forgotten += await this.#forget(expired, now);
      after = expired.at(-1);
      if (expired.length < TOGETHER) return forgotten;
    }
  }

  /** Resolves once everything that was put is answered. */
  async settled(): Promise<void> {
    await this.#storing;
  }

  /** The first of them in the order of their keys, after the one named. */
  #expired(now: Date, account: AccountId | undefined, after: Signal | undefined): Promise<readonly Signal[]> {
    return this.access.read(() =>
      this.#rows.all(SIGNALS, (q) => {
        q.where('expires_at', '<=', stamp(now));
        if (account !== undefined) q.where({ account });
        const key = after && [after.account, after.name, after.venue, after.marketId];
        if (key !== undefined) q.whereRaw('(account, name, venue, market_id) > (?, ?, ?, ?)', key);
        q.orderBy([...SIGNALS.key]).limit(TOGETHER);
      }),
    );
  }

  async #forget(signals: readonly Signal[], now: Date): Promise<number> {
    const { writer, dialect } = this.store;
    const keys = JSON.stringify(signals.map((signal) => SIGNALS.encode(signal).slice(0, SIGNALS.key.length)));
    const values = [keys, stamp(now)];
    const gone = await this.access.write(async () =>
      dialect.name === 'postgres'
        ? (await writer.raw(POSTGRES_FORGET, values)).rows
        : writer.raw(SQLITE_FORGET, values),
    );
    return gone.length;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await nextTurn();
      const taken = this.#take();
      try {
        await this.#store(taken.flatMap(({ signals }) => signals));
        for (const { stored } of taken) stored();
      } catch (error) {
        for (const { failed } of taken) failed(error);
      }
    }
    this.#storing = null;
  }

  /** Whole requests: each is stored completely or not at all. */
  #take(): readonly Waiting[] {
    let many = 0;
    const next = this.#waiting.findIndex(({ signals }, at) => {
      many += signals.length;
      return at > 0 && many > TOGETHER;
    });
    return this.#waiting.splice(0, next === -1 ? this.#waiting.length : next);
  }

  async #store(signals: readonly Signal[]): Promise<void> {
    // The later of two for one key counts; in order, so that processes that store the same ones never deadlock.
    const last = [...new Map(signals.map((signal) => [signalKeyText(signal), signal]))];
    const sorted = last.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, signal]) => SIGNALS.encode(signal));
    const { writer, dialect } = this.store;
    const json = JSON.stringify(sorted);
    await this.access.write(async () => {
      if (dialect.name === 'postgres') await writer.raw(POSTGRES_PUT, [json]);
      else await writer.raw(SQLITE_PUT, [json]);
      // A write to a file that was taken away is not stored.
      this.store.check();
    });
  }
}

const outcome = (place: string) =>
  group<OutcomeProbability>({
    label: as(`${place}_label`, textColumn()),
    probability: as(`${place}_probability`, microColumn()),
  });

/** What models say of markets, a row each. */
const SIGNALS: Table<Signal> = table<Signal>(
  'signals',
  {
    account: textColumn(),
    name: textColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    first: outcome('first'),
    second: outcome('second'),
    expiresAt: momentColumn(),
    source: orNull(textColumn()),
    updatedAt: momentColumn(),
  },
  { key: ['account', 'name', 'venue', 'market_id'] },
);

/** Deletes the signals of a JSON array of keys that have expired by a moment; a signal renewed in between stays. */
function forgetting(dialect: Dialect): string {
  const key = SIGNALS.key.map((_, at) => dialect.member(at, 'text')).join(', ');
  const named = `(${SIGNALS.key.join(', ')}) in (select ${key} from ${dialect.elements('?')})`;
  return `delete from signals where ${named} and expires_at <= ? returning name`;
}

/** The statement that stores the signals of a JSON array, on SQLite. */
const SQLITE_PUT = storing(SIGNALS, sqliteDialect)('?');
/** The statement that stores the signals of a JSON array, on Postgres. */
const POSTGRES_PUT = storing(SIGNALS, postgresDialect)('?');
/** The statement that deletes expired ones, on SQLite. */
const SQLITE_FORGET = forgetting(sqliteDialect);
/** The statement that deletes expired ones, on Postgres. */
const POSTGRES_FORGET = forgetting(postgresDialect);
