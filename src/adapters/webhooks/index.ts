/** Signed webhooks, sent to addresses that users give, and the box that keeps their secrets. */
export type { Resolve, ResolvedAddress } from '../transport/guarded-connect.js';
export type { GuardedLimits } from '../transport/guarded-http.js';
export { AesSecretBox } from './aes-secret-box.js';
export { StandardWebhookSender, type WebhookSenderParts } from './standard-webhook-sender.js';
