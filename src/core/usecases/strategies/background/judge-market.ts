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
import { type Estimates, readEstimates, unestimated } from '../read-estimates.js';
import { BetPlaces, type Looking } from './bet-places.js';
import type { RunnerParts } from './runner-parts.js';

/** What a strategy has where nothing on record bounds it: the record is read for what would bet then. */
const UNBOUNDED: Omit<Standing, 'freeCash' | 'bets'> = { held: NO_SHARES, committed: NO_USDC, limitsLeft: [] };
const NO_BETS = { onMarket: 0, onEvent: 0, today: 0, open: 0 };

/** Looks in one turn of the process: a few milliseconds. Those that need a signal ask for it together. */
const LOOKS_AT_ONCE = 64;

/** A market, and how it is seen at any moment with the others of its set. */
export type Stage = Looking['stage'];

/** A market at one moment. */
interface Change extends Stage {
  readonly scene: MarketScene;
  readonly at: Date;
  readonly revision: number;
}

/**
 * Judges a market by the strategies that a change can matter to, and places what they bet. Of a market that changes while they look
 * is remembered who is still to look: each judges the newest state, once.
 */
export class JudgeMarket {
  readonly #rounds = new Map<WatchedMarket, Set<Watcher>>();
  readonly #places: BetPlaces;
  #looks = 0;

  constructor(private readonly parts: Omit<RunnerParts, 'ledger' | 'venues'>) {
    this.#places = new BetPlaces(
      (watcher, judgement) => this.#trying(() => this.#place(watcher, judgement)),
      ({ watcher, stage }) => this.#judgement(watcher, this.#now(stage)),
    );
  }

  /**
   * Resolves once these watchers have looked, with the bets that are being placed then. Never throws: what could not be decided
   * is decided at the next change.
   */
  async execute(stage: Stage, watchers: Iterable<Watcher>): Promise<readonly Promise<void>[]> {
    const { watched } = stage;
    const round = this.#rounds.get(watched);
    const due = round ?? new Set<Watcher>();
    for (const watcher of watchers) due.add(watcher);
    if (round !== undefined || due.size === 0) return [];
    const bets: Promise<void>[] = [];
    this.#rounds.set(watched, due);
    while (due.size > 0) await this.#look(stage, firstOf(due), bets);
    this.#rounds.delete(watched);
    return bets;
  }

  async #look(stage: Stage, watchers: readonly Watcher[], bets: Promise<void>[]): Promise<void> {
    const change = this.#now(stage);
    const asked: Promise<void>[] = [];
    for (const watcher of watchers) {
      if (!stage.watched.has(watcher)) continue;
      const found = this.#judgement(watcher, change);
      if (found instanceof Promise)
        asked.push(found.then((judgement) => this.#bet({ watcher, stage }, judgement, bets)));
      else this.#bet({ watcher, stage }, found, bets);
    }
    if (asked.length > 0) await Promise.all(asked);
    this.#looks += watchers.length;
    if (this.#looks < LOOKS_AT_ONCE) return;
    this.#looks = 0;
    await this.parts.pause?.();
  }

  #bet(looking: Looking, judgement: Judgement | null, bets: Promise<void>[]): void {
    if (judgement === null || !this.#places.take(looking)) return;
    const { apart = WAITED_FOR } = this.parts;
    bets.push(apart(() => this.#places.use(looking, judgement)));
  }

  #now({ watched, sceneNow }: Stage): Change {
    const at = this.parts.context.clock.now();
    return { watched, sceneNow, scene: sceneNow(), at, revision: watched.revision };
  }

  async #trying<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      // Another server may act for the paper venue by now: it decides then.
      if (!(error instanceof PaperElsewhere)) this.parts.onFault('could not decide on a bet', error);
      return null;
    }
  }

  /** What the strategy would bet by what is seen alone; null for a skip. At once where its rules name no signal. */
  #judgement(watcher: Watcher, change: Change): Judgement | null | Promise<Judgement | null> {
    if (watcher.rules.signal === null) return this.#judgeNow(watcher, change);
    return this.#trying(async () => {
      const estimates = await readEstimates(this.parts.signals, watcher.strategy, change.scene);
      const { watched, scene } = change;
      // The book may have changed meanwhile: what was seen before is not bet on.
      const newest = watched.revision === change.revision ? scene : { ...scene, ...watched.seen() };
      return this.#judge(watcher, { ...change, scene: newest, revision: watched.revision }, estimates);
    });
  }

  #judgeNow(watcher: Watcher, change: Change): Judgement | null {
    try {
      return this.#judge(watcher, change, unestimated(change.scene));
    } catch (error) {
      this.parts.onFault('could not decide on a bet', error);
      return null;
    }
  }

  #judge(watcher: Watcher, { scene, at, revision }: Change, estimates: Estimates): Judgement | null {
    const { strategy, outcome, isRearmed: rearmed } = watcher;
    const offer = bestOffer(scene, watcher.buys);
    watcher.firstPrice ??= offer;
    const benched = watcher.isBenched(offer, at, estimates.estimate);
    const { firstPrice } = watcher;
    const knownBets = watcher.made.onOutcome;
    const judgement = { strategy, scene, outcome, estimates, firstPrice, rearmed, knownBets, benched };
    const seen = decideBet(betInputs(judgement, unbounded(watcher), at));
    watcher.looked(seen, revision);
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

const WAITED_FOR: NonNullable<RunnerParts['apart']> = (work) => work();

/** Takes out those that came first. */
function firstOf(due: Set<Watcher>): readonly Watcher[] {
  const first: Watcher[] = [];
  for (const watcher of due) {
    if (first.length === LOOKS_AT_ONCE) break;
    due.delete(watcher);
    first.push(watcher);
  }
  return first;
}

function unbounded({ strategy, made }: Watcher): Standing {
  return { ...UNBOUNDED, freeCash: strategy.bankrollCap, bets: { ...NO_BETS, ...made } };
}
