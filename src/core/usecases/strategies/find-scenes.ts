import type { Page, Slice } from '../../ledger/query.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import { refOf } from '../../market/market.js';
import type { MarketQuery } from '../../market/query.js';
import { marketName } from '../../market/venue.js';
import type { TradingRules } from '../../strategy/rules/trading-rules.js';
import type { MarketScene, SeenMarket } from '../../strategy/watch/market-scene.js';
import { StrategyIndex } from '../../strategy/watch/strategy-index.js';
import type { Venues } from '../../venues/venues.js';

/** The most markets that are looked at for one set of rules. */
const MOST_MARKETS = 1000;
const PAGE = 100;

type Match = TradingRules['match'];

/** The searches that together find every market that the rules may name, and that takes orders. */
export function queriesOf({ match, phase }: Pick<TradingRules, 'match' | 'phase'>): readonly MarketQuery[] {
  const statuses = { pre: ['open'], in_play: ['in_play'], any: ['open', 'in_play'] } as const;
  const { sport } = match;
  return listOf(match.league).flatMap((league) =>
    listOf(match.market).flatMap((kind) =>
      statuses[phase].map((status) => ({ sport, status, ...(league && { league }), ...(kind && { kind }) })),
    ),
  );
}

/** Finds markets and reads their books, as rules see them. */
export class FindScenes {
  constructor(private readonly venues: Venues) {}

  /** Markets of every venue that the rules may name, each once. @throws MarketDataUnavailable */
  async markets(rules: Pick<TradingRules, 'match' | 'phase'>): Promise<readonly Market[]> {
    const found = new Map<string, Market>();
    const index = new StrategyIndex<Match>();
    index.put(rules.match, rules.match);
    for (const { marketData } of this.venues.all)
      for (const query of queriesOf(rules))
        for await (const market of paged((page) => marketData.search(query, page)))
          if (index.for(market).size > 0 && found.size < MOST_MARKETS) found.set(marketName(refOf(market)), market);
    return [...found.values()];
  }

  /** The market as it is now, with the others of its exclusive set among `known`. */
  async scene(market: Market, known: readonly Market[]): Promise<MarketScene> {
    const { exclusiveSet: set, venue, id } = market;
    const others = known.filter(
      (one) => set !== null && one.exclusiveSet === set && one.venue === venue && one.id !== id,
    );
    const [own, ...seen] = await Promise.all([market, ...others].map((one) => this.#seen(one)));
    return { market, book: own?.book ?? null, others: seen };
  }

  async #seen(market: Market): Promise<SeenMarket> {
    // A book that cannot be read is not known: no rule that needs it is true.
    const book: BookView | undefined = await this.venues.book(market).catch(() => undefined);
    return { market, book: book ?? null };
  }
}

async function* paged(search: (page: Page<string>) => Promise<Slice<Market, string>>): AsyncGenerator<Market> {
  for (let after: string | null = null; ; ) {
    const { items, next }: Slice<Market, string> = await search({ limit: PAGE, ...(after !== null && { after }) });
    yield* items;
    if (next === null) return;
    after = next;
  }
}

function listOf<T extends string>(names: T | readonly T[] | null): readonly (T | null)[] {
  if (names === null) return [null];
  return typeof names === 'string' ? [names] : names;
}
