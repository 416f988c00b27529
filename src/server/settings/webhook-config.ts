import type { Values } from './settings.js';

/** How webhooks keep their secrets, and where they may be sent. */
export interface WebhookConfig {
  readonly key: Uint8Array;
  readonly allowHttp: boolean;
  readonly networks: readonly string[];
}

/** Null without a key to keep their secrets under. */
export function webhooksOf(values: Values): WebhookConfig | null {
  const { SECRETS_KEY: key, WEBHOOK_ALLOW_HTTP: http, WEBHOOK_ALLOWED_NETWORKS: networks = [] } = values;
  return key === undefined ? null : { key, allowHttp: http === 'on', networks };
}
