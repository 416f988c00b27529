import type { Knex } from 'knex';
import type { EventDelivery, Progress } from '../../core/endpoint/delivery.js';
import type { Endpoint, EndpointKey } from '../../core/endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { DeliveryChanges, DeliveryStore, EndpointStore } from '../../ports/endpoint-store.js';
import { stamp } from './columns.js';
import { DELIVERIES, ENDPOINTS, POSTGRES_DELIVERY, PROGRESS, SQLITE_DELIVERY } from './endpoint-table.js';
import { RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';

/** Where events are sent to, in SQLite or Postgres. */
export class SqlEndpoints implements EndpointStore {
  readonly deliveries: EndpointStore['deliveries'];
  readonly #rows: RowReader;

  constructor(
    store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.deliveries = new SqlDeliveries(store, access);
  }

  find(account: AccountId, id: EndpointId): Promise<Endpoint | undefined> {
    return this.access.read(() =>
      this.#rows.first(ENDPOINTS, (q) => q.where({ account, id }).whereNot({ state: 'removed' })),
    );
  }

  list(account: AccountId): Promise<readonly Endpoint[]> {
    return this.access.read(() =>
      this.#rows.all(ENDPOINTS, (q) => q.where({ account }).whereNot({ state: 'removed' }).orderBy('id')),
    );
  }

  listActive({ limit, after }: Page<EndpointKey>): Promise<readonly Endpoint[]> {
    return this.access.read(() =>
      this.#rows.all(ENDPOINTS, (q) => {
        // Spelt as in its index.
        q.whereRaw("state = 'active'").orderBy(['account', 'id']).limit(limit);
        if (after !== undefined) q.whereRaw('(account, id) > (?, ?)', [after.account, after.id]);
      }),
    );
  }
}

/** How far events were sent to each endpoint, in SQLite or Postgres. */
class SqlDeliveries implements DeliveryStore {
  readonly #rows: RowReader;
  readonly #statements;

  constructor(
    private readonly database: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(database);
    this.#statements = database.dialect.name === 'postgres' ? POSTGRES_DELIVERY : SQLITE_DELIVERY;
  }

  progress(account: AccountId): Promise<readonly Progress[]> {
    return this.access.read(() => this.#rows.all(PROGRESS, (q) => q.where({ account })));
  }

  waiting({ account, id }: EndpointKey, limit: number): Promise<readonly EventDelivery[]> {
    return this.access.read(() =>
      this.#rows.all(DELIVERIES, (q) => {
        q.where({ account, endpoint_id: id }).whereNotNull('next_at').orderBy('seq').limit(limit);
      }),
    );
  }

  list({ account, id }: EndpointKey, page: Page<number>): Promise<readonly EventDelivery[]> {
    return this.access.read(() =>
      this.#rows.newestFirst(DELIVERIES, 'seq', page, (q) => q.where({ account, endpoint_id: id })),
    );
  }

  async store({ progress, put = [], remove = [] }: DeliveryChanges): Promise<void> {
    const { MOVE, PUT, REMOVE } = this.#statements;
    if (put.length > 0) await this.#run(PUT, put.map(DELIVERIES.encode));
    if (remove.length > 0) await this.#run(REMOVE, remove.map(keyOf));
    if (progress !== undefined) await this.#run(MOVE, [PROGRESS.encode(progress)]);
  }

  async forget({ account, id }: EndpointKey): Promise<void> {
    await this.#run(this.#statements.FORGET, [[account, id]]);
    await this.#run(this.#statements.FORGET_PROGRESS, [[account, id]]);
  }

  forgetGivenUp(before: Date): Promise<number> {
    const isOld = (q: Knex.QueryBuilder) => void q.whereNull('tried_at').orWhere('tried_at', '<', stamp(before));
    return this.access.write(() => this.database.writer(DELIVERIES.name).whereNull('next_at').andWhere(isOld).delete());
  }

  /** Outside of the groups of writes: no decision is made on these tables. */
  async #run(SQL: string, rows: readonly unknown[]): Promise<void> {
    const { writer } = this.database;
    const json = JSON.stringify(rows);
    await this.access.write(async () => {
      await writer.raw(SQL, [json]);
      // A write to a file that was taken away is not stored.
      this.database.check();
    });
  }
}

const keyOf = ({ account, endpointId, seq }: EventDelivery) => [account, endpointId, seq];
