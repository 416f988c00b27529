import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import type { WebhookAnswer, WebhookSender } from '../../../ports/webhook-sender.js';
import { type Endpoint, type EndpointKey, verified } from '../../endpoint/endpoint.js';
import { WebhookNotFound } from '../../webhook-errors.js';
import { changeEndpoint } from './change-endpoint.js';
import { sendAgain } from './send-again.js';

/** A webhook after a ping, and what its receiver answered. */
export interface Pinged {
  readonly webhook: Endpoint;
  readonly answer: WebhookAnswer;
}

/** Asks whether somebody is there. */
export class PingWebhook {
  constructor(
    private readonly ledger: Ledger,
    private readonly sender: WebhookSender,
    private readonly context: { readonly wallClock: Clock; readonly ids: Ids },
  ) {}

  /** Sends a signed test message, once. An unverified webhook whose receiver takes it is active from then on. @throws WebhookNotFound */
  async execute({ account, id }: EndpointKey): Promise<Pinged> {
    const webhook = await this.ledger.endpoints.find(account, id);
    if (webhook === undefined) throw new WebhookNotFound();
    const { wallClock, ids } = this.context;
    const answer = await this.sender.send(webhook, { id: `msg_${ids.next()}`, event: null, at: wallClock.now() });
    if (answer.kind !== 'taken' || webhook.state !== 'unverified') return { webhook, answer };
    const at = wallClock.now();
    await sendAgain(this.ledger.endpoints, webhook, null, at);
    // Meanwhile it may have got another address, which has taken nothing.
    const isSame = (one: Endpoint) => one.state === 'unverified' && one.target.url === webhook.target.url;
    const verify = (one: Endpoint) => (isSame(one) ? verified(one, at) : one);
    return { webhook: await changeEndpoint(this.ledger, webhook, verify), answer };
  }
}
