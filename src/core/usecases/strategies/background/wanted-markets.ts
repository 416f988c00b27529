import { type Market, refOf } from '../../../market/market.js';
import { marketName } from '../../../market/venue.js';
import type { AutomatedStrategies } from '../../../strategy/watch/automated-strategies.js';
import type { Venues } from '../../../venues/venues.js';
import { FindScenes } from '../find-scenes.js';
import type { OnRunnerFault } from './runner-parts.js';

/** How many markets one server follows for strategies; those that start first come first. */
const MOST_FOLLOWED = 1000;

/** Finds the markets that strategies may bet on now or soon. */
export class WantedMarkets {
  readonly #scenes: FindScenes;

  constructor(
    venues: Venues,
    private readonly strategies: Pick<AutomatedStrategies, 'searches' | 'mayBetSoon'>,
    private readonly onFault: OnRunnerFault,
  ) {
    this.#scenes = new FindScenes(venues);
  }

  /** Those that start first first. Where a venue cannot be searched now, those `followed` so far are among them. */
  async find(followed: () => readonly Market[], now: Date): Promise<readonly Market[]> {
    const found = new Map<string, Market>();
    for (const search of this.strategies.searches()) {
      try {
        for (const market of await this.#scenes.markets(search)) found.set(nameOf(market), market);
      } catch (error) {
        this.onFault('could not look for markets', error);
        for (const market of followed()) found.set(nameOf(market), market);
      }
    }
    const soon = [...found.values()].filter((market) => this.strategies.mayBetSoon(market, now));
    return soon.sort((a, b) => startOf(a) - startOf(b)).slice(0, MOST_FOLLOWED);
  }
}

const nameOf = (market: Market): string => marketName(refOf(market));

/** A market without a start comes last. */
const startOf = ({ startsAt }: Market): number => startsAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
