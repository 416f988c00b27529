import type { AccountId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import { NO_USDC } from '../../core/money.js';
import { type BetRow, closesAt, eventKey } from '../../core/performance/bet.js';
import { type BetFilter, type BetPlace, betOrder, isByProfit, isWantedBet } from '../../core/performance/bet-filter.js';
import { betOutcome } from '../../core/performance/bet-ledger.js';
import { type EarlierOrders, wholeBet } from '../../core/performance/earlier-orders.js';
import { type KeptSums, sumName } from '../../core/performance/kept-sums.js';
import type {
  BetChange,
  BetHead,
  BetProgress,
  BetScope,
  BetStore,
  SumScope,
  UnclosedBet,
} from '../../ports/bet-store.js';
import { inOrder } from './filters.js';

interface OwnBets {
  head: BetHead;
  /** In the order in which they were opened. */
  readonly bets: Map<string, BetRow>;
  /** What is kept apart, by bet. */
  readonly orders: Map<string, readonly EarlierOrders[]>;
  readonly sums: Map<string, KeptSums>;
}

/** Keeps bets in this process. */
export class MemoryBets implements BetStore {
  readonly #accounts = new Map<AccountId, OwnBets>();
  /** By account and id. */
  readonly #unclosed = new Map<string, BetRow>();

  /** @param heads the numbers of the last events of logs */
  constructor(private readonly heads: ReadonlyMap<AccountId, number> = new Map()) {}

  async head(account: AccountId): Promise<BetHead | undefined> {
    return this.#accounts.get(account)?.head;
  }

  async progress(account: AccountId): Promise<BetProgress> {
    const { version, seq, sumsForm } = this.#accounts.get(account)?.head ?? { version: 0, seq: 0, sumsForm: '' };
    return { version, seq, sumsForm, last: this.heads.get(account) ?? 0 };
  }

  async find(account: AccountId, { outcomes, events, open, unclosed }: BetScope): Promise<readonly BetRow[]> {
    const isNamed = (names: readonly string[] | undefined, nameOf: (bet: BetRow) => string) => {
      const wanted = new Set(names);
      return (bet: BetRow) => names === undefined || wanted.has(nameOf(bet));
    };
    const isOpen = (bet: BetRow) => open !== true || bet.result === 'open';
    const isUnclosed = (bet: BetRow) => unclosed !== true || closesAt(bet) !== null;
    const bets = this.#of(account).filter(isOpen).filter(isUnclosed);
    return bets.filter(isNamed(outcomes, betOutcome)).filter(isNamed(events, eventKey));
  }

  async sums(account: AccountId, { by, paper, names }: SumScope): Promise<readonly KeptSums[]> {
    const all = this.#accounts.get(account)?.sums ?? new Map<string, KeptSums>();
    const found = names === undefined ? [...all.values()] : names.flatMap((name) => all.get(name) ?? []);
    return found.filter((row) => (by === undefined || row.by === by) && (paper === undefined || row.paper === paper));
  }

  async ordersOf(account: AccountId, bets: readonly string[]): Promise<readonly EarlierOrders[]> {
    const orders = this.#accounts.get(account)?.orders;
    return bets.flatMap((id) => orders?.get(id) ?? []);
  }

  async advance({ account, from, head, bets, orders = [], remade = [], gone, sums }: BetChange): Promise<boolean> {
    const own = this.#accounts.get(account) ?? newBets(head);
    if (own.head.version !== from) return false;
    own.head = { ...head, version: from + 1 };
    for (const id of gone) own.bets.delete(id);
    for (const id of [...gone, ...remade]) own.orders.delete(id);
    for (const bet of bets) own.bets.set(bet.id, bet);
    for (const part of orders) own.orders.set(part.bet, [...(own.orders.get(part.bet) ?? []), part]);
    for (const id of gone) this.#unclosed.delete(`${account} ${id}`);
    for (const bet of bets) this.#noteClose(bet);
    if (sums.anew) own.sums.clear();
    for (const row of sums.rows) own.sums.set(sumName(row), row);
    this.#accounts.set(account, own);
    return true;
  }

  async unclosed(dueBefore: Date, { limit, after }: Page<UnclosedBet>): Promise<readonly BetRow[]> {
    const due = [...this.#unclosed.values()].filter((bet) => (closesAt(bet) ?? dueBefore) < dueBefore);
    due.sort(byClose);
    return due.filter((bet) => after === undefined || byClose(bet, after) > 0).slice(0, limit);
  }

  async behind(page: Page<AccountId>): Promise<readonly AccountId[]> {
    const isBehind = ([account, seq]: readonly [AccountId, number]) =>
      seq > (this.#accounts.get(account)?.head.seq ?? 0);
    const accounts = [...this.heads].filter(isBehind).map(([account]) => account);
    return inOrder(accounts, (account) => account, page);
  }

  async list(account: AccountId, filter: BetFilter, { limit, after }: Page<string>): Promise<readonly BetRow[]> {
    const order = betOrder(filter);
    const last = after === undefined ? undefined : this.#placeOf(account, filter, after);
    if (last === null) return [];
    const orders = this.#accounts.get(account)?.orders;
    const wanted = this.#of(account).filter((bet) => isWantedBet(bet, filter));
    return wanted
      .filter((bet) => last === undefined || order(bet, last) > 0)
      .sort(order)
      .slice(0, limit)
      .map((bet) => wholeBet(bet, orders?.get(bet.id) ?? []));
  }

  /** Where a page goes on; null where only the bet itself could say so, and it is there no longer, or has not ended. */
  #placeOf(account: AccountId, filter: BetFilter, id: string): BetPlace | null {
    if (!isByProfit(filter)) return { id, profit: NO_USDC };
    const bet = this.#accounts.get(account)?.bets.get(id);
    return bet === undefined || bet.settledAt === null ? null : bet;
  }

  #noteClose(bet: BetRow): void {
    const name = `${bet.account} ${bet.id}`;
    if (closesAt(bet) === null) this.#unclosed.delete(name);
    else this.#unclosed.set(name, bet);
  }

  #of(account: AccountId): readonly BetRow[] {
    return [...(this.#accounts.get(account)?.bets.values() ?? [])];
  }
}

const newBets = (head: Omit<BetHead, 'version'>): OwnBets => {
  return { head: { ...head, version: 0 }, bets: new Map(), orders: new Map(), sums: new Map() };
};

function byClose(a: UnclosedBet, b: UnclosedBet): number {
  const later = (a.startsAt?.getTime() ?? 0) - (b.startsAt?.getTime() ?? 0);
  if (later !== 0) return later;
  if (a.account !== b.account) return a.account < b.account ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
