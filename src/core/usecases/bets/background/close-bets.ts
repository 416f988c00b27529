import type { BetStore, UnclosedBet } from '../../../../ports/bet-store.js';
import type { ClosePrices } from '../../../../ports/close-prices.js';
import type { Clock } from '../../../../ports/system.js';
import type { AccountId } from '../../../ids.js';
import type { BetRow } from '../../../performance/bet.js';
import { CLOSING_MS, type FollowedCloses } from './followed-closes.js';
import type { KeepBets } from './keep-bets.js';

/** How many bets one turn looks at. */
const AT_ONCE = 500;

/** Stores what bets closed at, once their events have begun, be they settled by then or not; no order waits for it. */
export class CloseBets {
  #after: UnclosedBet | undefined;
  readonly #failures: unknown[] = [];

  /** @param followed has the closes where markets are followed for them; null where they are known without */
  constructor(
    private readonly bets: Pick<BetStore, 'unclosed'>,
    private readonly keep: Pick<KeepBets, 'close'>,
    private readonly closes: ClosePrices,
    private readonly followed: FollowedCloses | null,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks at the next bets whose events begin soon, or have begun; no turn waits for market data. Returns what went wrong since the last
   * turn, which a later one repeats. @throws StorageUnavailable
   */
  async execute(): Promise<readonly unknown[]> {
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void this.#failures.push(error));
    const horizon = new Date(this.clock.now().getTime() + (this.followed === null ? 1 : CLOSING_MS));
    const after = this.#after;
    const found = await this.bets.unclosed(horizon, { limit: AT_ONCE, ...(after !== undefined && { after }) });
    this.#after = found.length < AT_ONCE ? undefined : found.at(-1);
    this.followed?.takeDue();
    if (this.followed !== null) void attempt(this.followed.want(found));
    const byAccount = new Map<AccountId, BetRow[]>();
    for (const bet of found)
      if (this.closes.closeOf(bet) !== 'not_started')
        byAccount.set(bet.account, [...(byAccount.get(bet.account) ?? []), bet]);
    for (const [account, own] of byAccount) await attempt(this.keep.close(account, own));
    return this.#failures.splice(0);
  }

  /** Follows nothing from now on: another process does it, or none. */
  stop(): void {
    this.followed?.stop();
  }
}
