import { createHmac } from 'node:crypto';
import { type EndpointTo, secretsAt, type WebhookTarget } from '../../core/endpoint/endpoint.js';
import type { LoggedEvent } from '../../core/ledger/event-log.js';
import type { SecretBox, WebhookAnswer, WebhookMessage, WebhookSender } from '../../ports/webhook-sender.js';
import { AddressRule, type PortRange } from '../transport/address-rule.js';
import type { Resolve } from '../transport/guarded-connect.js';
import { type GuardedAnswer, GuardedHttp, type GuardedLimits } from '../transport/guarded-http.js';
import { type GuardTerms, urlProblem } from '../transport/guarded-url.js';

/** What webhooks are sent with. */
export interface WebhookSenderParts {
  readonly box: SecretBox;
  /** An event as the API shows it: what a message has as `data`. */
  readonly present: (event: LoggedEvent) => object;
  /** Whether http is allowed beside https; by default it is not. */
  readonly allowHttp?: boolean;
  /** Networks that may be reached beside the public Internet, such as `192.168.1.0/24`; by default none. */
  readonly networks?: readonly string[];
  /** Ports that may be used in these networks beside 80 and 443; by default none. */
  readonly ports?: readonly PortRange[];
  readonly limits?: Partial<GuardedLimits>;
  /** Looks names up; by default as the system does. */
  readonly resolve?: Resolve;
}

const GONE = 410;

/**
 * Sends messages as Standard Webhooks 1.0 has them: `webhook-id`, `webhook-timestamp`, and `webhook-signature` with each secret
 * that is in use.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { AesSecretBox, StandardWebhookSender } from 'stakeport/webhooks';
 *
 * const box = new AesSecretBox(randomBytes(32));
 * const sender = new StandardWebhookSender({ box, present: ({ seq, type }) => ({ seq, type }) });
 * console.log(sender.problemOf('http://127.0.0.1/')); // must be an https URL
 * await sender.close();
 * ```
 */
export class StandardWebhookSender implements WebhookSender {
  readonly #terms: GuardTerms;
  readonly #http: GuardedHttp;

  constructor(private readonly parts: WebhookSenderParts) {
    const { allowHttp = false, networks = [], ports = [], limits = {}, resolve } = parts;
    this.#terms = { allowHttp, addresses: new AddressRule(networks, ports) };
    this.#http = new GuardedHttp(this.#terms, limits, resolve);
  }

  problemOf(url: string): string | null {
    return urlProblem(url, this.#terms);
  }

  async send(webhook: EndpointTo<WebhookTarget>, { id, event, at }: WebhookMessage): Promise<WebhookAnswer> {
    let headers: Readonly<Record<string, string>>;
    const body = this.#bodyOf(event, at);
    try {
      const seconds = Math.floor(at.getTime() / 1000);
      const signatures = secretsAt(webhook, at).map((sealed) =>
        signature(this.parts.box.open(sealed), id, seconds, body),
      );
      headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': `${seconds}`,
        'webhook-signature': signatures.join(' '),
      };
    } catch (error) {
      return failed(null, error instanceof Error ? error.message : 'The secret cannot be read.');
    }
    return answerOf(await this.#http.post({ url: new URL(webhook.target.url), headers, body }));
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#http.close();
  }

  #bodyOf(event: LoggedEvent | null, at: Date): string {
    if (event === null) return JSON.stringify({ type: 'webhook.ping', timestamp: at.toISOString(), data: {} });
    const { type, at: happened } = event;
    return JSON.stringify({ type, timestamp: happened.toISOString(), data: this.parts.present(event) });
  }
}

function answerOf(answer: GuardedAnswer): WebhookAnswer {
  if (answer.kind !== 'answered') return failed(null, `The receiver ${answer.reason}.`);
  const { status, retryAfterMs, text } = answer;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  return { kind: status === GONE ? 'gone' : 'failed', status, said: text, retryAfterMs };
}

const failed = (status: number | null, said: string): WebhookAnswer => ({
  kind: 'failed',
  status,
  said,
  retryAfterMs: null,
});

const PREFIX = 'whsec_';

/** What a message is signed with: Standard Webhooks 1.0, `v1`, HMAC-SHA256. */
function signature(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}
