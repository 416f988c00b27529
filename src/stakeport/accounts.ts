import type { EquityPoint, Portfolio } from '../core/account/portfolio.js';
import type { VenueName } from '../core/ids.js';
import type { Slice } from '../core/ledger/query.js';
import type { Usdc } from '../core/money.js';
import type { PaperReset } from '../core/posting/reset.js';
import type { AccountAudit } from '../core/usecases/accounts/audit-books.js';
import type { HaltedAccount, LiveAccount, ReleasedAccount } from '../core/usecases/accounts/manage-accounts.js';
import type { UseCases } from '../core/usecases/compose.js';
import {
  ABOVE_ZERO,
  accountId,
  type Decimal,
  micro,
  onlyMembers,
  type PageRequest,
  pageOf,
  strategyId,
  venueName,
} from './input.js';

/** Accounts: what they may do with real money, and whether their books agree. Paper needs none of this. */
export interface Accounts {
  /** Lets the account trade with real money, or ends that. */
  allowLive(account: string, allowed: boolean): Promise<LiveAccount>;
  /**
   * Adds real money of the wallet at a venue, by default the default one, to the account; moves nothing. @throws
   * AccountNotFound, InputInvalid
   */
  deposit(account: string, usdc: Decimal, venue?: string): Promise<LiveAccount>;
  /** Takes real money out of the account; null when less than that is free. @throws AccountNotFound, InputInvalid */
  withdraw(account: string, usdc: Decimal, venue?: string): Promise<LiveAccount | null>;
  /** Ends every live order that was not sent, and denies new ones until it is released. @throws AccountNotFound */
  halt(account: string, reason: string): Promise<HaltedAccount>;
  /** Lifts a halt; `states` has what still stops the account. @throws AccountNotFound */
  release(account: string): Promise<ReleasedAccount>;
  /** @throws AccountNotFound */
  show(account: string): Promise<LiveAccount>;
  list(): Promise<readonly LiveAccount[]>;
  /** Cancels the working paper orders, and starts again with the opening cash. @throws PaperAccountNotFound, AccountBusy */
  resetPaper(account: string): Promise<PaperReset>;
  /** Compares the books of every account with its orders and their events; what is wrong is in `findings`. */
  audit(): AsyncIterable<AccountAudit>;
}

/** Which money to read. */
export interface PortfolioRequest {
  /** Real money when false. */
  readonly paper?: boolean;
  /** The part of one strategy; by default the whole account. */
  readonly strategy?: string | null;
}

/** What accounts hold, and what it is worth. */
export interface Portfolios {
  /**
   * Cash, positions at what they could be sold for now, and profit. @throws StrategyNotFound
   *
   * @example
   * ```ts
   * const { cash, realised } = await stakeport.portfolio.of('me');
   * ```
   */
  of(account: string, request?: PortfolioRequest): Promise<Portfolio>;
  /** What it was worth before, newest first, where something was kept. @throws StrategyNotFound */
  history(account: string, request?: PortfolioRequest & PageRequest<Date>): Promise<Slice<EquityPoint, Date>>;
}

/** The methods that act upon accounts. */
export function accountsOf({ accounts: { manage, resetPaper, audit } }: UseCases, usual: VenueName): Accounts {
  const at = (venue: string | undefined) => (venue === undefined ? usual : venueName(venue));
  const dollars = (usdc: Decimal) => micro('usdc', usdc, ABOVE_ZERO) as Usdc;
  return {
    allowLive: async (account, allowed) => manage.allowLive(accountId(account), allowed),
    deposit: async (account, usdc, venue) => manage.deposit(accountId(account), at(venue), dollars(usdc)),
    withdraw: async (account, usdc, venue) => manage.withdraw(accountId(account), at(venue), dollars(usdc)),
    halt: async (account, reason) => manage.halt(accountId(account), reason),
    release: async (account) => manage.release(accountId(account)),
    show: async (account) => manage.show(accountId(account)),
    list: () => manage.list(),
    async resetPaper(account) {
      const own = accountId(account);
      return (await resetPaper.execute({ by: own, account: own, idempotencyKey: null })).record;
    },
    audit: () => audit.execute(),
  };
}

const HOLDING = ['paper', 'strategy'];

/** The methods that read what accounts hold. */
export function portfoliosOf({ accounts: { portfolio } }: UseCases): Portfolios {
  const holding = ({ paper = true, strategy = null }: PortfolioRequest) => ({
    paper,
    strategyId: strategy === null ? null : strategyId(strategy),
  });
  return {
    async of(account, request = {}) {
      onlyMembers(request, HOLDING);
      return portfolio.now(accountId(account), holding(request));
    },
    history: async (account, request = {}) =>
      portfolio.history(accountId(account), holding(request), pageOf(request, HOLDING)),
  };
}
