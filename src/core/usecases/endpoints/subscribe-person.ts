import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Digest, Ids } from '../../../ports/system.js';
import type { SecretBox, WebhookSender } from '../../../ports/webhook-sender.js';
import type { Endpoint } from '../../endpoint/endpoint.js';
import type { PersonTarget } from '../../endpoint/person-target.js';
import type { AccountId } from '../../ids.js';
import type { EventType } from '../../ledger/event-log.js';
import { keyed } from '../../ledger/request.js';
import { refuseTarget, refuseToken } from './refuse-target.js';
import { type StoredEndpoint, storeEndpoint } from './store-endpoint.js';

/** Where a person is to be told. */
export interface SubscribePersonCommand extends Pick<Endpoint, 'description'> {
  readonly account: AccountId;
  /** The credential that has them told. */
  readonly by: string;
  readonly target: PersonTarget;
  /** What authenticates towards the messenger; null for nothing, which ntfy allows. */
  readonly token: string | null;
  /** Empty for what everybody is told. */
  readonly types: readonly EventType[];
  readonly idempotencyKey: string | null;
}

/** Has people told what happens. */
export class SubscribePerson {
  constructor(
    private readonly ledger: Ledger,
    private readonly parts: { readonly box: SecretBox; readonly sender: Pick<WebhookSender, 'problemOf'> },
    private readonly context: { readonly wallClock: Clock; readonly ids: Ids; readonly digest: Digest },
  ) {}

  /**
   * They are told nothing until a test message was delivered; then what happened since this was stored. A repeated request gets
   * the same answer. @throws WebhookUrlInvalid, WebhookMemberInvalid, TooManyWebhooks, IdempotencyKeyReused
   */
  async execute(command: SubscribePersonCommand): Promise<StoredEndpoint> {
    const { account, by, target, token, types, description, idempotencyKey } = command;
    refuseTarget(target, this.parts.sender);
    refuseToken(target.kind, token);
    // What a request meant is stored: of the token only what tells it from another one.
    const meant = { target, types, description, token: token && this.context.digest(token) };
    const request = keyed(account, 'webhooks.create', idempotencyKey, meant);
    const sealed = token === null ? '' : this.parts.box.seal(token);
    return storeEndpoint(this.ledger, this.context, { account, target, types, description, by, sealed, request });
  }
}
