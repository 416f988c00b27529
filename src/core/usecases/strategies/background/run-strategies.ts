import { type AutomatedCursor, type Page, slices } from '../../../ledger/query.js';
import { type Market, refOf } from '../../../market/market.js';
import { marketName } from '../../../market/venue.js';
import { AutomatedStrategies } from '../../../strategy/automated-strategies.js';
import type { Strategy } from '../../../strategy/strategy.js';
import { WatchedMarket } from '../../../strategy/watched-market.js';
import type { Doubt } from '../../trading/background/reduce-for-now.js';
import { FeedSilence } from './feed-silence.js';
import { JudgeMarket } from './judge-market.js';
import { MarketAlarms } from './market-alarms.js';
import type { RunnerParts } from './runner-parts.js';
import { WantedMarkets } from './wanted-markets.js';
import { WatchedMarkets } from './watched-markets.js';

/** Versions this much older than the newest one are read again. */
const OVERLAP_MS = 60_000;

/**
 * Lets every strategy with `automation: auto` trade: follows the markets that their rules name, judges each change of a
 * market by the strategies that it can matter to, and places what they bet. One server at a time runs it.
 */
export class RunStrategies {
  readonly #strategies = new AutomatedStrategies();
  readonly #wanted: WantedMarkets;
  readonly #markets: WatchedMarkets;
  readonly #judge: JudgeMarket;
  readonly #silence = new FeedSilence();
  readonly #alarms: MarketAlarms;
  #changedSince: Date | null = null;
  #isStopped = false;

  constructor(private readonly parts: RunnerParts) {
    const { venues, timeline = null, onFault } = parts;
    this.#wanted = new WantedMarkets(venues, this.#strategies, onFault);
    this.#markets = new WatchedMarkets(venues, (watched, { type }) => {
      // Its start may have moved.
      if (type === 'market') this.#alarms.set(watched);
      return this.#judgeAll(watched);
    });
    this.#judge = new JudgeMarket(parts);
    this.#alarms = new MarketAlarms(timeline, (watched) => this.#judgeAll(watched));
  }

  /** How many strategies trade by themselves, and how many markets are followed for them. */
  get size(): { readonly strategies: number; readonly markets: number } {
    return { strategies: this.#strategies.size, markets: this.#markets.size };
  }

  /** Why the prices that are seen are not to be trusted, as a whole; null as a rule. Call it every few seconds. */
  get doubt(): Doubt | null {
    return this.#silence.look(this.#markets.all(), this.parts.context.clock.now());
  }

  /** Takes in strategies that were made or changed since the last call, and returns whether there were any. @throws StorageUnavailable */
  async refreshStrategies(): Promise<boolean> {
    const since = this.#changedSince;
    const read = (page: Page<AutomatedCursor>) => this.parts.ledger.listAutomated(since, page);
    const changed: Strategy[] = [];
    for await (const strategies of slices(read, (strategy) => strategy)) changed.push(...strategies);
    const isChanged = changed.map((strategy) => this.#strategies.take(strategy)).includes(true);
    if (isChanged) for (const watched of this.#markets.all()) this.#watch(watched);
    const newest = changed.reduce((last, { updatedAt }) => Math.max(last, updatedAt.getTime()), since?.getTime() ?? 0);
    // Servers stamp versions by their own clocks, one of which may be fast, and store them a moment later.
    const latest = Math.min(newest, this.parts.context.wallClock.now().getTime());
    this.#changedSince = new Date(Math.max(0, latest - OVERLAP_MS));
    return isChanged;
  }

  /** Follows the markets that strategies may bet on now or soon, and no others. */
  async refreshMarkets(): Promise<void> {
    const followed = () => this.#markets.all().map(({ market }) => market);
    const wanted = await this.#wanted.find(followed, this.parts.context.clock.now());
    const names = new Set(wanted.map(nameOf));
    for (const market of followed()) if (!names.has(nameOf(market))) this.#leave(market);
    for (const market of wanted) {
      if (this.#isStopped) return;
      const watched = this.#markets.get(market);
      if (watched === undefined) await this.#follow(market);
      else {
        watched.renew(market);
        this.#watch(watched);
        await this.#judgeAll(watched);
      }
    }
  }

  /** Adds the skips since the last call to those on record. */
  async storeCounts(): Promise<void> {
    const { skips, ledger, onFault } = this.parts;
    const counts = skips.takeCounts();
    try {
      await ledger.decisions.count(counts);
    } catch (error) {
      skips.returnCounts(counts);
      onFault('could not store the counts of skips', error);
    }
  }

  /** Follows nothing, and decides nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    for (const watched of this.#markets.all()) this.#leave(watched.market);
  }

  async #judgeAll(watched: WatchedMarket): Promise<void> {
    if (this.#isStopped) return;
    await this.#judge.execute(watched, () => this.#markets.sceneOf(watched));
  }

  #watch(watched: WatchedMarket): void {
    this.#strategies.watch(watched);
    this.#alarms.set(watched);
  }

  #leave(market: Market): void {
    const watched = this.#markets.get(market);
    if (watched !== undefined) this.#alarms.clear(watched);
    this.#markets.leave(market);
  }

  async #follow(market: Market): Promise<void> {
    const watched = new WatchedMarket(market);
    this.#watch(watched);
    try {
      await this.#markets.follow(watched);
    } catch (error) {
      this.#alarms.clear(watched);
      this.parts.onFault('could not follow a market', error);
    }
  }
}

const nameOf = (market: Market): string => marketName(refOf(market));
