import type { EndpointStore } from '../../../../ports/endpoint-store.js';
import type { Leases } from '../../../../ports/leases.js';
import type { Clock, Ids, Stopwatch } from '../../../../ports/system.js';
import type { Endpoint } from '../../../endpoint/endpoint.js';
import type { AccountId } from '../../../ids.js';
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
/** Sends what is due to the webhooks of all accounts, in a process that does nothing by itself. */
export class DeliverDue {
  readonly #owner: string;
  /** The accounts for which there was no place in the last round: they come first in this one. */
  #passedOver: ReadonlySet<AccountId> = new Set();
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
    const read = this.endpoints.listActive.bind(this.endpoints);
    const active: Endpoint[] = [];
    for await (const page of slices(read, (one: Endpoint) => one)) active.push(...page);
    const first = active.filter(({ account }) => this.#passedOver.has(account));
    const others = active.filter(({ account }) => !this.#passedOver.has(account));
    const passedOver = new Set(active.map(({ account }) => account));
    const inTurn = [...eachInTurn(first), ...eachInTurn(others)];
    const found = await Promise.allSettled(inTurn.map((one) => this.#one(one, mayGoOn, passedOver)));
    this.#passedOver = passedOver;
    for (const one of found) if (one.status === 'rejected') throw one.reason;
    const moments = found.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []));
    const next = moments.reduce<Date | null>((least, at) => (least === null || at < least ? at : least), null);
    return { isHere: true, nextAt: next };
  }

  /** Takes the account out of those that were passed over, once there was a place for it. */
  async #one(endpoint: Endpoint, mayGoOn: () => boolean, passedOver: Set<AccountId>): Promise<Date | null> {
    const mayBegin = () => {
      const may = mayGoOn();
      if (may) passedOver.delete(endpoint.account);
      return may;
    };
    for (;;) {
      const [nextAt] = await this.deliver.execute(endpoint, mayBegin);
      if (nextAt === null || nextAt > this.context.wallClock.now() || !mayGoOn()) return nextAt;
    }
  }

  /** Releases the lease; where that fails, it expires. */
  async #release(lease: Lease): Promise<void> {
    await this.leases?.release(lease).catch(() => {});
  }
}

/** The endpoints by turns: one of each account, then the next of each. */
function eachInTurn(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const before = new Map<AccountId, number>();
  const places = endpoints.map((endpoint) => {
    const place = before.get(endpoint.account) ?? 0;
    before.set(endpoint.account, place + 1);
    return { endpoint, place };
  });
  return places.sort((a, b) => a.place - b.place).map(({ endpoint }) => endpoint);
}
