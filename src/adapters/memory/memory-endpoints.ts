import type { Endpoint, EndpointKey } from '../../core/endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { EndpointStore } from '../../ports/endpoint-store.js';
import { MemoryDeliveries } from './memory-deliveries.js';
import { inOrder } from './pages.js';

/** The endpoints of a ledger in memory. */
export class MemoryEndpoints implements EndpointStore {
  readonly deliveries = new MemoryDeliveries();

  constructor(private readonly set: Pick<WorkingSet, 'endpoints'>) {}

  async find(account: AccountId, id: EndpointId): Promise<Endpoint | undefined> {
    return this.#all().find((one) => one.account === account && one.id === id);
  }

  async list(account: AccountId): Promise<readonly Endpoint[]> {
    const own = this.#all().filter((one) => one.account === account);
    return inOrder(own, ({ id }) => id, { limit: own.length });
  }

  async listActive({ limit, after }: Page<EndpointKey>): Promise<readonly Endpoint[]> {
    const active = this.#all().filter(({ state }) => state === 'active');
    return inOrder(active, nameOf, { limit, ...(after && { after: nameOf(after) }) });
  }

  #all(): readonly Endpoint[] {
    return this.set.endpoints.all().filter(({ state }) => state !== 'removed');
  }
}

const nameOf = ({ account, id }: EndpointKey): string => `${account}\n${id}`;
