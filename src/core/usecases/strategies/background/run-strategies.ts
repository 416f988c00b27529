import type { StrategyId } from '../../../ids.js';
import { type Market, sameMarket } from '../../../market/market.js';
import type { SignalKey } from '../../../signal/signal.js';
import { AutomatedStrategies } from '../../../strategy/watch/automated-strategies.js';
import { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import type { Doubt } from '../../trading/background/reduce-for-now.js';
import { ChangedStrategies } from './changed-strategies.js';
import { FeedSilence } from './feed-silence.js';
import { InOrder } from './in-order.js';
import { inTurns } from './in-turns.js';
import { JudgeMarket } from './judge-market.js';
import { LookBySignals } from './look-by-signals.js';
import { MarketAlarms } from './market-alarms.js';
import type { RunnerParts } from './runner-parts.js';
import { storeSkips } from './store-skips.js';
import { WantedMarkets } from './wanted-markets.js';
import { WatchedMarkets } from './watched-markets.js';

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
  readonly #changed: ChangedStrategies;
  readonly #refreshing = new InOrder();
  readonly #signals: LookBySignals;
  #isStopped = false;

  constructor(private readonly parts: RunnerParts) {
    const { venues, timeline = null, onFault, ledger, context } = parts;
    const { apart = (work) => work() } = parts;
    this.#wanted = new WantedMarkets(venues, this.#strategies, onFault);
    this.#markets = new WatchedMarkets(venues, (watched, { type }) => {
      // Its start may have moved.
      if (type === 'market') this.#alarms.set(watched);
      const due = watched.due();
      return due.length === 0 ? undefined : apart(() => this.#judgeAll(watched, due));
    });
    this.#changed = new ChangedStrategies(ledger, context.wallClock);
    this.#judge = new JudgeMarket(parts, (watched) => this.#alarms.set(watched));
    this.#signals = new LookBySignals(this.#markets, parts, (watched, due) => this.#judgeAll(watched, due));
    this.#alarms = new MarketAlarms(timeline, (watched) => this.#judgeAll(watched, watched.due()));
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
    const changed = new Set<StrategyId>();
    await this.#changed.read((strategy) => {
      if (this.#strategies.take(strategy)) changed.add(strategy.id);
    });
    if (changed.size > 0)
      await inTurns(this.#markets.all(), this.parts.pause, async (watched) => {
        this.#strategies.watch(watched, changed);
        this.#alarms.set(watched);
      });
    return changed.size > 0;
  }

  /** Follows the markets that strategies may bet on now or soon, and no others, and looks at those that may have become ready for a bet. */
  refreshMarkets(): Promise<void> {
    return this.#refreshing.run('markets', () => this.#refreshMarkets());
  }

  /** Has strategies look by signals that another server put since the last call, and by `also`. @throws StorageUnavailable */
  async noticeSignals(also: readonly SignalKey[] = []): Promise<void> {
    await this.#signals.notice(also);
  }

  /** Adds the skips since the last call to those on record. */
  async storeCounts(): Promise<void> {
    await storeSkips(this.parts);
  }

  /** Follows nothing, and decides nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#signals.end();
    for (const watched of this.#markets.all()) this.#leave(watched.market);
  }

  async #refreshMarkets(): Promise<void> {
    const wanted = await this.#wanted.find(() => this.#markets.followed, this.parts.context.clock.now());
    for (const market of this.#markets.besides(wanted)) this.#leave(market);
    const bets: Promise<void>[] = [];
    await inTurns(wanted, this.parts.pause, async (market) => {
      const watched = this.#markets.get(market);
      if (this.#isStopped) return;
      if (watched === undefined) await this.#follow(market);
      else bets.push(...(await this.#renew(watched, market)));
    });
    await Promise.all(bets);
  }

  /** Time, the other markets of its set and what is on record may have changed, though the market did not. */
  async #renew(watched: WatchedMarket, market: Market): Promise<readonly Promise<void>[]> {
    if (!sameMarket(watched.market, market)) {
      watched.renew(market);
      this.#watch(watched);
    }
    return this.#judge.execute(this.#markets.stageOf(watched), watched.dueAgain());
  }

  async #judgeAll(watched: WatchedMarket, watchers: Iterable<Watcher>): Promise<void> {
    if (this.#isStopped) return;
    await Promise.all(await this.#judge.execute(this.#markets.stageOf(watched), watchers));
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
