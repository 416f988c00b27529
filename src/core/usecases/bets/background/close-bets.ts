import type { BetStore, UnclosedBet } from '../../../../ports/bet-store.js';
import type { ClosePrices } from '../../../../ports/close-prices.js';
import type { Clock } from '../../../../ports/system.js';
import type { AccountId } from '../../../ids.js';
import type { BetRow } from '../../../performance/bet.js';
import { AGAIN_MS, CLOSING_MS, type FollowedCloses } from './followed-closes.js';
import type { KeepBets } from './keep-bets.js';

/** How many bets one turn looks at. */
const AT_ONCE = 500;
/** How many of those that begin later: each of their markets is asked for, beside what clients look at. */
const LATER_AT_ONCE = 10;
/** They are looked at anew so often. A start that moved is known so long before markets are followed for it. */
const LATER_MS = CLOSING_MS - 60_000;
const LAST_MOMENT = new Date(8_640_000_000_000_000);

/** Stores what bets closed at, once their events have begun, be they settled by then or not; no order waits for it. */
export class CloseBets {
  #after: UnclosedBet | undefined;
  /** Where the look at bets that begin later goes on; from the first of them where it is undefined. */
  #laterAfter: UnclosedBet | undefined;
  #laterFrom = Number.NEGATIVE_INFINITY;
  /** Bets whose markets are followed already, as they begin sooner than when the bets were decided. */
  readonly #sooner = new Map<string, BetRow>();
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
    const now = this.clock.now().getTime();
    const horizon = new Date(now + (this.followed === null ? 1 : CLOSING_MS));
    const after = this.#after;
    const due = await this.bets.unclosed(horizon, { limit: AT_ONCE, ...(after !== undefined && { after }) });
    this.#after = due.length < AT_ONCE ? undefined : due.at(-1);
    const found = [...due, ...this.#sooner.values()];
    this.followed?.takeDue();
    if (this.followed !== null) void attempt(this.followed.want(found));
    if (this.followed !== null && now >= this.#laterFrom) await this.#lookAtLater(this.followed, horizon, attempt);
    const byAccount = new Map<AccountId, BetRow[]>();
    for (const bet of found) {
      if (this.closes.closeOf(bet) === 'not_started') continue;
      byAccount.set(bet.account, [...(byAccount.get(bet.account) ?? []), bet]);
    }
    for (const [account, own] of byAccount) await attempt(this.#close(account, own));
    return this.#failures.splice(0);
  }

  async #close(account: AccountId, bets: readonly BetRow[]): Promise<void> {
    await this.keep.close(account, bets);
    for (const bet of bets) this.#sooner.delete(nameOf(bet));
  }

  /** Looks at the next bets that begin after this moment, as far as was known when they were decided: their start may have moved. */
  async #lookAtLater(
    followed: FollowedCloses,
    horizon: Date,
    attempt: (work: Promise<void>) => Promise<void>,
  ): Promise<void> {
    const after = this.#laterAfter ?? { startsAt: horizon, account: '' as AccountId, id: '' };
    const later = await this.bets.unclosed(LAST_MOMENT, { limit: LATER_AT_ONCE, after });
    const isDone = later.length < LATER_AT_ONCE;
    this.#laterAfter = isDone ? undefined : later.at(-1);
    if (isDone) this.#laterFrom = horizon.getTime() - CLOSING_MS + LATER_MS;
    const take = async () => {
      const { bets, failures } = await followed.sooner(later, horizon);
      for (const bet of bets) this.#sooner.set(nameOf(bet), bet);
      if (failures.length === 0) return;
      this.#failures.push(...failures);
      this.#laterAfter = undefined;
      this.#laterFrom = this.clock.now().getTime() + AGAIN_MS;
    };
    void attempt(take());
  }

  /** Follows nothing from now on: another process does it, or none. */
  stop(): void {
    this.followed?.stop();
    this.#sooner.clear();
    this.#laterAfter = undefined;
    this.#laterFrom = Number.NEGATIVE_INFINITY;
  }
}

const nameOf = ({ account, id }: BetRow): string => `${account} ${id}`;
