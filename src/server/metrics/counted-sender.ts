import type { LabelCounts, Metrics } from '../../adapters/http/index.js';
import type { EndpointTo, WebhookTarget } from '../../core/endpoint/endpoint.js';
import type { WebhookAnswer, WebhookMessage, WebhookSender } from '../../ports/webhook-sender.js';
import { labelledMetric } from './own-metrics.js';

const RESULTS: readonly WebhookAnswer['kind'][] = ['taken', 'failed', 'gone'];

/** Sends to webhooks, and counts what comes of each try. */
export class CountedSender implements WebhookSender {
  readonly #tries: LabelCounts;

  constructor(
    private readonly sender: WebhookSender,
    metrics: Metrics,
  ) {
    this.#tries = metrics.tally(...labelledMetric('stakeport_webhook_tries_total'));
    for (const result of RESULTS) this.#tries.add([result], 0);
  }

  problemOf(url: string): string | null {
    return this.sender.problemOf(url);
  }

  async send(webhook: EndpointTo<WebhookTarget>, message: WebhookMessage): Promise<WebhookAnswer> {
    const answer = await this.sender.send(webhook, message);
    this.#tries.add([answer.kind]);
    return answer;
  }
}
