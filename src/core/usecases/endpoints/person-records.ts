import type { Ledger } from '../../../ports/ledger.js';
import { changeEndpoint, disableEndpoint } from '../../endpoint/change-endpoint.js';
import { waitingFor } from '../../endpoint/delivery.js';
import { type Endpoint, type EndpointKey, skipping } from '../../endpoint/endpoint.js';
import type { MessageProgress } from '../../endpoint/person.js';
import { WebhookNotFound } from '../../endpoint/webhook-errors.js';
import { storeDeliveries } from './store-deliveries.js';

/** Keeps how far people have been told, and what became of their endpoints. */
export class PersonRecords {
  constructor(private readonly ledger: Pick<Ledger, 'write' | 'endpoints' | 'log'>) {}

  /** Undefined before the first message. @throws StorageUnavailable */
  async progress({ account, id }: EndpointKey): Promise<MessageProgress | undefined> {
    const all = await this.ledger.endpoints.deliveries.progress(account);
    return all.find(({ endpointId }) => endpointId === id);
  }

  /** @throws StorageUnavailable */
  store({ account, id }: EndpointKey, progress: MessageProgress): Promise<void> {
    const changes = { progress: { ...progress, account, endpointId: id } };
    return storeDeliveries(this.ledger.endpoints, { account, id }, changes);
  }

  /** A message whose first event is `seq` can never be delivered. @throws StorageUnavailable */
  async giveUp(endpoint: EndpointKey, seq: number, because: string, at: Date): Promise<void> {
    const [event] = await this.ledger.log.list(endpoint.account, { upTo: seq }, { limit: 1, after: seq - 1 });
    if (event === undefined) return;
    const waiting = waitingFor(endpoint, { seq, type: event.type, orderId: null }, at);
    const given = { ...waiting, tries: 1, nextAt: null, triedAt: at, said: because };
    await storeDeliveries(this.ledger.endpoints, endpoint, { put: [given] });
  }

  /** What there was to tell of these events is told never. @throws StorageUnavailable */
  skip(endpoint: EndpointKey, from: number, to: number, at: Date): Promise<void> {
    return this.#change(endpoint, (one) => skipping(one, { from, to, orderId: null, because: 'given_up' }, at));
  }

  /** Nothing more is sent, for a reason that is a sentence. @throws StorageUnavailable */
  disable(endpoint: EndpointKey, because: string, at: Date): Promise<void> {
    return disableEndpoint(this.ledger, endpoint, because, at);
  }

  /** A chat has a new name; one that somebody changed meanwhile stays. @throws StorageUnavailable */
  move(endpoint: EndpointKey, from: string, to: string, at: Date): Promise<void> {
    return this.#change(endpoint, (one) => {
      const { target } = one;
      const isThere = target.kind === 'telegram' && target.chatId === from;
      return isThere ? { ...one, target: { ...target, chatId: to }, updatedAt: at } : one;
    });
  }

  /** One that was removed meanwhile needs no change. */
  async #change(endpoint: EndpointKey, change: (one: Endpoint) => Endpoint): Promise<void> {
    await changeEndpoint(this.ledger, endpoint, change).catch((error: unknown) => {
      if (!(error instanceof WebhookNotFound)) throw error;
    });
  }
}
