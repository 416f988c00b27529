import { randomBytes } from 'node:crypto';
import { eventPresenter } from '../../src/adapters/http/index.js';
import { NtfyMessenger } from '../../src/adapters/ntfy/index.js';
import { localTime } from '../../src/adapters/system/local-time.js';
import { TelegramMessenger } from '../../src/adapters/telegram/index.js';
import { AddressRule, EVERY_PORT } from '../../src/adapters/transport/address-rule.js';
import { GuardedHttp } from '../../src/adapters/transport/guarded-http.js';
import { AesSecretBox, StandardWebhookSender } from '../../src/adapters/webhooks/index.js';
import { removed, verified } from '../../src/core/endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../../src/core/ids.js';
import { type WebhookUseCases, webhookUseCases } from '../../src/core/usecases/compose-webhooks.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { aWebhook } from './builders-of-endpoints.js';
import type { Trading } from './trading.js';

/** An address of this machine at which nobody listens. */
export const NOBODY = 'http://127.0.0.1:9/hook';

const BOX = new AesSecretBox(randomBytes(32));

/** The webhooks of an app under test, which may be sent to this machine. Nothing is sent by itself. */
export interface AppWebhooks {
  readonly use: WebhookUseCases;
  /** What is wrong with an address; null where nothing is. */
  problemOf(url: string): string | null;
  close(): Promise<void>;
}

/** Makes them. */
export function appWebhooks(trading: Trading, knownSports: () => readonly string[] | null): AppWebhooks {
  const sender = new StandardWebhookSender({
    box: BOX,
    present: eventPresenter(knownSports),
    allowHttp: true,
    networks: ['127.0.0.0/8'],
    ports: [EVERY_PORT],
    limits: { overallMs: 1000 },
  });
  const http = new GuardedHttp({ allowHttp: true, addresses: new AddressRule(['127.0.0.0/8'], [EVERY_PORT]) });
  const messengers = { telegram: new TelegramMessenger(new URL(NOBODY), http), ntfy: new NtfyMessenger(http) };
  const messages = { messengers, localTime, zone: 'UTC' };
  const use = webhookUseCases(trading.ports, trading.use.accounts, { box: BOX, sender, messages });
  const close = async () => void (await Promise.all([sender.close(), http.close()]));
  return { use, problemOf: (url) => sender.problemOf(url), close };
}

/** As many as one account needs at once. */
const KEPT = 12;

/** A webhook of this account as if its receiver had taken a ping; those before the last few are gone. */
export function webhookOf(name: string, ledger: Pick<Ledger, 'write'>, by = 'a key'): Promise<EndpointId> {
  const account = name as AccountId;
  const at = new Date();
  const secrets = { current: BOX.seal(BOX.fresh()), previous: null };
  const made = verified(aWebhook({ account, target: { kind: 'webhook', url: NOBODY }, by, secrets }), at);
  return ledger.write({ account, endpoints: true }, (now) => {
    const old = now.endpoints().slice(0, -KEPT);
    return { result: made.id, endpoints: [...old.map((one) => removed(one, at)), made] };
  });
}
