import type { Container } from 'inversify';
import { eventPresenter, type Metrics } from '../../adapters/http/index.js';
import { localTime } from '../../adapters/system/local-time.js';
import type { Endpoint } from '../../core/endpoint/endpoint.js';
import { type WebhookUseCases, webhookUseCases } from '../../core/usecases/compose-webhooks.js';
import { isReadable } from '../../core/usecases/endpoints/is-readable.js';
import { CountedSender } from '../metrics/counted-sender.js';
import type { WebhookConfig } from '../settings/webhook-config.js';
import { openMessengers } from './messengers.js';
import { KNOWN_SPORTS, USE_CASE_PORTS, USE_CASES, WEBHOOK_USE_CASES } from './tokens.js';

/** Webhooks, and what ends what they send. */
export interface OpenWebhooks {
  readonly use: WebhookUseCases;
  /** Whether its secret was sealed with the key of this server. */
  isReadable(endpoint: Endpoint): boolean;
  close(): Promise<void>;
}

/** Adds webhooks to a server, and messages to people. Their parts are loaded by servers alone that have them. */
export async function bindWebhooks(
  container: Container,
  config: WebhookConfig,
  metrics: Metrics,
): Promise<OpenWebhooks> {
  const { AesSecretBox, StandardWebhookSender } = await import('../../adapters/webhooks/index.js');
  const { key, allowHttp, networks, ports, zone } = config;
  const box = new AesSecretBox(key);
  const present = eventPresenter(container.get(KNOWN_SPORTS));
  const sender = new StandardWebhookSender({ box, present, allowHttp, networks, ports });
  const { messengers, close } = await openMessengers(config);
  const { accounts } = container.get(USE_CASES);
  const counted = new CountedSender(sender, metrics);
  const messages = { messengers, localTime, zone };
  const parts = { box, sender: counted, messages };
  const use = webhookUseCases(container.get(USE_CASE_PORTS), accounts, parts);
  container.bind(WEBHOOK_USE_CASES).toConstantValue(use);
  return {
    use,
    isReadable: (endpoint) => isReadable(box, endpoint),
    close: async () => void (await Promise.all([sender.close(), close()])),
  };
}
