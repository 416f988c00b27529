/**
 * Signed webhooks, sent to addresses that users give, and the box that keeps their secrets.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { createStakeport } from 'stakeport';
 * import { eventPresenter } from 'stakeport/http';
 * import { AesSecretBox, StandardWebhookSender } from 'stakeport/webhooks';
 *
 * const box = new AesSecretBox(randomBytes(32));
 * const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null) });
 * const { webhooks } = createStakeport({ webhooks: { box, sender } });
 * ```
 */

export type { Resolve, ResolvedAddress } from '../transport/guarded-connect.js';
export type { GuardedLimits } from '../transport/guarded-http.js';
export { AesSecretBox } from './aes-secret-box.js';
export { StandardWebhookSender, type WebhookSenderParts } from './standard-webhook-sender.js';
