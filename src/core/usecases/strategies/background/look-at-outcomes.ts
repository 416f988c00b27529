import { PaperElsewhere } from '../../../errors.js';
import type { DecisionId } from '../../../ids.js';
import { NO_SHARES, NO_USDC } from '../../../money.js';
import type { BetDecision } from '../../../strategy/decide/bet-decision.js';
import { decideBet } from '../../../strategy/decide/decide.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { MarketScene } from '../../../strategy/watch/market-scene.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import type { Standing } from '../bet-scope.js';
import { bestOffer, betInputs, type Judgement } from '../judgement.js';
import { type Estimates, readEstimates, unestimated } from '../read-estimates.js';
import type { Stage } from './bet-places.js';
import type { OnRunnerFault, RunnerParts } from './runner-parts.js';

const NO_LIMITS: Standing['limitsLeft'] = [];

/** A market at one moment. */
export interface StageSeen extends Stage {
  readonly scene: MarketScene;
  readonly at: Date;
  readonly revision: number;
}

/** Judges outcomes by what is seen alone, without the record. */
export class LookAtOutcomes {
  constructor(private readonly parts: Pick<RunnerParts, 'signals' | 'skips' | 'context' | 'onFault'>) {}

  /** The market as it is seen now. */
  now({ watched, sceneNow }: Stage): StageSeen {
    const at = this.parts.context.clock.now();
    return { watched, sceneNow, scene: sceneNow(), at, revision: watched.revision };
  }

  /** What the strategy would bet by what is seen alone; null for a skip. At once where its rules name no signal. */
  judgement(watcher: Watcher, change: StageSeen): Judgement | null | Promise<Judgement | null> {
    if (watcher.rules.signal === null) return this.#judgeNow(watcher, change);
    return tried(async () => {
      const estimates = await readEstimates(this.parts.signals, watcher.strategy, change.scene);
      const { watched, scene } = change;
      // The book may have changed meanwhile: what was seen before is not bet on.
      const newest = watched.revision === change.revision ? scene : { ...scene, ...watched.seen() };
      return this.#judge(watcher, { ...change, scene: newest, revision: watched.revision }, estimates);
    }, this.parts.onFault);
  }

  #judgeNow(watcher: Watcher, change: StageSeen): Judgement | null {
    try {
      return this.#judge(watcher, change, unestimated(change.scene));
    } catch (error) {
      this.parts.onFault('could not decide on a bet', error);
      return null;
    }
  }

  #judge(watcher: Watcher, { scene, at, revision }: StageSeen, estimates: Estimates): Judgement | null {
    const { strategy, outcome, isRearmed: rearmed } = watcher;
    const offer = bestOffer(scene, watcher.buys);
    if (scene.book?.fresh === true) watcher.see(offer);
    const benched = watcher.isBenched(offer, at, estimates.estimate);
    const { firstPrice, movedAt, denied } = watcher;
    const knownBets = watcher.made.onOutcome;
    const judgement = { strategy, scene, outcome, estimates, firstPrice, rearmed, knownBets, benched, movedAt, denied };
    const seen = decideBet(betInputs(judgement, unbounded(watcher), at));
    watcher.looked(seen, revision);
    if (seen.verdict === 'bet') return judgement;
    this.skip(strategy, seen);
    return null;
  }

  /** Counts and remembers the skip. */
  skip({ account }: Strategy, decision: BetDecision): void {
    this.parts.skips.count(account, decision);
    this.parts.skips.add(account, this.parts.context.ids.next() as DecisionId, decision);
  }
}

/** The result of the work, or null where it failed. Never throws. */
export async function tried<T>(work: () => Promise<T>, onFault: OnRunnerFault): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    // Another server may act for the paper venue by now: it decides then.
    if (!(error instanceof PaperElsewhere)) onFault('could not decide on a bet', error);
    return null;
  }
}

/** What a strategy has where nothing on record bounds it: the record is read for what would bet then. */
function unbounded({ strategy, made }: Watcher): Standing {
  const { onOutcome, lastAt, paperResets } = made;
  return {
    held: NO_SHARES,
    committed: NO_USDC,
    limitsLeft: NO_LIMITS,
    freeCash: strategy.bankrollCap,
    bets: { onMarket: 0, onEvent: 0, today: 0, open: 0, onOutcome, lastAt, paperResets },
  };
}
