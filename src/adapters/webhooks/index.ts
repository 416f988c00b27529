/**
 * Signed webhooks, sent to addresses that users give, and the box that keeps their secrets.
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
 */

export { AddressRule, EVERY_PORT, type PortRange } from '../transport/address-rule.js';
export type { Resolve, ResolvedAddress } from '../transport/guarded-connect.js';
export { type GuardedAnswer, type GuardedCall, GuardedHttp, type GuardedLimits } from '../transport/guarded-http.js';
export type { GuardTerms } from '../transport/guarded-url.js';
export { AesSecretBox } from './aes-secret-box.js';
export { StandardWebhookSender, type WebhookSenderParts } from './standard-webhook-sender.js';
