export { AddressRule, EVERY_PORT, type PortRange } from '../transport/address-rule.js';
export type { Resolve, ResolvedAddress } from '../transport/guarded-connect.js';
export { type GuardedAnswer, type GuardedCall, GuardedHttp, type GuardedLimits } from '../transport/guarded-http.js';
export type { GuardTerms } from '../transport/guarded-url.js';
export { AesSecretBox } from './aes-secret-box.js';
export { StandardWebhookSender, type WebhookSenderParts } from './standard-webhook-sender.js';
