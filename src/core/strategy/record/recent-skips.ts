import type { AccountId, DecisionId, StrategyId } from '../../ids.js';
import type { BetDecision } from '../decide/decide.js';
import type { DecisionRecord, SkipCount } from './decision-record.js';

/** How many skips are remembered. */
export interface SkipLimits {
  readonly perStrategy: number;
  readonly all: number;
}

/** What `GET …/decisions` can show of skips. */
export const SKIP_LIMITS: SkipLimits = { perStrategy: 100, all: 50_000 };

const HOUR_MS = 60 * 60 * 1000;

/** A skip as it is remembered: how it was decided, and what it has on record, which is nothing, are added where it is read. */
interface Remembered {
  readonly decide: () => BetDecision;
  readonly id: DecisionId;
  readonly account: AccountId;
}

/** Skips of one reason in one hour. */
interface Counted {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  /** Milliseconds since 1970. */
  readonly hour: number;
  readonly code: string;
  count: number;
}

const recordOf = ({ decide, id, account }: Remembered): DecisionRecord => ({
  ...decide(),
  id,
  account,
  orderId: null,
  approvalId: null,
});

/** The last skips of each strategy, and how often each reason came up since the counts were last taken. */
export class RecentSkips {
  /** The strategy that skipped longest ago comes first. */
  readonly #byStrategy = new Map<StrategyId, Remembered[]>();
  readonly #counts = new Map<StrategyId, Counted[]>();
  readonly #stored = new Map<string, number>();
  #size = 0;

  constructor(private readonly limits: SkipLimits = SKIP_LIMITS) {}

  get size(): number {
    return this.#size;
  }

  /** Remembers the skip under this id. */
  add(account: AccountId, id: DecisionId, decision: BetDecision): void {
    this.addLater(account, id, decision.strategyId, () => decision);
  }

  /** Remembers a skip that is decided, always in the same way, when it is read: most of them never are. */
  addLater(account: AccountId, id: DecisionId, strategyId: StrategyId, decide: () => BetDecision): void {
    const own = this.#byStrategy.get(strategyId) ?? [];
    this.#byStrategy.delete(strategyId);
    this.#byStrategy.set(strategyId, own);
    own.push({ decide, id, account });
    this.#size += 1;
    if (own.length > this.limits.perStrategy) this.#forgetOldest(strategyId, own);
    while (this.#size > this.limits.all) {
      const [first] = this.#byStrategy;
      if (first !== undefined) this.#forgetOldest(...first);
    }
  }

  /** Counts the skip, or so many of them, whether or not it is remembered. */
  count(account: AccountId, { strategyId, code, at }: Pick<BetDecision, 'strategyId' | 'code' | 'at'>, many = 1): void {
    const hour = at.getTime() - (at.getTime() % HOUR_MS);
    this.#countOf(account, strategyId, hour, code ?? '').count += many;
  }

  /** Newest first. */
  of(account: AccountId, strategy: StrategyId): readonly DecisionRecord[] {
    const own = (this.#byStrategy.get(strategy) ?? []).filter((skip) => skip.account === account);
    return own.reverse().map(recordOf);
  }

  /** The skip with this id, while it is remembered. */
  find(account: AccountId, id: DecisionId): DecisionRecord | undefined {
    for (const skips of this.#byStrategy.values()) {
      const found = skips.find((skip) => skip.id === id && skip.account === account);
      if (found !== undefined) return recordOf(found);
    }
    return undefined;
  }

  /** The counts since the last call. */
  takeCounts(): readonly SkipCount[] {
    const counts = [...this.#counts.values()].flat();
    this.#counts.clear();
    return counts.map(({ hour, ...counted }) => ({ ...counted, hour: new Date(hour) }));
  }

  /** Notes that counts are on record. */
  counted(counts: readonly SkipCount[]): void {
    for (const { code, count } of counts) this.#stored.set(code, (this.#stored.get(code) ?? 0) + count);
  }

  /** How often each reason was put on record, by all strategies. */
  get onRecord(): ReadonlyMap<string, number> {
    return this.#stored;
  }

  /** Adds counts again that could not be stored. */
  returnCounts(counts: readonly SkipCount[]): void {
    for (const { account, strategyId, hour, code, count } of counts)
      this.#countOf(account, strategyId, hour.getTime(), code).count += count;
  }

  /** A strategy has a few reasons, and most of the time one hour. */
  #countOf(account: AccountId, strategyId: StrategyId, hour: number, code: string): Counted {
    const own = this.#counts.get(strategyId) ?? [];
    const known = own.find((one) => one.code === code && one.hour === hour);
    if (known !== undefined) return known;
    const begun: Counted = { account, strategyId, hour, code, count: 0 };
    own.push(begun);
    this.#counts.set(strategyId, own);
    return begun;
  }

  #forgetOldest(strategy: StrategyId, skips: Remembered[]): void {
    skips.shift();
    this.#size -= 1;
    if (skips.length === 0) this.#byStrategy.delete(strategy);
  }
}
