import { FairPlaces } from '../../../access/fair-places.js';
import type { MarketScene, WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import type { Judgement } from '../judgement.js';

/** Bets that are put on record and sent at once, over all markets, 64 of one account: few enough for the connections of a slow store. */
const MOST_AT_ONCE = 85;

/** A market, and how it is seen at any moment with the others of its set. */
export interface Stage {
  readonly watched: WatchedMarket;
  readonly sceneNow: () => MarketScene;
}

/** A strategy that looks at an outcome of a market. */
export interface Looking {
  readonly watcher: Watcher;
  readonly stage: Stage;
}

/**
 * The places for bets that are placed at once. Who finds none waits, once, without holding up a feed, or a tape, which has to go on for
 * a place to become free: whoever finishes goes on with that of the next account in turn, by what is seen then.
 */
export class BetPlaces {
  /** Those that were placing a bet when a later change would have made them bet. */
  readonly #again = new Set<Watcher>();
  readonly #waiting = new Map<Watcher, Looking>();
  readonly #places = new FairPlaces<Watcher>(MOST_AT_ONCE);

  constructor(
    /** Never throws. */
    private readonly place: (watcher: Watcher, judgement: Judgement) => Promise<unknown>,
    /** What the watcher would bet now; null for nothing. Never throws. */
    private readonly look: (looking: Looking) => Judgement | null | Promise<Judgement | null>,
    /** Told once it is known what became of a bet in the market. */
    private readonly ended: (stage: Stage) => void = () => {},
  ) {}

  /** True where the watcher may place its bet now, in a place that `use` gives back. Else it is judged again later. */
  take(looking: Looking): boolean {
    const { watcher, stage } = looking;
    const { account } = watcher.strategy;
    const isTaken = !watcher.isBetting && this.#places.take(account);
    if (watcher.isBetting) this.#again.add(watcher);
    else if (!isTaken) this.#wait(looking);
    if (!isTaken) return false;
    this.#waiting.delete(watcher);
    this.#places.forget(account, watcher);
    watcher.begin();
    stage.watched.put(watcher);
    return true;
  }

  /** Places the bet, and after it those for which its place becomes free. */
  async use(looking: Looking, judgement: Judgement): Promise<void> {
    let next: readonly [Looking, Judgement] | null = [looking, judgement];
    while (next !== null) {
      await this.place(next[0].watcher, next[1]);
      next = await this.#after(next[0]);
    }
  }

  async #after(ended: Looking): Promise<readonly [Looking, Judgement] | null> {
    const { watcher, stage } = ended;
    watcher.end();
    this.#places.giveBack(watcher.strategy.account);
    const wouldBetAgain = this.#again.delete(watcher);
    // A strategy that was taken away meanwhile stays away.
    if (stage.watched.has(watcher)) stage.watched.put(watcher);
    this.ended(stage);
    if (wouldBetAgain && !watcher.isDone) this.#wait(ended);
    let next = this.#nextInTurn();
    while (next !== undefined) {
      const judgement = next.stage.watched.has(next.watcher) ? await this.look(next) : null;
      if (judgement !== null && this.take(next)) return [next, judgement];
      next = this.#nextInTurn();
    }
    return null;
  }

  #wait(looking: Looking): void {
    this.#waiting.set(looking.watcher, looking);
    this.#places.wait(looking.watcher.strategy.account, looking.watcher);
  }

  /** Undefined where none may have a place now. */
  #nextInTurn(): Looking | undefined {
    const watcher = this.#places.next();
    const looking = watcher && this.#waiting.get(watcher);
    if (looking !== undefined) this.#waiting.delete(looking.watcher);
    return looking;
  }
}
