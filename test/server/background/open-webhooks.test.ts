import { Container } from 'inversify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/adapters/http/index.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { openWebhooks } from '../../../src/server/background/open-webhooks.js';
import type { WebhookConfig } from '../../../src/server/settings/config.js';
import { Precedence } from '../../../src/server/wiring/precedence.js';
import { KNOWN_SPORTS, LEDGER, USE_CASE_PORTS, USE_CASES } from '../../../src/server/wiring/tokens.js';
import { webhookOf } from '../../support/app-webhooks.js';
import { trading } from '../../support/trading.js';

const OTHER_KEY = {
  key: new Uint8Array(32).fill(7),
  allowHttp: false,
  networks: [],
  ports: [],
  telegramApi: new URL('https://api.telegram.org'),
  zone: 'UTC',
};

/** What a server with this configuration logs when it starts on a store with, or without, a webhook. */
async function saidAtStart(webhooks: WebhookConfig | null, some: boolean): Promise<readonly string[]> {
  const ledger = new MemoryLedger();
  const { ports, use } = trading(ledger);
  const id = some ? await webhookOf('alice', ledger) : 'none';
  const container = new Container();
  container.bind(LEDGER).toConstantValue(ledger);
  container.bind(USE_CASE_PORTS).toConstantValue(ports);
  container.bind(USE_CASES).toConstantValue(use);
  container.bind(Precedence).toConstantValue(new Precedence(ledger.leases, { version: '1.0.0', automates: false }));
  container.bind(KNOWN_SPORTS).toConstantValue(() => null);
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const config = { webhooks, database: { kind: 'memory' } } as const;
  const opened = await openWebhooks(container, config, ledger.leases, new Metrics(), logger);
  await opened.close();
  return lines.map((line) => line.replaceAll(id, 'ID').trimEnd());
}

describe('A server that starts', () => {
  it('without SECRETS_KEY says that the webhooks on record are sent nothing', async () => {
    const words = 'SECRETS_KEY is not set: webhooks are on record, and are sent nothing';
    expect(await saidAtStart(null, true)).toEqual([JSON.stringify({ level: 40, msg: words })]);
    expect(await saidAtStart(null, false)).toEqual([]);
  });

  it('with another SECRETS_KEY logs the webhooks it cannot decrypt and a fix', async () => {
    const words =
      'SECRETS_KEY is not the key that the secrets of these webhooks were sealed with: they are sent nothing. Set that key, or rotate their secrets, and set the tokens of messengers anew';
    expect(await saidAtStart(OTHER_KEY, true)).toEqual([JSON.stringify({ level: 50, webhooks: ['ID'], msg: words })]);
    expect(await saidAtStart(OTHER_KEY, false)).toEqual([]);
  });
});
