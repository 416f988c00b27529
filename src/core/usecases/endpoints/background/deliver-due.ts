import type { EndpointStore } from '../../../../ports/endpoint-store.js';
import type { Leases } from '../../../../ports/leases.js';
import type { Clock, Ids, Stopwatch } from '../../../../ports/system.js';
import type { Endpoint } from '../../../endpoint/endpoint.js';
import type { Lease } from '../../../ledger/lease.js';
import { slices } from '../../../ledger/query.js';
import type { DeliverEvents } from './deliver-events.js';

/** What came of looking at all webhooks. */
export interface DueDeliveries {
  /** False while another process sends to webhooks: then nothing was done here. */
  readonly isHere: boolean;
  /** When something is due again, if nothing new happens; null for nothing. */
  readonly nextAt: Date | null;
}

/** How long it is relied on, and then for how long no other process takes it: a try lasts 15 seconds at most. */
const [TRUSTED_MS, LASTS_MS] = [15_000, 30_000];
/** How many webhooks are sent to at once. */
const AT_ONCE = 16;

/** Sends what is due to the webhooks of all accounts, in a process that does nothing by itself. */
export class DeliverDue {
  readonly #owner: string;
  #running: Promise<DueDeliveries> | null = null;

  constructor(
    private readonly endpoints: Pick<EndpointStore, 'listActive'>,
    /** Null for a store that only this process has. */
    private readonly leases: Pick<Leases, 'claim' | 'release'> | null,
    private readonly deliver: Pick<DeliverEvents, 'execute'>,
    private readonly context: { readonly wallClock: Clock; readonly ids: Ids; readonly stopwatch: Stopwatch },
  ) {
    this.#owner = context.ids.next();
  }

  /** Never two at once: a call during another one is that one. @throws StorageUnavailable */
  execute(): Promise<DueDeliveries> {
    this.#running ??= this.#once().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #once(): Promise<DueDeliveries> {
    const began = this.context.stopwatch();
    const mayGoOn = () => this.context.stopwatch() - began < TRUSTED_MS;
    if (this.leases === null) return this.#all(mayGoOn);
    const lease = await this.leases.claim('delivery', this.#owner, LASTS_MS);
    if (lease === null) return { isHere: false, nextAt: null };
    return this.#all(mayGoOn).finally(() => this.#release(lease));
  }

  async #all(mayGoOn: () => boolean): Promise<DueDeliveries> {
    const moments: Date[] = [];
    const read = this.endpoints.listActive.bind(this.endpoints);
    for await (const page of slices(read, (one: Endpoint) => one)) {
      for (let from = 0; from < page.length; from += AT_ONCE) {
        const found = page.slice(from, from + AT_ONCE).map((one) => this.#one(one, mayGoOn));
        moments.push(...(await Promise.all(found)).flatMap((at) => (at === null ? [] : [at])));
      }
    }
    const first = moments.reduce<Date | null>((least, at) => (least === null || at < least ? at : least), null);
    return { isHere: true, nextAt: first };
  }

  async #one(endpoint: Endpoint, mayGoOn: () => boolean): Promise<Date | null> {
    for (;;) {
      const [nextAt] = await this.deliver.execute(endpoint, mayGoOn);
      if (nextAt === null || nextAt > this.context.wallClock.now() || !mayGoOn()) return nextAt;
    }
  }

  /** It expires by itself, too. */
  async #release(lease: Lease): Promise<void> {
    await this.leases?.release(lease).catch(() => {});
  }
}
