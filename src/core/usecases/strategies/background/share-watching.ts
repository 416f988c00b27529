import type { AutomatedStrategies } from '../../../strategy/watch/automated-strategies.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import { inTurns } from './in-turns.js';
import { NotFollowedMarkets } from './not-followed-markets.js';
import type { RunnerParts } from './runner-parts.js';
import type { MarketChoice } from './wanted-markets.js';
import type { WatchedMarkets } from './watched-markets.js';

/** Gives the places of accounts that would watch more than they may to what can bet first, and tells of what is left out. */
export class ShareWatching {
  readonly #leftOut: NotFollowedMarkets;
  /** Whether an account would watch more than it may, at the last choice. */
  #wasCrowded = false;

  constructor(
    private readonly strategies: AutomatedStrategies,
    private readonly markets: Pick<WatchedMarkets, 'all'>,
    private readonly parts: RunnerParts,
    /** Brings the watchers of a market in line with its strategies. */
    private readonly watch: (watched: WatchedMarket) => void,
  ) {
    this.#leftOut = new NotFollowedMarkets(parts);
  }

  /** How many markets are not followed, and how many outcomes are watched and are not, each counted for each strategy. */
  get counts(): { readonly notFollowed: number; readonly watched: number; readonly notWatched: number } {
    const { markets, outcomes } = this.#leftOut;
    return { notFollowed: markets, watched: this.strategies.pairs, notWatched: outcomes };
  }

  /** Takes in which markets were chosen; those that are not among them are left already. */
  async execute(chosen: MarketChoice): Promise<void> {
    const { pause, context } = this.parts;
    this.#leftOut.tell(chosen);
    const markets = chosen.followed.map(({ market }) => market);
    const turns = <T>(all: Iterable<T>, work: (one: T) => Promise<void>) => inTurns(all, pause, work);
    this.#leftOut.tellOutcomes(await this.strategies.share(markets, context.clock.now(), turns));
    const { isCrowded } = this.strategies;
    if (!isCrowded && !this.#wasCrowded) return;
    this.#wasCrowded = isCrowded;
    // Places are taken after those that others leave are free.
    await turns(this.markets.all(), async (watched) => this.strategies.trim(watched));
    await turns(this.markets.all(), async (watched) => this.watch(watched));
  }
}
