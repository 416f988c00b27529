import type { Ledger } from '../../../ports/ledger.js';
import type { SecretBox } from '../../../ports/webhook-sender.js';
import type { EventDelivery, Progress } from '../../endpoint/delivery.js';
import type { Endpoint, EndpointKey } from '../../endpoint/endpoint.js';
import { SecretUnreadable, WebhookNotFound } from '../../endpoint/webhook-errors.js';
import type { AccountId } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';

/** A webhook, and how far it has come; undefined before it was sent anything. */
export interface WebhookStatus {
  readonly webhook: Endpoint;
  readonly progress: Progress | undefined;
}

/** Reads webhooks, and what they did not take. */
export class ReadWebhooks {
  constructor(private readonly ledger: Ledger) {}

  /** All of the account, oldest first. @throws StorageUnavailable */
  async many(account: AccountId): Promise<readonly WebhookStatus[]> {
    const { endpoints } = this.ledger;
    const [webhooks, progress] = await Promise.all([endpoints.list(account), endpoints.deliveries.progress(account)]);
    return webhooks.map((webhook) => ({
      webhook,
      progress: progress.find(({ endpointId }) => endpointId === webhook.id),
    }));
  }

  /** @throws WebhookNotFound */
  async one({ account, id }: EndpointKey): Promise<WebhookStatus> {
    const found = (await this.many(account)).find(({ webhook }) => webhook.id === id);
    if (found === undefined) throw new WebhookNotFound();
    return found;
  }

  /** What it did not take, newest first. @throws WebhookNotFound */
  async deliveries(endpoint: EndpointKey, page: Page<number>): Promise<Slice<EventDelivery, number>> {
    await this.one(endpoint);
    return slice(
      page,
      (asked) => this.ledger.endpoints.deliveries.list(endpoint, asked),
      ({ seq }) => seq,
    );
  }
}

/** Whether the key of this box is the one that the secret or token of an endpoint was sealed with; true where it has none. */
export function isReadable(box: Pick<SecretBox, 'open'>, { secrets }: Pick<Endpoint, 'secrets'>): boolean {
  if (secrets.current === '') return true;
  try {
    box.open(secrets.current);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
