import { expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { ConfigInvalid } from '../../../src/server/settings/config-invalid.js';

const SECRETS_KEY = Buffer.alloc(32).toString('base64');

it.each(['http://api.example.org', 'https://user:word@example.org', 'https://example.org/?a', 'telegram'])(
  'no token of a bot is sent to %s',
  (TELEGRAM_API_URL) => {
    const read = () => readConfig({ SECRETS_KEY, TELEGRAM_API_URL });
    expect(read).toThrow(ConfigInvalid);
    expect(read).toThrow('TELEGRAM_API_URL must be an https URL, or an http URL on a loopback host');
  },
);

it('messages may use a local Bot API server and times of DAY_ZONE', () => {
  const { webhooks } = readConfig({
    SECRETS_KEY,
    TELEGRAM_API_URL: 'http://127.0.0.1:8081',
    DAY_ZONE: 'Europe/Berlin',
  });
  expect(webhooks).toMatchObject({ telegramApi: new URL('http://127.0.0.1:8081'), zone: 'Europe/Berlin' });
});
