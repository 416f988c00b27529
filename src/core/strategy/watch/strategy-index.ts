import type { Market } from '../../market/market.js';
import type { TradingRules } from '../rules/trading-rules.js';

type Match = TradingRules['match'];

/** What a market is found by. */
export type MatchedMarket = Pick<Market, 'sport' | 'league' | 'kind' | 'event'>;

const ANY = '*';

/**
 * Finds the strategies whose rules may name a market: by its event, or by its sport, league and kind together, each of
 * which a rule may leave open. Their number does not depend on that of the strategies for other markets. Whether the words
 * of `match.text` occur, and everything else, is for the decision to test.
 */
export class StrategyIndex<Strategy> {
  readonly #buckets = new Map<string, Set<Strategy>>();
  readonly #keys = new Map<Strategy, readonly string[]>();

  get size(): number {
    return this.#keys.size;
  }

  /** Adds a strategy, or replaces its rules. */
  put(strategy: Strategy, match: Match): void {
    this.remove(strategy);
    const keys = keysOf(match);
    this.#keys.set(strategy, keys);
    for (const key of keys) {
      const bucket = this.#buckets.get(key);
      if (bucket === undefined) this.#buckets.set(key, new Set([strategy]));
      else bucket.add(strategy);
    }
  }

  remove(strategy: Strategy): void {
    for (const key of this.#keys.get(strategy) ?? []) {
      const bucket = this.#buckets.get(key);
      bucket?.delete(strategy);
      if (bucket?.size === 0) this.#buckets.delete(key);
    }
    this.#keys.delete(strategy);
  }

  /** Tells whether the rules of a strategy may name the market. */
  namer(market: MatchedMarket): (strategy: Strategy) => boolean {
    const buckets = keysFor(market).flatMap((key) => this.#buckets.get(key) ?? []);
    return (strategy) => buckets.some((bucket) => bucket.has(strategy));
  }

  /** Each once, in no order. */
  for(market: MatchedMarket): Set<Strategy> {
    const found = new Set<Strategy>();
    for (const key of keysFor(market)) for (const strategy of this.#buckets.get(key) ?? []) found.add(strategy);
    return found;
  }
}

/** A rule that names events is found by them alone. */
function keysOf({ sport, league, market, events }: Match): string[] {
  if (events !== null) return [...new Set(events.map((event) => eventKey(event)))];
  const keys = listOf(league).flatMap((one) => listOf(market).map((kind) => groupKey(sport, one, kind)));
  return [...new Set(keys)];
}

function keysFor({ sport, league, kind, event }: MatchedMarket): string[] {
  const events = [event?.id, event?.slug].filter((name) => name !== null && name !== undefined).map(eventKey);
  if (sport === null) return events;
  const leagues = league === null ? [ANY] : [league, ANY];
  const kinds = kind === null ? [ANY] : [kind, ANY];
  return [...events, ...leagues.flatMap((one) => kinds.map((other) => groupKey(sport, one, other)))];
}

const listOf = (names: string | readonly string[] | null): readonly string[] =>
  names === null ? [ANY] : typeof names === 'string' ? [names] : names;

/** Names compare in any case of letters, as in a search; no text of a rule or a venue has a line break. */
const eventKey = (event: string): string => `event\n${event.toLowerCase()}`;
const groupKey = (...names: readonly string[]): string => names.join('\n').toLowerCase();
