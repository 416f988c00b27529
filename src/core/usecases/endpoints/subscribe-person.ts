import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Digest, Ids } from '../../../ports/system.js';
import type { SecretBox, WebhookSender } from '../../../ports/webhook-sender.js';
import { changeEndpoint, disableEndpoint } from '../../endpoint/change-endpoint.js';
import { waitingFor } from '../../endpoint/delivery.js';
import { type Endpoint, type EndpointKey, skipping } from '../../endpoint/endpoint.js';
import type { MessageProgress } from '../../endpoint/person.js';
import type { PersonTarget } from '../../endpoint/person-target.js';
import { WebhookNotFound } from '../../endpoint/webhook-errors.js';
import type { AccountId } from '../../ids.js';
import type { EventType } from '../../ledger/event-log.js';
import { keyed } from '../../ledger/request.js';
import { refuseTarget, refuseToken, type StoredEndpoint, storeDeliveries, storeEndpoint } from './store-endpoint.js';

/** A request to send messages to a person. */
export interface SubscribePersonCommand extends Pick<Endpoint, 'description'> {
  readonly account: AccountId;
  /** The credential that subscribes them. */
  readonly by: string;
  readonly target: PersonTarget;
  /** What authenticates towards the messenger; null for nothing, which ntfy allows. */
  readonly token: string | null;
  /** Empty for the default selection. */
  readonly types: readonly EventType[];
  readonly idempotencyKey: string | null;
}

/** Subscribes people to messages about what happens. */
export class SubscribePerson {
  constructor(
    private readonly ledger: Ledger,
    private readonly parts: { readonly box: SecretBox; readonly sender: Pick<WebhookSender, 'problemOf'> },
    private readonly context: { readonly wallClock: Clock; readonly ids: Ids; readonly digest: Digest },
  ) {}

  /**
   * They are sent nothing until a test message was delivered; then what happened since this was stored. A repeated request gets
   * the same answer. @throws WebhookUrlInvalid, WebhookMemberInvalid, TooManyWebhooks, IdempotencyKeyReused
   */
  async execute(command: SubscribePersonCommand): Promise<StoredEndpoint> {
    const { account, by, target, token, types, description, idempotencyKey } = command;
    refuseTarget(target, this.parts.sender);
    refuseToken(target.kind, token);
    // What a request meant is stored: of the token only a digest, which distinguishes it from another one.
    const meant = { target, types, description, token: token && this.context.digest(token) };
    const request = keyed(account, 'webhooks.create', idempotencyKey, meant);
    const sealed = token === null ? '' : this.parts.box.seal(token);
    return storeEndpoint(this.ledger, this.context, { account, target, types, description, by, sealed, request });
  }
}

/** Records how far people have been notified, and what became of their endpoints. */
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

  /** Records that these events are never sent. @throws StorageUnavailable */
  skip(endpoint: EndpointKey, from: number, to: number, at: Date): Promise<void> {
    return this.#change(endpoint, (one) => skipping(one, { from, to, orderId: null, because: 'given_up' }, at));
  }

  /** Nothing more is sent, for a reason that is a sentence. @throws StorageUnavailable */
  disable(endpoint: EndpointKey, because: string, at: Date): Promise<void> {
    return disableEndpoint(this.ledger, endpoint, because, at);
  }

  /** Records the new name of a chat, unless a client changed it meanwhile. @throws StorageUnavailable */
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
