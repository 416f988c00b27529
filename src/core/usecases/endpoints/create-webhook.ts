import type { Ledger } from '../../../ports/ledger.js';
import type { SecretBox } from '../../../ports/secret-box.js';
import type { Clock, Ids } from '../../../ports/system.js';
import type { WebhookSender } from '../../../ports/webhook-sender.js';
import { type Endpoint, MOST_ENDPOINTS } from '../../endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../../ids.js';
import { earlierResult } from '../../ledger/earlier-request.js';
import type { EventType } from '../../ledger/event-log.js';
import { keyed, requestRecords } from '../../ledger/request.js';
import { TooManyWebhooks, WebhookNotFound, WebhookUrlInvalid } from '../../webhook-errors.js';

/** A new webhook. */
export interface CreateWebhookCommand {
  readonly account: AccountId;
  readonly url: string;
  /** Empty for all. */
  readonly types: readonly EventType[];
  readonly description: string;
  readonly idempotencyKey: string | null;
}

/** A webhook, and the secret that it is signed with, which is shown when it is made. */
export interface CreatedWebhook {
  readonly webhook: Endpoint;
  readonly secret: string;
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
   * It is sent nothing until its receiver has taken a ping; then what happened since it was made. A repeated request gets the
   * same answer. @throws WebhookUrlInvalid, TooManyWebhooks, IdempotencyKeyReused
   */
  async execute(command: CreateWebhookCommand): Promise<CreatedWebhook> {
    const { account, url, types, description, idempotencyKey } = command;
    const problem = this.parts.sender.problemOf(url);
    if (problem !== null) throw new WebhookUrlInvalid(problem);
    const request = keyed(account, 'webhooks.create', idempotencyKey, { url, types, description });
    const id = this.context.ids.next() as EndpointId;
    const sealed = this.parts.box.seal(this.parts.box.fresh());
    const startsAfter = (await this.ledger.log.range(account))?.last ?? 0;
    const scope = { account, endpoints: true, ...(request && { request: request.key }) } as const;
    const made = await this.ledger.write(scope, (now) => {
      const at = this.context.wallClock.now();
      const earlier = earlierResult(now, request, at);
      if (earlier !== undefined) {
        const known = now.endpoint(earlier as EndpointId);
        if (known === undefined) throw new WebhookNotFound();
        return { result: { webhook: known, replayed: true } };
      }
      if (now.endpoints().length >= MOST_ENDPOINTS) throw new TooManyWebhooks(MOST_ENDPOINTS);
      const webhook: Endpoint = {
        ...{ account, id, target: { kind: 'webhook', url }, types, description, startsAfter },
        ...{ state: 'unverified', disabledBecause: null, skipped: null },
        ...{ secrets: { current: sealed, previous: null }, createdAt: at, updatedAt: at },
      };
      const requests = requestRecords(request, id, false, at);
      return { result: { webhook, replayed: false }, endpoints: [webhook], requests };
    });
    return { ...made, secret: this.parts.box.open(made.webhook.secrets.current) };
  }
}
