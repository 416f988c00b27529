import type { MarketId } from '../../core/ids.js';
import type { MarketEvent } from '../../core/market/event.js';
import { ListenerQueue } from '../../core/market/listener-queue.js';
import { type Market, type PriceGrid, withGrid } from '../../core/market/market.js';
import type { Following, MarketListener } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';
import { PacedRounds, type RoundLimits } from '../transport/paced-rounds.js';

/** Adds a market's metadata to its event stream, so that the listener gets the events of both one at a time. */
export class MarketWatch {
  readonly #queue: ListenerQueue;
  #hasBegun = false;
  #stopped = false;
  #again = false;
  #looking: Promise<void> | undefined;
  /** The newest price grid since the metadata was last requested. */
  #grid: PriceGrid | null = null;

  constructor(
    readonly market: Market,
    listener: MarketListener,
    private readonly clock: Clock,
    private readonly read: (market: Market) => Promise<Market | undefined>,
    private readonly report: (reason: string, error?: unknown) => void,
  ) {
    this.#queue = new ListenerQueue((event) => {
      this.#hasBegun = true;
      return listener(event);
    });
  }

  /** Delivers an event once those before it were taken. */
  async hand(event: MarketEvent): Promise<void> {
    if (event.type === 'tick') this.#grid = gridOfTick(event);
    await this.#queue.hand(event);
  }

  /**
   * Reads the metadata now; once more if requested during a read, so that the last delivered one was read last. A failed
   * read changes nothing, and is repeated at the next round. Does nothing before the first event.
   */
  look(): Promise<void> {
    if (!this.#hasBegun) return Promise.resolve();
    this.#again = true;
    this.#looking ??= this.#lookWhileAsked();
    return this.#looking;
  }

  stop(): void {
    this.#stopped = true;
    this.#queue.stop();
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#lookOnce();
    }
    this.#looking = undefined;
  }

  async #lookOnce(): Promise<void> {
    try {
      this.#grid = null;
      const read = await this.read(this.market);
      if (read === undefined) return;
      // Metadata requested before the grid changed may show the old one, and would undo the change.
      const market = this.#grid === null ? read : withGrid(read, this.#grid);
      await this.hand({ type: 'market', market, at: this.clock.now() });
    } catch (error) {
      if (!this.#stopped) this.report("a market's metadata could not be read or handed over", error);
    }
  }
}

const gridOfTick = ({ tick, bands }: PriceGrid): PriceGrid => (bands === undefined ? { tick } : { tick, bands });

/** What the followed markets of one source need of it. */
export interface MarketWatchesParts {
  readonly clock: Clock;
  readonly rounds: RoundLimits;
  /** Reads a followed market anew. */
  renewed(market: Market): Promise<Market | undefined>;
  /** Delivers the events of a market's feed. */
  follow(market: Market, listener: MarketListener): Promise<Following>;
  report(reason: string, error?: unknown): void;
}

/** All followed markets of a source: their feeds, and their metadata, which is read in rounds. */
export class MarketWatches {
  readonly #rounds: PacedRounds<MarketWatch>;

  constructor(private readonly parts: MarketWatchesParts) {
    this.#rounds = new PacedRounds(parts.rounds, (watch) => void watch.look());
  }

  /** Delivers the events of a market, its metadata among them. Throws as the feed does. */
  async follow(market: Market, listener: MarketListener): Promise<Following> {
    const { clock, renewed, follow, report } = this.parts;
    const watch = new MarketWatch(market, listener, clock, renewed, report);
    this.#rounds.touch(watch);
    try {
      const following = await follow(market, (event) => watch.hand(event));
      return {
        stop: () => {
          following.stop();
          this.#end(watch);
        },
      };
    } catch (error) {
      this.#end(watch);
      throw error;
    }
  }

  /** Reads the metadata of a market now. */
  lookAgain(id: MarketId): void {
    for (const watch of this.#rounds.all()) if (watch.market.id === id) void watch.look();
  }

  /** Ends all of them. */
  close(): void {
    for (const watch of this.#rounds.all()) this.#end(watch);
  }

  #end(watch: MarketWatch): void {
    watch.stop();
    this.#rounds.remove(watch);
  }
}
