import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { Metrics } from '../../adapters/http/index.js';
import { monotonic, systemTimeline } from '../../adapters/system/index.js';
import { repeat } from '../../core/concurrency/repeat.js';
import type { Endpoint } from '../../core/endpoint/endpoint.js';
import type { Lease } from '../../core/ledger/lease.js';
import type { Leases } from '../../ports/leases.js';
import type { Ledger } from '../../ports/ledger.js';
import { metric } from '../metrics/own-metrics.js';
import type { Config } from '../settings/config.js';
import { Precedence } from '../wiring/precedence.js';
import { LEDGER } from '../wiring/tokens.js';
import { CommandPolling } from './command-polling.js';
import { LeaseKeeper, leaseTimes } from './lease-keeper.js';
import { WebhookDelivery } from './webhook-delivery.js';

const LOOK_EVERY_MS = 1000;
/** How many secrets are tried at a start. */
const MOST_READ = 100;
const OTHER_KEY =
  'SECRETS_KEY is not the key that the secrets of these webhooks were sealed with: they are sent nothing. Set that key, or rotate their secrets, and set the tokens of messengers anew';

const TIME = { timeline: systemTimeline, stopwatch: monotonic };

/** The webhooks of a server. */
export interface RunningWebhooks {
  /** Begins to send, once this server has the lease. */
  start(): void;
  /** Sends nothing any more. */
  close(): Promise<void>;
}

/** Adds webhooks to a server that can keep their secrets; warns where there are some, and it cannot. */
export async function openWebhooks(
  container: Container,
  { webhooks, database }: Pick<Config, 'webhooks' | 'database'>,
  leases: Leases,
  metrics: Metrics,
  logger: Logger,
): Promise<RunningWebhooks> {
  const ledger = container.get(LEDGER);
  if (webhooks === null) {
    const [some] = await ledger.endpoints.listActive({ limit: 1 });
    if (some !== undefined) logger.warn('SECRETS_KEY is not set: webhooks are on record, and are sent nothing');
    return { start: () => {}, close: async () => {} };
  }
  const { bindWebhooks } = await import('../wiring/webhooks.js');
  const { use, isReadable, commands, close } = await bindWebhooks(container, webhooks, metrics);
  await reportUnreadable(ledger, isReadable, logger);
  let held: Lease | null = null;
  const { owner } = container.get(Precedence).program;
  const wanted = { name: 'delivery', owner, times: leaseTimes(database) } as const;
  const lease = new LeaseKeeper(
    leases,
    wanted,
    TIME,
    {
      taken: (taken) => {
        held = taken;
      },
      lost: () => {
        held = null;
      },
    },
    logger,
  );
  const mayRun = () => held !== null && lease.holds(held);
  const delivery = new WebhookDelivery(ledger, use.deliver, mayRun, logger);
  const polling = new CommandPolling(commands, mayRun, logger);
  const look = async () => {
    await delivery.look();
    polling.look(delivery.endpoints);
  };
  metrics.watch(...metric('stakeport_webhook_lag_seconds'), () => delivery.behindMs / 1000);
  metrics.watch(...metric('stakeport_webhook_deliveries_waiting'), () => delivery.waiting);
  let end = () => {};
  return {
    start() {
      void lease.start();
      end = repeat(systemTimeline, LOOK_EVERY_MS, look, { firstMs: 0 });
    },
    async close() {
      end();
      delivery.forget();
      const answered = polling.close();
      await close();
      await answered;
      await lease.stop();
    },
  };
}

async function reportUnreadable(
  { endpoints }: Pick<Ledger, 'endpoints'>,
  isReadable: (endpoint: Endpoint) => boolean,
  logger: Logger,
): Promise<void> {
  const known = await endpoints.listActive({ limit: MOST_READ });
  const unreadable = known.filter((endpoint) => !isReadable(endpoint)).map(({ id }) => id);
  if (unreadable.length > 0) logger.error({ webhooks: unreadable }, OTHER_KEY);
}
