import type { AccountId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { BetRow } from '../../core/performance/bet.js';
import { type BetFilter, isWantedBet } from '../../core/performance/bet-filter.js';
import { betOutcome } from '../../core/performance/bet-ledger.js';
import type { BetChange, BetHead, BetScope, BetStore } from '../../ports/bet-store.js';
import { newestFirst } from './filters.js';

interface OwnBets {
  head: BetHead;
  /** In the order in which they were opened. */
  readonly bets: Map<string, BetRow>;
}

/** Keeps bets in this process. */
export class MemoryBets implements BetStore {
  readonly #accounts = new Map<AccountId, OwnBets>();

  async head(account: AccountId): Promise<BetHead | undefined> {
    return this.#accounts.get(account)?.head;
  }

  async find(account: AccountId, { outcomes, open }: BetScope): Promise<readonly BetRow[]> {
    const named = outcomes === undefined ? null : new Set(outcomes);
    return this.#of(account).filter(
      (bet) => (open !== true || bet.result === 'open') && (named === null || named.has(betOutcome(bet))),
    );
  }

  async advance({ account, from, head, bets, gone }: BetChange): Promise<boolean> {
    const own = this.#accounts.get(account) ?? { head: { ...head, version: 0 }, bets: new Map<string, BetRow>() };
    if (own.head.version !== from) return false;
    own.head = { ...head, version: from + 1 };
    for (const id of gone) own.bets.delete(id);
    for (const bet of bets) own.bets.set(bet.id, bet);
    this.#accounts.set(account, own);
    return true;
  }

  async list(account: AccountId, filter: BetFilter, page: Page<string>): Promise<readonly BetRow[]> {
    return newestFirst(
      this.#of(account).filter((bet) => isWantedBet(bet, filter)),
      ({ id }) => id,
      page,
    );
  }

  #of(account: AccountId): readonly BetRow[] {
    return [...(this.#accounts.get(account)?.bets.values() ?? [])];
  }
}
