import type { Asker, MarketData } from '../../ports/market-data.js';
import { FairQueue } from '../concurrency/fair-places.js';
import type { AccountId } from '../ids.js';
import type { Page, Slice } from '../ledger/query.js';
import type { MarketStatus } from '../market/lifecycle.js';
import type { Market } from '../market/market.js';
import { answers, type MarketQuery } from '../market/market.js';

/** How many searches are under way at once; one account never has all of them. */
const AT_ONCE = 8;
/** So many markets of one search are kept, */
const MOST_FOUND = 20_000;
/** and so many searches, those that were asked for last. */
const MOST_KEPT = 200;
const PAGE = 100;
/** The asker of a shared search: later callers wait for the same answer, so it uses no account's queue at the venue. */
const FOR_ALL: Asker = { account: null, purpose: 'look' };

/** A search for markets: by few members, so that many ask for the same one. */
export type SharedSearch = Pick<MarketQuery, 'sport' | 'kind'> & { readonly status: MarketStatus };

/** Who asks, when, and how old the answer may be. */
export interface SearchTerms {
  /** The account in whose turn markets are searched. */
  readonly account: AccountId;
  readonly now: Date;
  readonly maxAgeMs: number;
}

interface Kept {
  readonly markets: readonly Market[];
  readonly at: number;
}

/** What each search found, by its name. */
type Found = ReadonlyMap<string, readonly Market[]>;

/** Searches for one kind of market that wait for a turn, and then read the lists of the source once for all of them. */
interface Joint {
  readonly searches: Map<string, SharedSearch>;
  /** The accounts in whose places it may begin. */
  readonly accounts: Set<AccountId>;
  readonly found: Promise<Found>;
  begin(): void;
}

/**
 * Searches of one source of markets that all callers share: a caller that asks for a running search waits for the same answer.
 * A source lists all sports together, so queued searches are read together, and separated here.
 */
export class MarketSearches {
  readonly #queue = new FairQueue(AT_ONCE);
  readonly #waiting = new Map<SharedSearch['kind'], Joint>();
  readonly #running = new Map<string, Promise<readonly Market[]>>();
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly source: Pick<MarketData, 'search'>) {}

  /** Every market that the source finds by this. @throws MarketDataUnavailable */
  async find(search: SharedSearch, terms: SearchTerms): Promise<readonly Market[]> {
    const name = JSON.stringify([search.sport, search.kind, search.status]);
    return this.#ready(name, terms) ?? this.#join(name, search, terms);
  }

  /** What is new enough, or on its way; undefined for neither. */
  #ready(name: string, { now, maxAgeMs }: SearchTerms): Promise<readonly Market[]> | readonly Market[] | undefined {
    const kept = this.#kept.get(name);
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - kept.at);
    return ageMs < maxAgeMs ? kept?.markets : this.#running.get(name);
  }

  async #join(name: string, search: SharedSearch, { account, now }: SearchTerms): Promise<readonly Market[]> {
    const joint = this.#waiting.get(search.kind) ?? this.#makeJoint(search.kind, now);
    joint.searches.set(name, search);
    if (!joint.accounts.has(account)) void this.#beginInTurn(joint, account);
    return (await joint.found).get(name) ?? [];
  }

  #makeJoint(kind: SharedSearch['kind'], now: Date): Joint {
    const searches: Joint['searches'] = new Map();
    let resolve: (found: Promise<Found>) => void = () => {};
    const found = new Promise<Found>((end) => {
      resolve = end;
    });
    const begin = () => {
      if (this.#waiting.get(kind) !== joint) return;
      this.#waiting.delete(kind);
      resolve(this.#begin(searches, now));
    };
    const joint: Joint = { searches, accounts: new Set(), found, begin };
    this.#waiting.set(kind, joint);
    return joint;
  }

  async #beginInTurn({ accounts, begin, found }: Joint, account: AccountId): Promise<void> {
    accounts.add(account);
    const end = await this.#queue.take(account);
    begin();
    // The callers get the error.
    await found.catch(() => {});
    end();
  }

  #begin(searches: ReadonlyMap<string, SharedSearch>, now: Date): Promise<Found> {
    const reading = this.#read([...searches]);
    for (const name of searches.keys()) {
      const running = reading
        .then((found) => this.#keep(name, { markets: found.get(name) ?? [], at: now.getTime() }))
        .finally(() => this.#running.delete(name));
      running.catch(() => {});
      this.#running.set(name, running);
    }
    return reading;
  }

  #keep(name: string, kept: Kept): readonly Market[] {
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept.markets;
  }

  async #read(searches: readonly (readonly [string, SharedSearch])[]): Promise<Found> {
    const query = queryFor(searches.map(([, search]) => search));
    const found = searches.map(([name, search]) => ({ name, search, markets: [] as Market[] }));
    for (let after: string | null = null; found.some(({ markets }) => markets.length < MOST_FOUND); ) {
      const page: Page<string> = { limit: PAGE, ...(after !== null && { after }) };
      const { items, next }: Slice<Market, string> = await this.source.search(query, page, FOR_ALL);
      for (const { search, markets } of found)
        if (markets.length < MOST_FOUND) markets.push(...items.filter((market) => answers(market, search)));
      if (next === null) break;
      after = next;
    }
    return new Map(found.map(({ name, markets }) => [name, markets]));
  }
}

/** One query that covers all of these searches for the same kind of market. */
function queryFor(searches: readonly SharedSearch[]): MarketQuery {
  const [{ sport, kind } = {}] = searches;
  const isOneSport = sport !== undefined && searches.every((one) => one.sport === sport);
  const statuses = new Set<MarketStatus>();
  for (const { status } of searches) statuses.add(status);
  return {
    status: [...statuses],
    ...(isOneSport && { sport }),
    ...(kind !== undefined && { kind }),
  };
}
