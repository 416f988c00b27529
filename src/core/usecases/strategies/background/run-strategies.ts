import type { Ledger } from '../../../../ports/ledger.js';
import type { SignalSource } from '../../../../ports/signals.js';
import { PaperElsewhere } from '../../../errors.js';
import type { DecisionId } from '../../../ids.js';
import { type AutomatedCursor, type Page, slices } from '../../../ledger/query.js';
import { type Market, refOf } from '../../../market/market.js';
import { marketName } from '../../../market/venue.js';
import { NO_SHARES, NO_USDC, type Price } from '../../../money.js';
import type { OrderContext } from '../../../posting/order-context.js';
import { AutomatedStrategies } from '../../../strategy/automated-strategies.js';
import type { BetDecision } from '../../../strategy/bet-decision.js';
import { decideBet } from '../../../strategy/decide.js';
import type { RecentSkips } from '../../../strategy/recent-skips.js';
import type { Scene } from '../../../strategy/scene.js';
import type { Strategy } from '../../../strategy/strategy.js';
import { WatchedMarket } from '../../../strategy/watched-market.js';
import type { Watcher } from '../../../strategy/watcher.js';
import type { Venues } from '../../../venues/venues.js';
import type { Standing } from '../bet-scope.js';
import { FindScenes } from '../find-scenes.js';
import { bestOffer, betInputs, type Judgement, type PlaceBet } from '../place-bet.js';
import { readEstimates } from '../read-estimates.js';
import { WatchedMarkets } from './watched-markets.js';

/** Receives what could not be done; it is tried again at the next change of the market, or the next refresh. */
export type OnRunnerFault = (what: string, error: unknown) => void;

/** Versions this much older than the newest one are read again. */
const OVERLAP_MS = 60_000;

/** What the runner works with. */
export interface RunnerParts {
  readonly ledger: Ledger;
  readonly venues: Venues;
  readonly placeBet: PlaceBet;
  readonly signals: SignalSource;
  /** Where skips are remembered. */
  readonly skips: RecentSkips;
  readonly context: OrderContext;
  readonly onFault?: OnRunnerFault;
}

/** How many markets one server follows for strategies; those that start first come first. */
const MOST_FOLLOWED = 1000;

/** What a strategy has where nothing on record bounds it: the record is read for what would bet then. */
const UNBOUNDED: Omit<Standing, 'freeCash' | 'bets'> = { held: NO_SHARES, committed: NO_USDC };
const NO_BETS = { onMarket: 0, onEvent: 0, today: 0, open: 0 };

/**
 * Lets every strategy with `automation: auto` trade: follows the markets that their rules name, judges each change of a
 * market by the strategies that it can matter to, and places what they bet. One server at a time runs it.
 */
export class RunStrategies {
  readonly #strategies = new AutomatedStrategies();
  readonly #markets: WatchedMarkets;
  readonly #scenes: FindScenes;
  readonly #judging = new Set<Watcher>();
  #changedSince: Date | null = null;
  #isStopped = false;

  constructor(private readonly parts: RunnerParts) {
    this.#markets = new WatchedMarkets(parts.venues, (watched) => this.#judgeAll(watched));
    this.#scenes = new FindScenes(parts.venues);
  }

  /** How many strategies trade by themselves, and how many markets are followed for them. */
  get size(): { readonly strategies: number; readonly markets: number } {
    return { strategies: this.#strategies.size, markets: this.#markets.size };
  }

  /** Takes in strategies that were made or changed since the last call, and returns whether there were any. @throws StorageUnavailable */
  async refreshStrategies(): Promise<boolean> {
    const since = this.#changedSince;
    const read = (page: Page<AutomatedCursor>) => this.parts.ledger.listAutomated(since, page);
    const changed: Strategy[] = [];
    for await (const strategies of slices(read, (strategy) => strategy)) changed.push(...strategies);
    const isChanged = changed.map((strategy) => this.#strategies.take(strategy)).includes(true);
    if (isChanged) for (const watched of this.#markets.all()) this.#strategies.watch(watched);
    const newest = changed.reduce((last, { updatedAt }) => Math.max(last, updatedAt.getTime()), since?.getTime() ?? 0);
    // Servers stamp versions by their own clocks, and store them a moment later.
    this.#changedSince = new Date(Math.max(0, newest - OVERLAP_MS));
    return isChanged;
  }

  /** Follows the markets that strategies may bet on now or soon, and no others. */
  async refreshMarkets(): Promise<void> {
    const wanted = await this.#wanted();
    const names = new Set(wanted.map(nameOf));
    for (const { market } of this.#markets.all()) if (!names.has(nameOf(market))) this.#markets.leave(market);
    for (const market of wanted) {
      if (this.#isStopped) return;
      const watched = this.#markets.get(market);
      if (watched === undefined) await this.#follow(market);
      else {
        watched.renew(market);
        this.#strategies.watch(watched);
        await this.#judgeAll(watched);
      }
    }
  }

  /** Adds the skips since the last call to those on record. */
  async storeCounts(): Promise<void> {
    const counts = this.parts.skips.takeCounts();
    try {
      await this.parts.ledger.decisions.count(counts);
    } catch (error) {
      this.parts.skips.returnCounts(counts);
      this.parts.onFault?.('could not store the counts of skips', error);
    }
  }

  /** Follows nothing, and decides nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#markets.stop();
  }

  /** The markets to follow, those that start first first. */
  async #wanted(): Promise<readonly Market[]> {
    const now = this.parts.context.clock.now();
    const found = new Map<string, Market>();
    for (const search of this.#strategies.searches()) {
      try {
        for (const market of await this.#scenes.markets(search)) found.set(nameOf(market), market);
      } catch (error) {
        this.parts.onFault?.('could not look for markets', error);
        // What was found before goes on being followed.
        for (const { market } of this.#markets.all()) found.set(nameOf(market), market);
      }
    }
    const soon = [...found.values()].filter((market) => this.#strategies.mayBetSoon(market, now));
    return soon.sort((a, b) => startOf(a) - startOf(b)).slice(0, MOST_FOLLOWED);
  }

  async #follow(market: Market): Promise<void> {
    const watched = new WatchedMarket(market);
    this.#strategies.watch(watched);
    try {
      await this.#markets.follow(watched);
    } catch (error) {
      this.parts.onFault?.('could not follow a market', error);
    }
  }

  async #judgeAll(watched: WatchedMarket): Promise<void> {
    const due = watched.due().filter((watcher) => !this.#judging.has(watcher));
    if (due.length === 0 || this.#isStopped) return;
    const scene = this.#markets.sceneOf(watched);
    for (const watcher of due) {
      await this.#judge(watched, watcher, scene).catch((error: unknown) => {
        // Another server may act for the paper venue by now: it decides then.
        if (!(error instanceof PaperElsewhere)) this.parts.onFault?.('could not decide on a bet', error);
      });
    }
  }

  async #judge(watched: WatchedMarket, watcher: Watcher, scene: Scene): Promise<void> {
    const { strategy, outcome, isRearmed: rearmed } = watcher;
    const now = this.parts.context.clock.now();
    const offer = bestOffer(scene, watcher.buys);
    watcher.firstPrice ??= offer;
    const benched = watcher.isBenched(offer, now);
    const estimates = await readEstimates(this.parts.signals, strategy, scene);
    const judgement = { strategy, scene, outcome, estimates, firstPrice: watcher.firstPrice, rearmed, benched };
    const seen = decideBet(betInputs(judgement, unbounded(watcher), now));
    watcher.looked(seen);
    if (seen.verdict === 'skip') return this.#skip(strategy, seen);
    this.#judging.add(watcher);
    try {
      await this.#place(watched, watcher, judgement, offer);
    } finally {
      this.#judging.delete(watcher);
    }
  }

  async #place(watched: WatchedMarket, watcher: Watcher, judgement: Judgement, offer: Price | null): Promise<void> {
    const judged = await this.parts.placeBet.execute(judgement);
    if (judged === null) return;
    const { decision } = judged;
    watcher.learn(judged.bets);
    if (decision.verdict === 'skip') watcher.refused(decision.code, offer, decision.at);
    if (judged.order === null) this.#skip(judgement.strategy, decision);
    if (watcher.isDone) watched.put(watcher);
  }

  #skip({ account }: Strategy, decision: BetDecision): void {
    this.parts.skips.count(account, decision);
    this.parts.skips.add(account, this.parts.context.ids.next() as DecisionId, decision);
  }
}

function unbounded({ strategy, made }: Watcher): Standing {
  return { ...UNBOUNDED, freeCash: strategy.bankrollCap, bets: { ...NO_BETS, ...made } };
}

const nameOf = (market: Market): string => marketName(refOf(market));

/** A market without a start comes last. */
const startOf = ({ startsAt }: Market): number => startsAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
