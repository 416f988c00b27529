import type { Messengers } from '../../ports/messenger.js';
import type { WebhookConfig } from '../settings/webhook-config.js';

/** What sends messages to people, and what ends it. */
export interface OpenMessengers {
  readonly messengers: Messengers;
  close(): Promise<void>;
}

/** The operator chose that address, so it may be anywhere. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/** Users say where their ntfy servers are, so these are guarded like their webhooks. */
export async function openMessengers(
  config: Pick<WebhookConfig, 'allowHttp' | 'networks' | 'ports' | 'telegramApi'>,
): Promise<OpenMessengers> {
  const [{ TelegramMessenger }, { NtfyMessenger }, { GuardedHttp }, { AddressRule, EVERY_PORT }] = await Promise.all([
    import('../../adapters/telegram/index.js'),
    import('../../adapters/ntfy/index.js'),
    import('../../adapters/transport/guarded-http.js'),
    import('../../adapters/transport/address-rule.js'),
  ]);
  const { allowHttp, networks, ports, telegramApi } = config;
  const toTelegram = new GuardedHttp({ allowHttp: true, addresses: new AddressRule(EVERYWHERE, [EVERY_PORT]) });
  const toUsers = new GuardedHttp({ allowHttp, addresses: new AddressRule(networks, ports) });
  return {
    messengers: { telegram: new TelegramMessenger(telegramApi, toTelegram), ntfy: new NtfyMessenger(toUsers) },
    close: async () => void (await Promise.all([toTelegram.close(), toUsers.close()])),
  };
}
