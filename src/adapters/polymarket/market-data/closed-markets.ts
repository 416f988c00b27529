import { LRUCache } from 'lru-cache';
import type { Asker } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import { type GammaMarket, readGammaMarket } from '../http/gamma-wire.js';
import { listing } from './listing.js';
import type { MarketRecords } from './records.js';

/** Who asks for results. */
export const RESULT: Asker = { account: null, purpose: 'result' };

/** So many condition ids are in one request: its address stays below 5,000 characters. */
const ASKED_AT_ONCE = 50;
/** So many markets are read from the CLOB at a time: each waits for its allowance, and has time left to be answered then. */
const COMPLETED_AT_ONCE = 10;
/** After so long a confirmed result is compared with the CLOB again; at once where Gamma says something else. */
const COMPARED_AGAIN_MS = 10 * 60 * 1000;
/** So many results are remembered, */
const MOST_CONFIRMED = 5000;
/** and so many markets that are open. */
const MOST_OPEN = 50_000;

/** How closed markets are read. */
export interface ClosedMarketSource {
  /** The records that Gamma lists under these condition ids, of closed markets or of the others. */
  listed(ids: readonly string[], closed: boolean): Promise<readonly unknown[]>;
  /** With the records of the CLOB. */
  complete(gamma: GammaMarket): Promise<MarketRecords>;
  /** A market that Gamma does not list under its condition id; undefined where there is none. */
  otherwise(id: string): Promise<GammaMarket | undefined>;
}

type Found = MarketRecords | undefined;

/** The pending search for a market. */
interface Lookup {
  readonly id: string;
  readonly found: Promise<Found>;
  readonly settle: (found: Found | Promise<Found>) => void;
  readonly fail: (error: unknown) => void;
}

/** The records of a market with a result, and what Gamma reported about it then. */
interface Confirmed {
  readonly records: MarketRecords;
  readonly said: string;
}

/**
 * Looks for closed markets by their condition ids, for results: those that are asked for meanwhile share the next request, of which one
 * is under way at a time. So the results of a thousand open markets cost twenty requests.
 */
export class ClosedMarkets {
  readonly #waiting = new Map<string, Lookup>();
  /** Those that Gamma lists while they are open: it lists them once they are closed, too. */
  readonly #open = new LRUCache<string, true>({ max: MOST_OPEN });
  readonly #confirmed: LRUCache<string, Confirmed>;
  #isReading = false;

  constructor(
    clock: Clock,
    private readonly source: ClosedMarketSource,
  ) {
    const perf = { now: () => clock.now().getTime() };
    this.#confirmed = new LRUCache({ max: MOST_CONFIRMED, ttl: COMPARED_AGAIN_MS, ttlResolution: 0, perf });
  }

  /** Undefined for a market that is open, or that there is not. @throws MarketUnusable, MarketDataUnavailable */
  find(id: string): Promise<Found> {
    const lookup = this.#waiting.get(id) ?? lookupOf(id);
    this.#waiting.set(id, lookup);
    if (!this.#isReading) {
      this.#isReading = true;
      // What is asked for in the same turn is in the first request.
      setImmediate(() => void this.#readAll());
    }
    return lookup.found;
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const lookups = [...this.#waiting.values()].slice(0, ASKED_AT_ONCE);
      for (const { id } of lookups) this.#waiting.delete(id);
      try {
        await this.#read(lookups);
      } catch (error) {
        for (const { fail } of lookups) fail(error);
      }
    }
    this.#isReading = false;
  }

  async #read(lookups: readonly Lookup[]): Promise<void> {
    const closed = byId(
      await this.source.listed(
        lookups.map(({ id }) => id),
        true,
      ),
    );
    const others = lookups.filter(({ id }) => !closed.has(nameOf(id)));
    const unknown = others.filter(({ id }) => !this.#open.has(nameOf(id))).map(({ id }) => id);
    if (unknown.length > 0)
      for (const name of byId(await this.source.listed(unknown, false)).keys()) this.#open.set(name, true);
    const isOpen = ({ id }: Lookup) => !closed.has(nameOf(id)) && this.#open.has(nameOf(id));
    for (const { settle } of lookups.filter(isOpen)) settle(undefined);
    const rest = lookups.filter((lookup) => !isOpen(lookup));
    for (let from = 0; from < rest.length; from += COMPLETED_AT_ONCE) {
      const some = rest.slice(from, from + COMPLETED_AT_ONCE);
      for (const { id, settle } of some) settle(this.#complete(id, closed.get(nameOf(id))));
      await Promise.allSettled(some.map(({ found }) => found));
    }
  }

  async #complete(id: string, record: unknown): Promise<Found> {
    const gamma = record === undefined ? await this.source.otherwise(id) : readGammaMarket(record);
    if (gamma === undefined) return undefined;
    const said = JSON.stringify([
      gamma.closed,
      gamma.umaResolutionStatus,
      gamma.umaResolutionStatuses,
      gamma.outcomePrices,
    ]);
    const known = this.#confirmed.get(nameOf(id));
    if (known?.said === said) return known.records;
    const records = await this.source.complete(gamma);
    if (listing(records, records.readAt).payout === null) this.#confirmed.delete(nameOf(id));
    else this.#confirmed.set(nameOf(id), { records, said });
    return records;
  }
}

/** The venue may spell the same id in other letters. */
const nameOf = (id: string): string => id.toLowerCase();

function lookupOf(id: string): Lookup {
  let [settle, fail]: [Lookup['settle'], Lookup['fail']] = [() => {}, () => {}];
  const found = new Promise<Found>((resolve, reject) => {
    [settle, fail] = [resolve, reject];
  });
  return { id, found, settle, fail };
}

/** By the condition id that each names; one that cannot be read is a fault of its own market alone. */
function byId(records: readonly unknown[]): ReadonlyMap<string, unknown> {
  const named = new Map<string, unknown>();
  for (const record of records) {
    const id = (record as { readonly conditionId?: unknown } | null)?.conditionId;
    if (typeof id === 'string') named.set(nameOf(id), record);
  }
  return named;
}
