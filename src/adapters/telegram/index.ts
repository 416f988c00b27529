/**
 * Messages to people by a Telegram bot.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { createStakeport } from 'stakeport';
 * import { eventPresenter } from 'stakeport/http';
 * import { NtfyMessenger } from 'stakeport/ntfy';
 * import { TelegramMessenger } from 'stakeport/telegram';
 * import { AddressRule, AesSecretBox, GuardedHttp, StandardWebhookSender } from 'stakeport/webhooks';
 *
 * const box = new AesSecretBox(randomBytes(32));
 * const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null) });
 * const http = new GuardedHttp({ allowHttp: false, addresses: new AddressRule([]) });
 * const telegram = new TelegramMessenger(new URL('https://api.telegram.org'), http);
 * const messengers = { telegram, ntfy: new NtfyMessenger(http) };
 * const stakeport = createStakeport({ webhooks: { box, sender, messengers } });
 * ```
 */

export { TelegramMessenger } from './telegram-messenger.js';
