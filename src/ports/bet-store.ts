import type { AccountId } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import type { BetRow } from '../core/performance/bet.js';
import type { BetFilter } from '../core/performance/bet-filter.js';
import type { BetBook } from '../core/performance/bet-ledger.js';
import type { EarlierOrders } from '../core/performance/earlier-orders.js';
import type { KeptSums, ResultBy } from '../core/performance/kept-sums.js';

/** How far the bets of an account follow its event log. */
export interface BetHead {
  /** Counts the changes, from 0 before the first. */
  readonly version: number;
  /** The number of the last event that the bets are made from. */
  readonly seq: number;
  /** The money of the account by then, by the names of its books. */
  readonly books: ReadonlyMap<string, BetBook>;
  /** How the sums were made, as `formOfSums` gives it; empty before there are any. */
  readonly sumsForm: string;
}

/** How far the bets of an account are from its event log, without what they came to. */
export interface BetProgress extends Pick<BetHead, 'version' | 'seq' | 'sumsForm'> {
  /** The number of the last event of the log; 0 where there is none. */
  readonly last: number;
}

/** The next state of the bets of an account, stored together. */
export interface BetChange {
  readonly account: AccountId;
  /** The version that it was made from: with any other on record, nothing is stored. */
  readonly from: number;
  readonly head: Omit<BetHead, 'version'>;
  /** New bets, and changed ones. */
  readonly bets: readonly BetRow[];
  /** Orders of these that are kept apart from now on. */
  readonly orders?: readonly EarlierOrders[];
  /** Ids of those bets that were made anew: what was kept apart of their orders goes. */
  readonly remade?: readonly string[];
  /** Ids of bets that are there no longer. */
  readonly gone: readonly string[];
  /** New sums, and changed ones; `anew` where they take the place of all that there are. */
  readonly sums: { readonly anew: boolean; readonly rows: readonly KeptSums[] };
}

/** Which bets a change may be about. */
export interface BetScope {
  /** Names of outcomes, as `betOutcome` gives them; absent for all. */
  readonly outcomes?: readonly string[];
  /** Names of events, as `eventKey` gives them; absent for all. */
  readonly events?: readonly string[];
  /** Only open ones. */
  readonly open?: true;
  /** Only those that have no close yet. */
  readonly unclosed?: true;
}

/** Where a bet stands among those without a close. */
export type UnclosedBet = Pick<BetRow, 'startsAt' | 'account' | 'id'>;

/** Which sums to read; an absent member does not restrict. */
export interface SumScope {
  readonly by?: ResultBy;
  readonly paper?: boolean;
  /** As `sumName` gives them. */
  readonly names?: readonly string[];
}

/** Keeps bets. They are made from the event log, and written by themselves: no order waits for them. */
export interface BetStore {
  /** Undefined before the first change. */
  head(account: AccountId): Promise<BetHead | undefined>;
  /** All of one moment; what every list of bets asks first. */
  progress(account: AccountId): Promise<BetProgress>;
  /** In the order in which they were opened; of a bet of many orders with the newest of them. */
  find(account: AccountId, scope: BetScope): Promise<readonly BetRow[]>;
  /** The orders of these bets that are kept apart from them, in no order. */
  ordersOf(account: AccountId, bets: readonly string[]): Promise<readonly EarlierOrders[]>;
  /** Sums over the bets, kept with them; in no order. */
  sums(account: AccountId, scope: SumScope): Promise<readonly KeptSums[]>;
  /** Stores all of it, or nothing where another process changed the bets since: then the answer is false. */
  advance(change: BetChange): Promise<boolean>;
  /** Of all accounts, those that have no close yet though it is due before this moment, by when that was, by account and by id. */
  unclosed(dueBefore: Date, page: Page<UnclosedBet>): Promise<readonly BetRow[]>;
  /** Accounts whose log has events that their bets are not made from yet, by name. */
  behind(page: Page<AccountId>): Promise<readonly AccountId[]>;
  /** Newest first, or oldest first where the filter says so, by id; each with all of its orders. */
  list(account: AccountId, filter: BetFilter, page: Page<string>): Promise<readonly BetRow[]>;
}
