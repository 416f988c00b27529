import type { SignalSource } from '../../../../ports/signals.js';
import { LiveTradingNotEnabled } from '../../../errors.js';
import type { DecisionId } from '../../../ids.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import { decideExit, type ExitDecision } from '../../../strategy/exit/decide-exit.js';
import { exitSkip, heldBack } from '../../../strategy/exit/exit-record.js';
import type { RecentSkips } from '../../../strategy/record/recent-skips.js';
import type { MarketWithBook } from '../../../strategy/watch/watched-market.js';
import type { ClosePosition } from '../close-position.js';
import type { HeldPosition } from '../exit-orders.js';
import { type ExitJudgement, exitEstimate, exitInputs } from '../exit-orders.js';
import type { ExitEntry } from './exit-entries.js';
import { waitsAt } from './exit-entries.js';
import type { HeldBackExits } from './held-back-exits.js';

/** What became of a look: the position has to be read again, it waits for the next attempt, or nothing happened. */
export type ExitOutcome = 'changed' | 'refused' | 'held';

/** What an exit is judged with. */
export interface JudgeExitParts {
  readonly closePosition: Pick<ClosePosition, 'execute'>;
  readonly signals: SignalSource;
  /** Where exits that were kept from selling are remembered. */
  readonly skips: RecentSkips;
  /** Raises and ends the alarms of exits that limits hold back. */
  readonly heldBack: Pick<HeldBackExits, 'heldBack' | 'ended'>;
  readonly context: Pick<OrderContext, 'clock' | 'ids'>;
}

/** Judges a position by the rules of `exit`, and sells it where a condition is true. */
export class JudgeExit {
  constructor(private readonly parts: JudgeExitParts) {}

  /** @throws PaperElsewhere, ExchangeUnavailable, StorageUnavailable: then the next attempt waits too */
  async execute(entry: ExitEntry, view: MarketWithBook): Promise<ExitOutcome> {
    const now = this.parts.context.clock.now();
    entry.isChanged = entry.isJudged;
    const waits = waitsAt(entry, now);
    if (entry.isJudged || entry.held.isSelling || (waits && entry.heldBack === null)) return 'held';
    entry.isJudged = true;
    try {
      return await this.#judge(entry, view, now, waits);
    } catch (error) {
      if (!waits) this.#refused(entry, now);
      throw error;
    } finally {
      entry.isJudged = false;
    }
  }

  /** While the next attempt waits, it is only judged whether the exit is still wanted. */
  async #judge(entry: ExitEntry, view: MarketWithBook, now: Date, waits: boolean): Promise<ExitOutcome> {
    const { held } = entry;
    const { heldBack } = this.parts;
    const judgement = { held, view, estimate: await exitEstimate(this.parts.signals, held, view) };
    // What may be sold is on record, which is read only for what would sell.
    const first = decideExit(exitInputs(judgement, held, held.shares, now));
    if (isUnwanted(first, view)) await heldBack.ended(entry);
    if (waits) return 'held';
    const decision = first.verdict === 'hold' ? first : await this.#close(judgement, first);
    if (decision === null || decision === 'sold') {
      if (decision === 'sold') await heldBack.ended(entry);
      [entry.refusals, entry.lastRefusalAt] = [0, null];
      return 'changed';
    }
    if (decision.trigger === null) entry.refusals = 0;
    if (decision.code !== null) this.#skip(held, decision, decision.code);
    if (decision.limit !== null) await heldBack.heldBack(entry, decision, now);
    if (first.verdict === 'hold') return 'held';
    this.#refused(entry, now);
    return 'refused';
  }

  /** Null where the position is another one by now. */
  async #close(judgement: ExitJudgement, sale: Selling): Promise<Holding | 'sold' | null> {
    try {
      const closed = await this.parts.closePosition.execute(judgement);
      if (closed === null) return null;
      return closed.order === null ? closed.decision : 'sold';
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

/** No condition is true by the present prices; without them it is not known whether one is. */
const isUnwanted = ({ trigger, inputs }: ExitDecision, { book }: MarketWithBook): boolean =>
  trigger === null && book?.fresh === true && inputs['best_bid'] !== null;

type Selling = Extract<ExitDecision, { verdict: 'sell' }>;
type Holding = Extract<ExitDecision, { verdict: 'hold' }>;
