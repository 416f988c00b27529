import { randomBytes } from 'node:crypto';
import { eventPresenter } from '../../../../src/adapters/http/index.js';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { sha256, uuidV7 } from '../../../../src/adapters/system/index.js';
import { AesSecretBox, EVERY_PORT, StandardWebhookSender } from '../../../../src/adapters/webhooks/index.js';
import type { Endpoint } from '../../../../src/core/endpoint/endpoint.js';
import { type WebhookUseCases, webhookUseCases } from '../../../../src/core/usecases/compose-webhooks.js';
import type { CreateWebhookCommand } from '../../../../src/core/usecases/endpoints/create-webhook.js';
import type { SecretBox } from '../../../../src/ports/webhook-sender.js';
import { ALICE, anOrderContext, aStrategy, clockAt, NOON } from '../../../support/builders.js';
import { Receiver } from '../../../support/receiver.js';
import { trading } from '../../../support/trading.js';

const ends: (() => unknown)[] = [];

/** Closes what the stages of a test have open. */
export async function endStages(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** A box whose key may be another one from one moment to the next, as of a server that was started anew. */
class KeyedBox implements SecretBox {
  current = new AesSecretBox(randomBytes(32));

  fresh = () => this.current.fresh();
  seal = (secret: string) => this.current.seal(secret);
  open = (sealed: string) => this.current.open(sealed);
  codeOf = (text: string) => this.current.codeOf(text);
}

/** A webhook to a real receiver, with a clock of its own. */
export async function webhookFixture(types: CreateWebhookCommand['types'] = []) {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger();
  const receiver = await Receiver.start();
  const box = new KeyedBox();
  const parts = { allowHttp: true, networks: ['127.0.0.0/8'], ports: [EVERY_PORT], limits: { overallMs: 300 } };
  const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null), ...parts });
  ends.push(
    () => receiver.close(),
    () => sender.close(),
  );
  const ports = { ledger, wallClock: clock, ids: uuidV7, digest: sha256 };
  const { accounts } = trading(ledger, { context: anOrderContext({ clock }) }).use;
  const use = webhookUseCases(ports, accounts, { box, sender });
  const command = { account: ALICE, by: 'a key', url: receiver.url, types, description: '', idempotencyKey: null };
  const { webhook, secret } = await use.create.execute(command);
  receiver.secret = secret;
  const current = async () => (await use.read.one(webhook)).webhook;
  /** Rounds until nothing is due any more; what wants to go on at once does. */
  const deliver = async () => {
    for (;;) {
      const endpoint = await current();
      if (endpoint.state !== 'active') return null;
      const [next] = await use.deliver.execute(endpoint, () => true);
      if (next === null || next > clock.now()) return next;
    }
  };
  /** Simulated time passes, from one moment at which something is due to the next. */
  const pass = async (ms: number) => {
    const end = clock.now().getTime() + ms;
    for (;;) {
      const next = await deliver();
      if (next === null || next.getTime() > end) break;
      clock.tick(next.getTime() - clock.now().getTime());
    }
    clock.tick(end - clock.now().getTime());
    await deliver();
  };
  const write = (many = 1) =>
    Promise.all(
      Array.from({ length: many }, () =>
        ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] })),
      ),
    );
  return {
    box,
    clock,
    ledger,
    receiver,
    use,
    webhook,
    current,
    deliver,
    pass,
    write,
    ping: () => use.ping.execute(webhook),
  };
}

/** What its receiver did not take. */
export const deliveriesOf = async ({ use, webhook }: { use: WebhookUseCases; webhook: Endpoint }) =>
  (await use.read.deliveries(webhook, { limit: 1000 })).items;
