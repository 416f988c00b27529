import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import type { SecretBox, WebhookSender } from '../../../ports/webhook-sender.js';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { WebhookUrlInvalid } from '../../endpoint/webhook-errors.js';
import type { AccountId } from '../../ids.js';
import type { EventType } from '../../ledger/event-log.js';
import { keyed } from '../../ledger/request.js';
import { storeEndpoint } from './store-endpoint.js';

/** A new webhook. */
export interface CreateWebhookCommand {
  readonly account: AccountId;
  /** The credential that makes it. */
  readonly by: string;
  readonly url: string;
  /** Empty for all. */
  readonly types: readonly EventType[];
  readonly description: string;
  readonly idempotencyKey: string | null;
}

/** A webhook, and the secret that its messages are signed with: null for a repeated request, because it is shown only once. */
export interface CreatedWebhook {
  readonly webhook: Endpoint;
  readonly secret: string | null;
  readonly replayed: boolean;
}

/** Makes webhooks. */
export class CreateWebhook {
  constructor(
    private readonly ledger: Ledger,
    private readonly parts: { readonly box: SecretBox; readonly sender: WebhookSender },
    private readonly context: { readonly wallClock: Clock; readonly ids: Ids },
  ) {}

  /**
   * Makes a webhook, which is sent nothing until its receiver has taken a ping; then what happened since. A repeated request gets it
   * without its secret. @throws WebhookUrlInvalid, TooManyWebhooks, IdempotencyKeyReused
   */
  async execute(command: CreateWebhookCommand): Promise<CreatedWebhook> {
    const { account, by, url, types, description, idempotencyKey } = command;
    const problem = this.parts.sender.problemOf(url);
    if (problem !== null) throw new WebhookUrlInvalid(problem);
    const request = keyed(account, 'webhooks.create', idempotencyKey, { url, types, description });
    const secret = this.parts.box.fresh();
    const sealed = this.parts.box.seal(secret);
    const target = { kind: 'webhook', url } as const;
    const made = await storeEndpoint(this.ledger, this.context, {
      account,
      target,
      types,
      description,
      by,
      sealed,
      request,
    });
    return { ...made, secret: made.replayed ? null : secret };
  }
}
