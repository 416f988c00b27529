import { PaperElsewhere } from '../../../errors.js';
import type { DecisionId } from '../../../ids.js';
import { NO_SHARES, NO_USDC } from '../../../money.js';
import type { BetDecision } from '../../../strategy/bet-decision.js';
import { decideBet } from '../../../strategy/decide.js';
import type { MarketScene } from '../../../strategy/market-scene.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { WatchedMarket } from '../../../strategy/watched-market.js';
import type { Watcher } from '../../../strategy/watcher.js';
import type { Standing } from '../bet-scope.js';
import { bestOffer, betInputs, type Judgement } from '../judgement.js';
import { readEstimates } from '../read-estimates.js';
import type { RunnerParts } from './runner-parts.js';

/** What a strategy has where nothing on record bounds it: the record is read for what would bet then. */
const UNBOUNDED: Omit<Standing, 'freeCash' | 'bets'> = { held: NO_SHARES, committed: NO_USDC, limitsLeft: [] };
const NO_BETS = { onMarket: 0, onEvent: 0, today: 0, open: 0 };

/** Bets that are put on record and sent at once, over all markets: few enough for the connections of a store, which is slow at times. */
const MOST_AT_ONCE = 64;

/** A market at the moment of one change, and how it is seen later. */
interface Change {
  readonly watched: WatchedMarket;
  readonly scene: MarketScene;
  readonly at: Date;
  readonly sceneNow: () => MarketScene;
}

/**
 * Judges a market by the strategies that its change can matter to, all by what is seen at that moment, and places what they
 * bet together.
 */
export class JudgeMarket {
  /** Those that were placing a bet when a later change would have made them bet. */
  readonly #again = new Set<Watcher>();
  /**
   * Those that found no place, each once, and for what. They do not hold up the feed of their market, nor a tape, which has to
   * go on for a place to become free; whoever finishes goes on with the next.
   */
  readonly #waiting = new Map<Watcher, Change>();
  #placing = 0;

  constructor(private readonly parts: Omit<RunnerParts, 'ledger' | 'venues'>) {}

  /** Never throws: what could not be decided is decided at the next change. */
  async execute(watched: WatchedMarket, sceneNow: () => MarketScene): Promise<void> {
    const due = watched.due();
    if (due.length === 0) return;
    const change = this.#now({ watched, sceneNow });
    await Promise.all(due.map((watcher) => this.#take(watcher, change)));
  }

  /** Judges the watcher, and after it those that waited, by what is seen when their turn comes. */
  async #take(watcher: Watcher, change: Change): Promise<void> {
    await this.#trying(() => this.#judge(watcher, change));
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [waited, earlier] = next;
      await this.#trying(() => this.#judge(waited, this.#now(earlier)));
    }
  }

  /** Whoever waits longest; undefined while no place is free. */
  #next(): readonly [Watcher, Change] | undefined {
    if (this.#placing >= MOST_AT_ONCE) return undefined;
    for (const [watcher, change] of this.#waiting) {
      this.#waiting.delete(watcher);
      if (change.watched.watchers.has(watcher)) return [watcher, change];
    }
    return undefined;
  }

  async #judge(watcher: Watcher, change: Change): Promise<void> {
    const judgement = await this.#look(watcher, change);
    if (judgement === null) return;
    if (watcher.isBetting) this.#again.add(watcher);
    else if (this.#placing >= MOST_AT_ONCE) this.#waiting.set(watcher, change);
    else await this.#bet(watcher, judgement, change);
  }

  async #bet(watcher: Watcher, judgement: Judgement, change: Change): Promise<void> {
    const { watched } = change;
    this.#waiting.delete(watcher);
    this.#placing += 1;
    watcher.begin();
    watched.put(watcher);
    await this.#trying(() => this.#place(watcher, judgement));
    watcher.end();
    this.#placing -= 1;
    const wouldBetAgain = this.#again.delete(watcher);
    // A strategy that was taken away meanwhile stays away.
    if (!watched.watchers.has(watcher)) return;
    watched.put(watcher);
    if (wouldBetAgain && !watcher.isDone) await this.#judge(watcher, this.#now(change));
  }

  /** The same market, as it is seen now. */
  #now({ watched, sceneNow }: Pick<Change, 'watched' | 'sceneNow'>): Change {
    return { watched, scene: sceneNow(), at: this.parts.context.clock.now(), sceneNow };
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Another server may act for the paper venue by now: it decides then.
      if (!(error instanceof PaperElsewhere)) this.parts.onFault('could not decide on a bet', error);
    }
  }

  /** What the strategy would bet by what is seen alone; null for a skip. */
  async #look(watcher: Watcher, { scene, at }: Change): Promise<Judgement | null> {
    const { strategy, outcome, isRearmed: rearmed } = watcher;
    const offer = bestOffer(scene, watcher.buys);
    watcher.firstPrice ??= offer;
    const estimates = await readEstimates(this.parts.signals, strategy, scene);
    const benched = watcher.isBenched(offer, at, estimates.estimate);
    const { firstPrice } = watcher;
    const knownBets = watcher.made.onOutcome;
    const judgement = { strategy, scene, outcome, estimates, firstPrice, rearmed, knownBets, benched };
    const seen = decideBet(betInputs(judgement, unbounded(watcher), at));
    watcher.looked(seen);
    if (seen.verdict === 'bet') return judgement;
    this.#skip(strategy, seen);
    return null;
  }

  async #place(watcher: Watcher, judgement: Judgement): Promise<void> {
    const judged = await this.parts.placeBet.execute(judgement);
    if (judged === null) return;
    const { decision } = judged;
    watcher.learn(judged.bets);
    const { scene, estimates } = judgement;
    // What waits for approval is not asked for again meanwhile, as what was refused.
    if (judged.approval !== null || decision.verdict === 'skip')
      watcher.refused(decision, bestOffer(scene, watcher.buys), estimates.estimate);
    if (judged.order === null && judged.approval === null) this.#skip(judgement.strategy, decision);
    else if (decision.verdict === 'skip') this.parts.skips.count(judgement.strategy.account, decision);
  }

  #skip({ account }: Strategy, decision: BetDecision): void {
    this.parts.skips.count(account, decision);
    this.parts.skips.add(account, this.parts.context.ids.next() as DecisionId, decision);
  }
}

function unbounded({ strategy, made }: Watcher): Standing {
  return { ...UNBOUNDED, freeCash: strategy.bankrollCap, bets: { ...NO_BETS, ...made } };
}
