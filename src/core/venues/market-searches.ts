import type { Asker, MarketData } from '../../ports/market-data.js';
import { FairTurns } from '../access/fair-places.js';
import type { AccountId } from '../ids.js';
import type { Page, Slice } from '../ledger/query.js';
import type { Market } from '../market/market.js';
import type { MarketQuery } from '../market/query.js';

/** How many searches are under way at once; one account never has all of them. */
const AT_ONCE = 8;
/** So many markets of one search are kept, */
const MOST_FOUND = 20_000;
/** and so many searches, those that were asked for last. */
const MOST_KEPT = 200;
const PAGE = 100;
/** Whoever asked first: others wait for the same answer, so it is in no account's turn at the venue. */
const FOR_ALL: Asker = { account: null, purpose: 'look' };

/** A search for markets: by few members, so that many ask for the same one. */
export type SharedSearch = Pick<MarketQuery, 'sport' | 'kind' | 'status'>;

/** Who asks, when, and how old the answer may be. */
export interface SearchTerms {
  /** It is searched in the turn of this account. */
  readonly account: AccountId;
  readonly now: Date;
  readonly maxAgeMs: number;
}

interface Kept {
  readonly markets: readonly Market[];
  readonly at: number;
}

/** Searches of one source of markets that all share: whoever asks for what is being looked for waits for the same answer. */
export class MarketSearches {
  readonly #turns = new FairTurns(AT_ONCE);
  readonly #running = new Map<string, Promise<readonly Market[]>>();
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly source: Pick<MarketData, 'search'>) {}

  /** Every market that the source finds by this. @throws MarketDataUnavailable */
  async find(search: SharedSearch, terms: SearchTerms): Promise<readonly Market[]> {
    const name = JSON.stringify([search.sport, search.kind, search.status]);
    const ready = this.#ready(name, terms);
    if (ready !== undefined) return ready;
    const end = await this.#turns.take(terms.account);
    try {
      return await (this.#ready(name, terms) ?? this.#begin(name, search, terms));
    } finally {
      end();
    }
  }

  /** What is new enough, or on its way; undefined for neither. */
  #ready(name: string, { now, maxAgeMs }: SearchTerms): Promise<readonly Market[]> | readonly Market[] | undefined {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const kept = this.#kept.get(name);
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - kept.at);
    return ageMs < maxAgeMs ? kept?.markets : undefined;
  }

  #begin(name: string, search: SharedSearch, { now }: SearchTerms): Promise<readonly Market[]> {
    const running = this.#all(search)
      .then((markets) => {
        this.#kept.delete(name);
        this.#kept.set(name, { markets, at: now.getTime() });
        const [oldest] = this.#kept.keys();
        if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
        return markets;
      })
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #all(query: MarketQuery): Promise<readonly Market[]> {
    const found: Market[] = [];
    for (let after: string | null = null; found.length < MOST_FOUND; ) {
      const page: Page<string> = { limit: PAGE, ...(after !== null && { after }) };
      const { items, next }: Slice<Market, string> = await this.source.search(query, page, FOR_ALL);
      found.push(...items);
      if (next === null) break;
      after = next;
    }
    return found;
  }
}
