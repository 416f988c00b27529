import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import type { StrategyId } from '../../../ids.js';
import { type AutomatedCursor, type Page, slices } from '../../../ledger/query.js';
import type { Strategy } from '../../../strategy/strategy.js';

/** A version is stored a moment after it is stamped: those of so much before the last reading are read again. */
const OVERLAP_MS = 2000;
/** Servers stamp versions by their own clocks: every so often */
const WIDELY_EVERY_MS = 30_000;
/** those of so much before are. */
const WIDE_OVERLAP_MS = 60_000;

/** Reads the strategies of all accounts that trade by themselves, and then which of all changed, each version once. */
export class ChangedStrategies {
  readonly #known = new Map<StrategyId, number>();
  #readAt: number | null = null;
  #readWidelyAt: number | null = null;

  constructor(
    private readonly ledger: Pick<Ledger, 'listAutomated'>,
    private readonly wallClock: Clock,
  ) {}

  /** Hands over every version that is new since the last call. @throws StorageUnavailable, and what `take` throws: then it is handed over again */
  async read(take: (strategy: Strategy) => void | Promise<void>): Promise<void> {
    const now = this.wallClock.now().getTime();
    const isWide = this.#readWidelyAt === null || Math.abs(now - this.#readWidelyAt) >= WIDELY_EVERY_MS;
    const since = isWide ? before(this.#readWidelyAt, WIDE_OVERLAP_MS) : before(this.#readAt, OVERLAP_MS);
    const read = (page: Page<AutomatedCursor>) => this.ledger.listAutomated(since, page);
    for await (const strategies of slices(read, (strategy) => strategy))
      for (const strategy of strategies) await this.#handOver(strategy, take);
    this.#readAt = now;
    if (isWide) this.#readWidelyAt = now;
  }

  async #handOver(strategy: Strategy, take: (strategy: Strategy) => void | Promise<void>): Promise<void> {
    const { id, version } = strategy;
    if (version <= (this.#known.get(id) ?? 0)) return;
    await take(strategy);
    this.#known.set(id, version);
  }
}

const before = (moment: number | null, ms: number): Date | null =>
  moment === null ? null : new Date(Math.max(0, moment - ms));
