import type { Asker } from '../../../ports/market-data.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import { marketName, refOf } from '../../market/market.js';
import type { TradingRules } from '../../strategy/rules/trading-rules.js';
import { StrategyIndex } from '../../strategy/watch/automated-strategies.js';
import type { MarketView, MarketWithBook } from '../../strategy/watch/watched-market.js';
import type { SearchTerms, SharedSearch } from '../../venues/market-searches.js';
import type { Venues } from '../../venues/venues.js';

/** The most markets that are examined for one set of rules. */
const MOST_MARKETS = 1000;
/** The greatest age of the known list of markets, where a caller waits for it. */
export const SEARCHED_MS = 10_000;

type Match = TradingRules['match'];

/**
 * The searches that together find every market that the rules may name, and that takes orders, among others: by sport and kind
 * alone, so that strategies for different leagues share them.
 */
export function searchesOf({ match, phase }: Pick<TradingRules, 'match' | 'phase'>): readonly SharedSearch[] {
  const statuses = { pre: ['open'], in_play: ['in_play'], any: ['open', 'in_play'] } as const;
  const { sport } = match;
  return listOf(match.market).flatMap((kind) =>
    statuses[phase].map((status) => ({ sport, status, ...(kind && { kind }) })),
  );
}

/** Finds markets and reads their books, as rules see them. */
export class ReadMarketViews {
  constructor(private readonly venues: Venues) {}

  /** Markets of every venue that the rules may name, each once. @throws MarketDataUnavailable */
  async markets(rules: Pick<TradingRules, 'match' | 'phase'>, terms: SearchTerms): Promise<readonly Market[]> {
    const found = new Map<string, Market>();
    const index = new StrategyIndex<Match>(this.venues.ofUnnamed);
    index.put(rules.match, rules.match);
    for (const search of searchesOf(rules))
      for (const market of await this.venues.search(search, terms))
        if (index.for(market).size > 0 && found.size < MOST_MARKETS) found.set(marketName(refOf(market)), market);
    return [...found.values()];
  }

  /** The market as it is now, with the others of its exclusive set among `known`. */
  async view(market: Market, known: readonly Market[], asker: Asker): Promise<MarketView> {
    const { exclusiveSet: set, venue, id } = market;
    const others = known.filter(
      (one) => set !== null && one.exclusiveSet === set && one.venue === venue && one.id !== id,
    );
    const [own, ...views] = await Promise.all([market, ...others].map((one) => this.#withBook(one, asker)));
    return { market, book: own?.book ?? null, others: views };
  }

  async #withBook(market: Market, asker: Asker): Promise<MarketWithBook> {
    // A book that cannot be read is not known: no rule that needs it is true.
    const book: BookView | undefined = await this.venues.book(market, asker).catch(() => undefined);
    return { market, book: book ?? null };
  }
}

function listOf<T extends string>(names: T | readonly T[] | null): readonly (T | null)[] {
  if (names === null) return [null];
  return typeof names === 'string' ? [names] : names;
}
