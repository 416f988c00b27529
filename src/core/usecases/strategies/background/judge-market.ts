import { PaperElsewhere } from '../../../errors.js';
import type { DecisionId } from '../../../ids.js';
import { NO_SHARES, NO_USDC, type Price } from '../../../money.js';
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
const UNBOUNDED: Omit<Standing, 'freeCash' | 'bets'> = { held: NO_SHARES, committed: NO_USDC };
const NO_BETS = { onMarket: 0, onEvent: 0, today: 0, open: 0 };

/** Judges a market by the strategies that its change can matter to, and places what they bet. */
export class JudgeMarket {
  /** A watcher whose bet is being placed is not asked again meanwhile. */
  readonly #placing = new Set<Watcher>();

  constructor(private readonly parts: Omit<RunnerParts, 'ledger' | 'venues'>) {}

  /** Never throws: what could not be decided is decided at the next change. */
  async execute(watched: WatchedMarket, scene: () => MarketScene): Promise<void> {
    const due = watched.due().filter((watcher) => !this.#placing.has(watcher));
    if (due.length === 0) return;
    const seen = scene();
    for (const watcher of due) {
      await this.#judge(watched, watcher, seen).catch((error: unknown) => {
        // Another server may act for the paper venue by now: it decides then.
        if (!(error instanceof PaperElsewhere)) this.parts.onFault('could not decide on a bet', error);
      });
    }
  }

  async #judge(watched: WatchedMarket, watcher: Watcher, scene: MarketScene): Promise<void> {
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
    this.#placing.add(watcher);
    try {
      await this.#place(watched, watcher, judgement, offer);
    } finally {
      this.#placing.delete(watcher);
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
