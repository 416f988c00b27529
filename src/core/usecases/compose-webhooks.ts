import type { Leases } from '../../ports/leases.js';
import type { SecretBox, WebhookSender } from '../../ports/webhook-sender.js';
import { type AccountReaders, type MessagePorts, messageUseCase } from './compose-messages.js';
import { DeliverDue } from './endpoints/background/deliver-due.js';
import { DeliverEvents } from './endpoints/background/deliver-events.js';
import { DeliverWebhooks } from './endpoints/background/deliver-webhooks.js';
import { ChangeWebhook } from './endpoints/change-webhook.js';
import { CreateWebhook } from './endpoints/create-webhook.js';
import { PingWebhook } from './endpoints/ping-webhook.js';
import { ReadWebhooks } from './endpoints/read-webhooks.js';
import { ReplayWebhook } from './endpoints/replay-webhook.js';
import { SendToPerson } from './endpoints/send-to-person.js';
import { PersonRecords, SubscribePerson } from './endpoints/subscribe-person.js';
import type { UseCasePorts } from './use-case-ports.js';

export type { AccountReaders, MessagePorts } from './compose-messages.js';

/** What webhooks need beside the ports of every use case. */
export interface WebhookPorts {
  readonly box: SecretBox;
  readonly sender: WebhookSender;
  /** What messages to people are sent with; without it there are none. */
  readonly messages?: MessagePorts;
}

/** The use cases of webhooks. */
export type WebhookUseCases = ReturnType<typeof webhookUseCases>;

/** Makes the use cases of webhooks, which are only where their secrets can be kept. */
export function webhookUseCases(
  ports: Pick<UseCasePorts, 'ledger' | 'wallClock' | 'ids' | 'digest'>,
  accounts: AccountReaders,
  parts: WebhookPorts,
) {
  const { ledger, wallClock } = ports;
  const { box, sender, messages } = parts;
  const open = (sealed: string) => box.open(sealed);
  const codeOf = (text: string) => box.codeOf(text);
  const store = new PersonRecords(ledger);
  const people = messages === undefined ? null : new SendToPerson({ ...messages, store, wallClock, open });
  const sendMessages = messages === undefined ? null : messageUseCase(ports, accounts, { ...messages, open, codeOf });
  return {
    create: new CreateWebhook(ledger, parts, ports),
    subscribe: people === null ? null : new SubscribePerson(ledger, parts, ports),
    change: new ChangeWebhook(ledger, parts, wallClock),
    ping: new PingWebhook(ledger, sender, people, ports),
    replay: new ReplayWebhook(ledger, wallClock),
    read: new ReadWebhooks(ledger),
    deliver: new DeliverEvents(new DeliverWebhooks(ledger, accounts.events, sender, ports), sendMessages),
  };
}

/** Makes the use case that sends what is due; `leases` is null for a store that only this process has. */
export const deliverDueUseCase = (
  ports: Pick<UseCasePorts, 'ledger' | 'wallClock' | 'ids' | 'stopwatch'>,
  leases: Pick<Leases, 'claim' | 'release'> | null,
  deliver: Pick<DeliverEvents, 'execute'>,
): DeliverDue => new DeliverDue(ports.ledger.endpoints, leases, deliver, ports);
