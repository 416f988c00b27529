import type { EventDelivery, Progress } from '../../core/endpoint/delivery.js';
import type { Endpoint, EndpointKey } from '../../core/endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { DeliveryChanges, DeliveryStore, EndpointStore } from '../../ports/endpoint-store.js';
import { inOrder, newestFirst } from './filters.js';

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

/** How far events were sent to each endpoint, in memory. */
class MemoryDeliveries implements DeliveryStore {
  readonly #progress = new Map<string, Progress>();
  readonly #deliveries = new Map<string, EventDelivery>();

  async progress(account: AccountId): Promise<readonly Progress[]> {
    return [...this.#progress.values()].filter((one) => one.account === account);
  }

  async waiting(endpoint: EndpointKey, limit: number): Promise<readonly EventDelivery[]> {
    const waiting = this.#of(endpoint).filter(({ nextAt }) => nextAt !== null);
    return waiting.sort((a, b) => a.seq - b.seq).slice(0, limit);
  }

  async list(endpoint: EndpointKey, page: Page<number>): Promise<readonly EventDelivery[]> {
    return newestFirst(this.#of(endpoint), ({ seq }) => seq, page);
  }

  async store({ progress, put = [], remove = [] }: DeliveryChanges): Promise<void> {
    for (const delivery of put) this.#deliveries.set(deliveryName(delivery), delivery);
    for (const delivery of remove) this.#deliveries.delete(deliveryName(delivery));
    if (progress === undefined) return;
    const known = this.#progress.get(progressName(progress));
    if (known !== undefined && known.epoch > progress.epoch) return;
    const passed = known?.epoch === progress.epoch ? Math.max(known.passed, progress.passed) : progress.passed;
    this.#progress.set(progressName(progress), { ...progress, passed });
  }

  async forget(endpoint: EndpointKey): Promise<void> {
    for (const delivery of this.#of(endpoint)) this.#deliveries.delete(deliveryName(delivery));
    this.#progress.delete(progressName({ account: endpoint.account, endpointId: endpoint.id }));
  }

  async forgetGivenUp(before: Date): Promise<number> {
    const isOld = ({ nextAt, triedAt }: EventDelivery) => nextAt === null && (triedAt === null || triedAt < before);
    const old = [...this.#deliveries.values()].filter(isOld);
    for (const delivery of old) this.#deliveries.delete(deliveryName(delivery));
    return old.length;
  }

  #of({ account, id }: EndpointKey): EventDelivery[] {
    return [...this.#deliveries.values()].filter((one) => one.account === account && one.endpointId === id);
  }
}

const progressName = ({ account, endpointId }: Pick<Progress, 'account' | 'endpointId'>): string =>
  `${endpointId}\n${account}`;
const deliveryName = ({ seq, ...key }: EventDelivery): string => `${seq} ${progressName(key)}`;
