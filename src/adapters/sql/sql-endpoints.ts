import type { Endpoint, EndpointKey } from '../../core/endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { EndpointStore } from '../../ports/endpoint-store.js';
import { ENDPOINTS } from './endpoint-table.js';
import { RowReader } from './row-reader.js';
import { SqlDeliveries } from './sql-deliveries.js';
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
