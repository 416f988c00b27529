import type { AccountId } from '../../../ids.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import { inTurns } from './in-turns.js';
import type { RunnerParts } from './runner-parts.js';

/** What a strategy remembers of its bets on an outcome. */
interface Remembered {
  readonly watched: WatchedMarket;
  readonly watcher: Watcher;
}

/** Lets strategies bet anew on paper whose account was reset since they last bet, or were refused. */
export class NoticeResets {
  constructor(
    private readonly parts: Pick<RunnerParts, 'ledger' | 'pause' | 'onFault'>,
    /** Told of a market on which a strategy may bet anew. */
    private readonly begun: (watched: WatchedMarket) => void,
  ) {}

  /** Reads each account once that has bet in these markets. Never throws: what could not be read is, the next time. */
  async execute(markets: readonly WatchedMarket[]): Promise<void> {
    const byAccount = new Map<AccountId, Remembered[]>();
    for (const watched of markets)
      for (const watcher of watched.watchers()) {
        const { account, automationPaper } = watcher.strategy;
        if (!automationPaper || (watcher.made.onOutcome === 0 && !watcher.isHeld)) continue;
        const known = byAccount.get(account);
        if (known === undefined) byAccount.set(account, [{ watched, watcher }]);
        else known.push({ watched, watcher });
      }
    await inTurns(byAccount, this.parts.pause, async ([account, remembered]) => {
      const paperResets = await this.#paperResets(account);
      if (paperResets === null) return;
      for (const one of remembered) if (one.watcher.made.paperResets !== paperResets) this.#begin(one, paperResets);
    });
  }

  #begin({ watched, watcher }: Remembered, paperResets: number): void {
    watcher.beginAnew(paperResets);
    // A strategy that was taken away meanwhile stays away.
    if (watched.has(watcher)) watched.put(watcher);
    this.begun(watched);
  }

  /** Null where it cannot be read now. */
  async #paperResets(account: AccountId): Promise<number | null> {
    try {
      return await this.parts.ledger.read({ account }, (now) => now.account.paperResets ?? 0);
    } catch (error) {
      this.parts.onFault('could not read whether a paper account was reset', error);
      return null;
    }
  }
}
