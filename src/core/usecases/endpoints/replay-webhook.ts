import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import { waitingFor } from '../../endpoint/delivery.js';
import { type Endpoint, type EndpointKey, isWebhook } from '../../endpoint/endpoint.js';
import { WebhookMemberInvalid, WebhookNotFound } from '../../endpoint/webhook-errors.js';
import { EventsGone } from '../../ledger/event-log.js';
import { sendAgain } from './send-again.js';
import { storeDeliveries } from './store-endpoint.js';

/** What to send once more: one event by its number, or all that it wants after one. */
export type WhatToReplay = { readonly seq: number } | { readonly after: number };

/** Sends events once more, with the ids that they had. */
export class ReplayWebhook {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallClock: Clock,
  ) {}

  /**
   * Has events sent again, as soon as the webhook is active.
   * @throws WebhookNotFound, WebhookMemberInvalid for one event to a person, EventsGone where the log does not have it
   */
  async execute({ account, id }: EndpointKey, what: WhatToReplay): Promise<Endpoint> {
    const { endpoints, log } = this.ledger;
    const webhook = await endpoints.find(account, id);
    if (webhook === undefined) throw new WebhookNotFound();
    const { first, last } = (await log.range(account)) ?? { first: 1, last: 0 };
    const at = this.wallClock.now();
    if ('after' in what) {
      if (what.after < first - 1 || what.after > last) throw new EventsGone(first, last);
      await sendAgain(endpoints, webhook, what.after, at);
      return webhook;
    }
    if (!isWebhook(webhook))
      throw new WebhookMemberInvalid('seq', 'is for webhooks: for messages to a person say after');
    const [event] = await log.list(account, { upTo: what.seq }, { limit: 1, after: what.seq - 1 });
    if (event === undefined) throw new EventsGone(first, last);
    const { seq, type, subject } = event;
    const orderId = subject.kind === 'order' ? subject.id : null;
    await storeDeliveries(endpoints, webhook, { put: [waitingFor(webhook, { seq, type, orderId }, at)] });
    return webhook;
  }
}
