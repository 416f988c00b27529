import type { PortRange } from '../../adapters/transport/address-rule.js';
import { complete } from '../../settings/complete.js';
import type { Values } from './settings.js';

/** How webhooks keep their secrets, and where they and messages to people may be sent. */
export interface WebhookConfig {
  readonly key: Uint8Array;
  readonly allowHttp: boolean;
  readonly networks: readonly string[];
  /** Which may be used in these networks beside 80 and 443. */
  readonly ports: readonly PortRange[];
  /** The address of Telegram's Bot API. */
  readonly telegramApi: URL;
  /** The time zone of people who name none. */
  readonly zone: string;
}

/** Null without a key to keep their secrets under; undefined where something is malformed. */
export function webhooksOf(values: Values): WebhookConfig | null | undefined {
  const { SECRETS_KEY: key, WEBHOOK_ALLOW_HTTP: http, WEBHOOK_ALLOWED_NETWORKS: networks = [] } = values;
  const { WEBHOOK_ALLOWED_PORTS: ports = [] } = values;
  if (key === undefined) return null;
  return complete<WebhookConfig>({
    key,
    allowHttp: http === 'on',
    networks,
    ports,
    telegramApi: values.TELEGRAM_API_URL,
    zone: values.DAY_ZONE,
  });
}
