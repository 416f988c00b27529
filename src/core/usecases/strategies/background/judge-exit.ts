import type { SignalSource } from '../../../../ports/signals.js';
import { LiveTradingNotEnabled } from '../../../errors.js';
import type { DecisionId } from '../../../ids.js';
import type { OrderContext } from '../../../posting/order-context.js';
import { decideExit, type ExitDecision } from '../../../strategy/exit/decide-exit.js';
import { exitSkip, heldBack } from '../../../strategy/exit/exit-record.js';
import type { RecentSkips } from '../../../strategy/record/recent-skips.js';
import type { SeenMarket } from '../../../strategy/watch/market-scene.js';
import type { ClosePosition } from '../close-position.js';
import { type ExitJudgement, exitEstimate, exitInputs } from '../exit-judgement.js';
import type { HeldPosition } from '../held-position.js';
import type { ExitEntry } from './exit-entries.js';
import { waitsAt } from './exit-timing.js';

/** What became of a look: the position has to be read again, it waits for the next attempt, or nothing happened. */
export type Looked = 'changed' | 'refused' | 'held';

/** What an exit is judged with. */
export interface JudgeExitParts {
  readonly closePosition: Pick<ClosePosition, 'execute'>;
  readonly signals: SignalSource;
  /** Where exits that were kept from selling are remembered. */
  readonly skips: RecentSkips;
  readonly context: Pick<OrderContext, 'clock' | 'ids'>;
}

/** Judges a position by the rules of `exit`, and sells it where a condition is true. */
export class JudgeExit {
  constructor(private readonly parts: JudgeExitParts) {}

  /** @throws PaperElsewhere, ExchangeUnavailable, StorageUnavailable: then the next attempt waits too */
  async execute(entry: ExitEntry, seen: SeenMarket): Promise<Looked> {
    const now = this.parts.context.clock.now();
    entry.isChanged = entry.isJudged;
    if (entry.isJudged || entry.held.isSelling || waitsAt(entry, now)) return 'held';
    entry.isJudged = true;
    try {
      return await this.#judge(entry, seen, now);
    } catch (error) {
      this.#refused(entry, now);
      throw error;
    } finally {
      entry.isJudged = false;
    }
  }

  async #judge(entry: ExitEntry, seen: SeenMarket, now: Date): Promise<Looked> {
    const { held } = entry;
    const judgement = { held, seen, estimate: await exitEstimate(this.parts.signals, held, seen) };
    // The record tells what may be sold: it is read for what would sell then.
    const first = decideExit(exitInputs(judgement, held, held.shares, now));
    const decision = first.verdict === 'hold' ? first : await this.#close(judgement, first);
    if (decision === null) {
      [entry.refusals, entry.lastRefusalAt] = [0, null];
      return 'changed';
    }
    if (decision.trigger === null) entry.refusals = 0;
    if (decision.code !== null) this.#skip(held, decision, decision.code);
    if (first.verdict === 'hold') return 'held';
    this.#refused(entry, now);
    return 'refused';
  }

  /** Null where a sale is on record, or the position is another one by now. */
  async #close(judgement: ExitJudgement, sale: Selling): Promise<Holding | null> {
    try {
      const closed = await this.parts.closePosition.execute(judgement);
      return closed === null || closed.order !== null ? null : closed.decision;
    } catch (error) {
      if (error instanceof LiveTradingNotEnabled) return heldBack(sale, error.code);
      throw error;
    }
  }

  #skip({ strategy }: HeldPosition, decision: Holding, code: string): void {
    const { skips, context } = this.parts;
    const skip = exitSkip(decision, code);
    skips.count(strategy.account, skip);
    skips.add(strategy.account, context.ids.next() as DecisionId, skip);
  }

  #refused(entry: ExitEntry, at: Date): void {
    entry.refusals += 1;
    entry.lastRefusalAt = at;
  }
}

type Selling = Extract<ExitDecision, { verdict: 'sell' }>;
type Holding = Extract<ExitDecision, { verdict: 'hold' }>;
