import type { Logger } from 'pino';
import { monotonic } from '../../adapters/system/index.js';
import { type Endpoint, isWebhook } from '../../core/endpoint/endpoint.js';
import { slices } from '../../core/ledger/query.js';
import type { DeliverEvents } from '../../core/usecases/endpoints/background/deliver-events.js';
import type { Ledger } from '../../ports/ledger.js';

/** How long a webhook is left alone after a fault of the store. */
const AFTER_FAULT_MS = 5000;

interface Followed {
  readonly endpoint: Endpoint;
  /** When it is due even if nothing happens; null for never. */
  nextAt: Date | null;
  /** How many events waited after the last round. */
  waiting: number;
  /** Since when it has not had everything that it is to be sent; null while it has. In the time of `monotonic`. */
  behindSince: number | null;
  readonly leave: () => void;
}

/**
 * Sends events to webhooks and people while `mayRun`: a round where something happened, or is due. Nothing waits for it. What
 * happened starts a round at once for webhooks, and with the next call of `look` for people, who get bundles.
 */
export class WebhookDelivery {
  readonly #followed = new Map<string, Followed>();
  readonly #woken = new Set<string>();
  readonly #later = new Set<string>();
  /** Endpoints with a round in progress: never two rounds at once, even for an endpoint that was changed in between. */
  readonly #busy = new Set<string>();

  constructor(
    private readonly ledger: Pick<Ledger, 'endpoints' | 'log'>,
    private readonly deliver: Pick<DeliverEvents, 'execute'>,
    private readonly mayRun: () => boolean,
    private readonly logger: Logger,
  ) {}

  /** How many events wait to be tried again, or for others. */
  get waiting(): number {
    return [...this.#followed.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Those that are sent events, as of the last `look`. */
  get endpoints(): readonly Endpoint[] {
    return [...this.#followed.values()].map(({ endpoint }) => endpoint);
  }

  /** For how many milliseconds the webhook that is furthest behind has been behind; 0 where none is. People wait on purpose. */
  get behindMs(): number {
    const since = [...this.#followed.values()].flatMap(({ behindSince }) => behindSince ?? []);
    return since.length === 0 ? 0 : monotonic() - Math.min(...since);
  }

  /** Learns of webhooks that are new or changed, and goes on with what is due. Call it every second. Never throws. */
  async look(): Promise<void> {
    if (!this.mayRun()) return this.forget();
    try {
      await this.#refresh();
    } catch (error) {
      this.logger.error({ err: error }, 'could not read the webhooks; retrying');
    }
    for (const id of this.#later) this.#woken.add(id);
    this.#later.clear();
    const now = new Date();
    for (const [id, { nextAt }] of this.#followed) if (nextAt !== null && nextAt <= now) this.#woken.add(id);
    this.#next();
  }

  /** Follows no webhook any more; what is under way ends by itself. */
  forget(): void {
    for (const { leave } of this.#followed.values()) leave();
    this.#followed.clear();
    this.#woken.clear();
    this.#later.clear();
  }

  async #refresh(): Promise<void> {
    const active = new Set<string>();
    const read = this.ledger.endpoints.listActive.bind(this.ledger.endpoints);
    for await (const page of slices(read, (one: Endpoint) => one))
      for (const endpoint of page) {
        active.add(endpoint.id);
        this.#follow(endpoint);
      }
    for (const [id, { leave }] of this.#followed) {
      if (active.has(id)) continue;
      leave();
      this.#followed.delete(id);
    }
  }

  #follow(endpoint: Endpoint): void {
    const { id, account } = endpoint;
    const known = this.#followed.get(id);
    const isSame = known?.endpoint.updatedAt.getTime() === endpoint.updatedAt.getTime();
    if (known !== undefined && isSame) return;
    known?.leave();
    const leave = this.ledger.log.watch(account, () => {
      if (!isWebhook(endpoint)) return void this.#later.add(id);
      followed.behindSince ??= monotonic();
      this.#woken.add(id);
      this.#next();
    });
    const behindSince = isWebhook(endpoint) ? (known?.behindSince ?? monotonic()) : null;
    const followed: Followed = { endpoint, nextAt: null, waiting: known?.waiting ?? 0, behindSince, leave };
    this.#followed.set(id, followed);
    this.#woken.add(id);
  }

  #next(): void {
    if (!this.mayRun()) return;
    for (const id of this.#woken) {
      const followed = this.#followed.get(id);
      if (followed === undefined) this.#woken.delete(id);
      if (followed === undefined || this.#busy.has(id)) continue;
      this.#woken.delete(id);
      void this.#run(followed);
    }
  }

  async #run(followed: Followed): Promise<void> {
    const { endpoint } = followed;
    this.#busy.add(endpoint.id);
    let nextAt: Date | null;
    let waiting = followed.waiting;
    try {
      [nextAt, waiting] = await this.deliver.execute(endpoint, () => this.mayRun() && this.#followed.has(endpoint.id));
    } catch (error) {
      this.logger.error({ err: error, webhook: endpoint.id }, 'could not deliver to a webhook; retrying');
      nextAt = new Date(Date.now() + AFTER_FAULT_MS);
    }
    this.#busy.delete(endpoint.id);
    this.#ended(endpoint.id, nextAt, waiting);
  }

  /** The endpoint may have been changed or forgotten during the round. */
  #ended(id: string, nextAt: Date | null, waiting: number): void {
    const followed = this.#followed.get(id);
    if (followed !== undefined) {
      [followed.nextAt, followed.waiting] = [nextAt, waiting];
      if (nextAt === null && !this.#woken.has(id)) followed.behindSince = null;
      if (nextAt !== null && nextAt <= new Date()) this.#woken.add(id);
    }
    this.#next();
  }
}
