import type { AccountId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import { type BetRow, eventKey } from '../../core/performance/bet.js';
import { type BetFilter, isWantedBet } from '../../core/performance/bet-filter.js';
import { betOutcome } from '../../core/performance/bet-ledger.js';
import { type KeptSums, sumName } from '../../core/performance/kept-sums.js';
import type { BetChange, BetHead, BetScope, BetStore, SumScope } from '../../ports/bet-store.js';
import { inOrder, newestFirst } from './filters.js';

interface OwnBets {
  head: BetHead;
  /** In the order in which they were opened. */
  readonly bets: Map<string, BetRow>;
  readonly sums: Map<string, KeptSums>;
}

/** Keeps bets in this process. */
export class MemoryBets implements BetStore {
  readonly #accounts = new Map<AccountId, OwnBets>();

  /** @param heads the numbers of the last events of logs */
  constructor(private readonly heads: ReadonlyMap<AccountId, number> = new Map()) {}

  async head(account: AccountId): Promise<BetHead | undefined> {
    return this.#accounts.get(account)?.head;
  }

  async find(account: AccountId, { outcomes, events, open }: BetScope): Promise<readonly BetRow[]> {
    const isNamed = (names: readonly string[] | undefined, nameOf: (bet: BetRow) => string) => {
      const wanted = new Set(names);
      return (bet: BetRow) => names === undefined || wanted.has(nameOf(bet));
    };
    const isOpen = (bet: BetRow) => open !== true || bet.result === 'open';
    return this.#of(account).filter(isOpen).filter(isNamed(outcomes, betOutcome)).filter(isNamed(events, eventKey));
  }

  async sums(account: AccountId, { by, paper, names }: SumScope): Promise<readonly KeptSums[]> {
    const all = this.#accounts.get(account)?.sums ?? new Map<string, KeptSums>();
    const found = names === undefined ? [...all.values()] : names.flatMap((name) => all.get(name) ?? []);
    return found.filter((row) => (by === undefined || row.by === by) && (paper === undefined || row.paper === paper));
  }

  async advance({ account, from, head, bets, gone, sums }: BetChange): Promise<boolean> {
    const own = this.#accounts.get(account) ?? { head: { ...head, version: 0 }, bets: new Map(), sums: new Map() };
    if (own.head.version !== from) return false;
    own.head = { ...head, version: from + 1 };
    for (const id of gone) own.bets.delete(id);
    for (const bet of bets) own.bets.set(bet.id, bet);
    if (sums.anew) own.sums.clear();
    for (const row of sums.rows) own.sums.set(sumName(row), row);
    this.#accounts.set(account, own);
    return true;
  }

  async behind(page: Page<AccountId>): Promise<readonly AccountId[]> {
    const isBehind = ([account, seq]: readonly [AccountId, number]) =>
      seq > (this.#accounts.get(account)?.head.seq ?? 0);
    const accounts = [...this.heads].filter(isBehind).map(([account]) => account);
    return inOrder(accounts, (account) => account, page);
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
