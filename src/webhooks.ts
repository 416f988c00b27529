/**
 * Where events are sent to: signed webhooks to addresses that users give, and messages to people by Telegram and ntfy.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { useCases, webhookUseCases } from 'stakeport/core';
 * import { eventPresenter } from 'stakeport/http';
 * import { AesSecretBox, StandardWebhookSender } from 'stakeport/webhooks';
 *
 * const { ports } = createStakeport();
 * const box = new AesSecretBox(new Uint8Array(32));
 * const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null) });
 * const webhooks = webhookUseCases(ports, useCases(ports).accounts, { box, sender });
 * ```
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { createStakeport } from 'stakeport';
 * import { eventPresenter } from 'stakeport/http';
 * import { AddressRule, AesSecretBox, GuardedHttp, NtfyMessenger, StandardWebhookSender, TelegramMessenger } from 'stakeport/webhooks';
 *
 * const box = new AesSecretBox(randomBytes(32));
 * const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null) });
 * const http = new GuardedHttp({ allowHttp: false, addresses: new AddressRule([]) });
 * const telegram = new TelegramMessenger(new URL('https://api.telegram.org'), http);
 * const messengers = { telegram, ntfy: new NtfyMessenger(http) };
 * const stakeport = createStakeport({ webhooks: { box, sender, messengers } });
 * ```
 */

export * from './adapters/ntfy/index.js';
export * from './adapters/telegram/index.js';
export * from './adapters/webhooks/index.js';
