import type { Container } from 'inversify';
import { eventPresenter, type Metrics } from '../../adapters/http/index.js';
import { localTime } from '../../adapters/system/local-time.js';
import type { Endpoint } from '../../core/endpoint/endpoint.js';
import { commandUseCase, hearingUseCase } from '../../core/usecases/compose-commands.js';
import { type WebhookUseCases, webhookUseCases } from '../../core/usecases/compose-webhooks.js';
import { isReadable } from '../../core/usecases/endpoints/read-webhooks.js';
import type { ChatBot } from '../../ports/chat-bot.js';
import type { Messengers } from '../../ports/messenger.js';
import type { CommandParts } from '../background/command-polling.js';
import { CountedSender } from '../metrics/counted-sender.js';
import type { WebhookConfig } from '../settings/config.js';
import { KNOWN_SPORTS, USE_CASE_PORTS, USE_CASES, WEBHOOK_USE_CASES } from './tokens.js';

/** Webhooks, and what ends what they send. */
export interface OpenWebhooks {
  readonly use: WebhookUseCases;
  /** Whether its secret was sealed with the key of this server. */
  isReadable(endpoint: Endpoint): boolean;
  /** What hears and answers what people send to bots. */
  readonly commands: CommandParts;
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
  const { messengers, bot, close } = await openMessengers(config);
  const useCases = container.get(USE_CASES);
  const counted = new CountedSender(sender, metrics);
  const messages = { messengers, localTime, zone };
  const parts = { box, sender: counted, messages };
  const use = webhookUseCases(container.get(USE_CASE_PORTS), useCases.accounts, parts);
  const answer = commandUseCase(container.get(USE_CASE_PORTS), useCases, { box, bot, messages });
  const hearing = hearingUseCase(container.get(USE_CASE_PORTS));
  container.bind(WEBHOOK_USE_CASES).toConstantValue(use);
  return {
    use,
    isReadable: (endpoint) => isReadable(box, endpoint),
    commands: {
      bot,
      answer,
      hearing,
      isReadable: (endpoint) => isReadable(box, endpoint),
      open: (sealed) => box.open(sealed),
    },
    close: async () => void (await Promise.all([sender.close(), close()])),
  };
}

/** What sends messages to people, and what ends it. */
export interface OpenMessengers {
  readonly messengers: Messengers;
  readonly bot: ChatBot;
  close(): Promise<void>;
}

/** The operator chose that address, so it may be anywhere. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/** Users say where their ntfy servers are, so these are guarded like their webhooks. */
async function openMessengers(
  config: Pick<WebhookConfig, 'allowHttp' | 'networks' | 'ports' | 'telegramApi'>,
): Promise<OpenMessengers> {
  const [
    { TelegramBot, TelegramMessenger, UPDATE_LIMITS },
    { NtfyMessenger },
    { GuardedHttp },
    { AddressRule, EVERY_PORT },
  ] = await Promise.all([
    import('../../adapters/telegram/index.js'),
    import('../../adapters/ntfy/index.js'),
    import('../../adapters/transport/guarded-http.js'),
    import('../../adapters/transport/address-rule.js'),
  ]);
  const { allowHttp, networks, ports, telegramApi } = config;
  const anywhere = { allowHttp: true, addresses: new AddressRule(EVERYWHERE, [EVERY_PORT]) };
  const [toTelegram, polling] = [new GuardedHttp(anywhere), new GuardedHttp(anywhere, UPDATE_LIMITS)];
  const toUsers = new GuardedHttp({ allowHttp, addresses: new AddressRule(networks, ports) });
  return {
    messengers: { telegram: new TelegramMessenger(telegramApi, toTelegram), ntfy: new NtfyMessenger(toUsers) },
    bot: new TelegramBot(telegramApi, toTelegram, polling),
    close: async () => void (await Promise.all([toTelegram.close(), polling.close(), toUsers.close()])),
  };
}
