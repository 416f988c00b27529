import type { AccountId, DecisionId, StrategyId } from '../../ids.js';
import type { BetDecision } from '../decide/bet-decision.js';
import type { DecisionRecord, SkipCount } from './decision-record.js';

/** How many skips are remembered. */
export interface SkipLimits {
  readonly perStrategy: number;
  readonly all: number;
}

/** What `GET …/decisions` can show of skips. */
export const SKIP_LIMITS: SkipLimits = { perStrategy: 100, all: 50_000 };

const HOUR_MS = 60 * 60 * 1000;

/** The last skips of each strategy, and how often each reason came up since the counts were last taken. */
export class RecentSkips {
  /** The strategy that skipped longest ago comes first. */
  readonly #byStrategy = new Map<StrategyId, DecisionRecord[]>();
  readonly #counts = new Map<string, SkipCount>();
  #size = 0;

  constructor(private readonly limits: SkipLimits = SKIP_LIMITS) {}

  get size(): number {
    return this.#size;
  }

  /** Remembers the skip under this id. */
  add(account: AccountId, id: DecisionId, decision: BetDecision): void {
    const { strategyId } = decision;
    const own = this.#byStrategy.get(strategyId) ?? [];
    this.#byStrategy.delete(strategyId);
    this.#byStrategy.set(strategyId, own);
    own.push({ ...decision, id, account, orderId: null, approvalId: null });
    this.#size += 1;
    if (own.length > this.limits.perStrategy) this.#forgetOldest(strategyId, own);
    while (this.#size > this.limits.all) {
      const [first] = this.#byStrategy;
      if (first !== undefined) this.#forgetOldest(...first);
    }
  }

  /** Counts the skip, whether or not it is remembered. */
  count(account: AccountId, { strategyId, code, at }: Pick<BetDecision, 'strategyId' | 'code' | 'at'>): void {
    const hour = at.getTime() - (at.getTime() % HOUR_MS);
    const name = `${strategyId} ${hour} ${code}`;
    const count = (this.#counts.get(name)?.count ?? 0) + 1;
    this.#counts.set(name, { account, strategyId, hour: new Date(hour), code: code ?? '', count });
  }

  /** Newest first. */
  of(account: AccountId, strategy: StrategyId): readonly DecisionRecord[] {
    return (this.#byStrategy.get(strategy) ?? []).filter((skip) => skip.account === account).reverse();
  }

  /** The skip with this id, while it is remembered. */
  find(account: AccountId, id: DecisionId): DecisionRecord | undefined {
    for (const [strategy, skips] of this.#byStrategy) {
      const found = skips.find((skip) => skip.id === id && skip.account === account && strategy === skip.strategyId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The counts since the last call. */
  takeCounts(): readonly SkipCount[] {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    return counts;
  }

  /** Puts counts back that could not be stored. */
  returnCounts(counts: readonly SkipCount[]): void {
    for (const one of counts) {
      const name = `${one.strategyId} ${one.hour.getTime()} ${one.code}`;
      this.#counts.set(name, { ...one, count: one.count + (this.#counts.get(name)?.count ?? 0) });
    }
  }

  #forgetOldest(strategy: StrategyId, skips: DecisionRecord[]): void {
    skips.shift();
    this.#size -= 1;
    if (skips.length === 0) this.#byStrategy.delete(strategy);
  }
}
