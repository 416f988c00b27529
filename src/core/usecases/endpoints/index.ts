export type * from '../../../ports/endpoint-store.js';
export type * from '../../../ports/secret-box.js';
export type * from '../../../ports/webhook-sender.js';
export type * from '../../endpoint/delivery.js';
export type * from '../../endpoint/endpoint.js';
export type * from '../../endpoint/retry.js';
export { ChangeWebhook, type WebhookPatch } from './change-webhook.js';
export * from './create-webhook.js';
