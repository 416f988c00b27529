import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import type { WebhookAnswer, WebhookSender } from '../../../ports/webhook-sender.js';
import { FairQueue } from '../../concurrency/fair-places.js';
import { changeEndpoint } from '../../endpoint/change-endpoint.js';
import { destinationOf } from '../../endpoint/destination.js';
import { type Endpoint, type EndpointKey, type EndpointTarget, isWebhook, verified } from '../../endpoint/endpoint.js';
import { isPersonal, personOf } from '../../endpoint/person.js';
import { WebhookNotFound } from '../../endpoint/webhook-errors.js';
import { sendAgain } from './send-again.js';
import type { SendToPerson } from './send-to-person.js';

/** A webhook after a ping, and what its receiver answered. */
export interface Pinged {
  readonly webhook: Endpoint;
  readonly answer: WebhookAnswer;
}

const TEST = 'This is a test: messages of this account are sent here.';
const NO_MESSAGES = 'This program sends no messages to people.';

/** How many are asked at once; no account has all of these places. */
const AT_ONCE = 8;

/** Sends test messages, to check that a receiver answers. */
export class PingWebhook {
  readonly #queue = new FairQueue(AT_ONCE);

  /** @param people null where this program sends no messages */
  constructor(
    private readonly ledger: Ledger,
    private readonly sender: WebhookSender,
    private readonly people: Pick<SendToPerson, 'execute'> | null,
    private readonly context: { readonly wallClock: Clock; readonly ids: Ids },
  ) {}

  /** Sends a test message, once, in the turn of the account. An unverified webhook whose receiver takes it is active from then on. @throws WebhookNotFound */
  async execute({ account, id }: EndpointKey): Promise<Pinged> {
    const webhook = await this.ledger.endpoints.find(account, id);
    if (webhook === undefined) throw new WebhookNotFound();
    const end = await this.#queue.take(account);
    const { answer, target } = await this.#sent(webhook).finally(end);
    if (answer.kind !== 'taken' || webhook.state !== 'unverified') return { webhook, answer };
    const at = this.context.wallClock.now();
    await sendAgain(this.ledger.endpoints, webhook, null, at);
    // Meanwhile it may have got another address, which has taken nothing.
    const isSame = (one: Endpoint) => one.state === 'unverified' && destinationOf(one.target) === destinationOf(target);
    const verify = (one: Endpoint) => (isSame(one) ? verified(one, at) : one);
    return { webhook: await changeEndpoint(this.ledger, webhook, verify), answer };
  }

  /** What became of it, and where it was sent in the end. */
  async #sent(endpoint: Endpoint): Promise<{ readonly answer: WebhookAnswer; readonly target: EndpointTarget }> {
    const { wallClock, ids } = this.context;
    if (isWebhook(endpoint)) {
      const message = { id: `msg_${ids.next()}`, event: null, at: wallClock.now() };
      return { answer: await this.sender.send(endpoint, message), target: endpoint.target };
    }
    if (this.people === null || !isPersonal(endpoint)) return { answer: failed(NO_MESSAGES), target: endpoint.target };
    const title = endpoint.description === '' ? 'stakeport' : endpoint.description;
    const lines = { title, lines: [TEST], beyond: 0, isUrgent: false };
    const { outcome, target } = await this.people.execute(personOf(endpoint), lines);
    if (outcome.kind === 'delivered') return { answer: { kind: 'taken' }, target };
    return { answer: failed('because' in outcome ? `${outcome.because}.` : 'It moved again and again.'), target };
  }
}

const failed = (said: string): WebhookAnswer => ({ kind: 'failed', status: null, said, retryAfterMs: null });
