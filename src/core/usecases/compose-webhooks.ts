import type { Leases } from '../../ports/leases.js';
import type { SecretBox } from '../../ports/secret-box.js';
import type { WebhookSender } from '../../ports/webhook-sender.js';
import type { ReadEvents } from './accounts/read-events.js';
import { DeliverDue } from './endpoints/background/deliver-due.js';
import { DeliverWebhooks } from './endpoints/background/deliver-webhooks.js';
import { ChangeWebhook } from './endpoints/change-webhook.js';
import { CreateWebhook } from './endpoints/create-webhook.js';
import { PingWebhook } from './endpoints/ping-webhook.js';
import { ReadWebhooks } from './endpoints/read-webhooks.js';
import { ReplayWebhook } from './endpoints/replay-webhook.js';
import type { UseCasePorts } from './use-case-ports.js';

/** What webhooks need beside the ports of every use case. */
export interface WebhookPorts {
  readonly box: SecretBox;
  readonly sender: WebhookSender;
}

/** The use cases of webhooks. */
export type WebhookUseCases = ReturnType<typeof webhookUseCases>;

/** Makes the use cases of webhooks, which are only where their secrets can be kept. */
export function webhookUseCases(
  ports: Pick<UseCasePorts, 'ledger' | 'wallClock' | 'ids' | 'digest'>,
  events: ReadEvents,
  parts: WebhookPorts,
) {
  const { ledger, wallClock } = ports;
  return {
    create: new CreateWebhook(ledger, parts, ports),
    change: new ChangeWebhook(ledger, parts, wallClock),
    ping: new PingWebhook(ledger, parts.sender, ports),
    replay: new ReplayWebhook(ledger, wallClock),
    read: new ReadWebhooks(ledger),
    deliver: new DeliverWebhooks(ledger, events, parts.sender, ports),
  };
}

/** Makes the use case that sends what is due; `leases` is null for a store that only this process has. */
export const deliverDueUseCase = (
  ports: Pick<UseCasePorts, 'ledger' | 'wallClock' | 'ids' | 'stopwatch'>,
  leases: Pick<Leases, 'claim' | 'release'> | null,
  deliver: DeliverWebhooks,
): DeliverDue => new DeliverDue(ports.ledger.endpoints, leases, deliver, ports);
