import type { Ledger } from '../../../ports/ledger.js';
import {
  type Account,
  type Balance,
  BY_OPERATOR,
  balanced,
  freeCash,
  type Halt,
  halted,
  type JournalCause,
  line,
  moveCash,
  openBalance,
  stopsOf,
  type TradingNow,
  totalOf,
} from '../../account/account.js';
import { AccountNotFound, MoneyMixed } from '../../account/account-errors.js';
import type { AccountId, VenueName } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { type AccountFilter, type Page, whole } from '../../ledger/query.js';
import { isDemo } from '../../market/market.js';
import { NO_USDC, type Usdc } from '../../money.js';
import { nearest } from '../../nearest.js';
import type { OrderContext } from '../../posting/trading-stop.js';

/** An operator's view of an account that trades with real money, or may. */
export interface LiveAccount extends TradingNow {
  readonly account: AccountId;
  readonly halt: Halt | null;
  /** Its part of the wallets at all venues together; zero before the first deposit. */
  readonly balance: Pick<Balance, 'cash' | 'reserved'>;
  /** Its part of the wallet at each venue. */
  readonly balances: readonly Balance[];
}

/** An account that was halted, where an earlier halt stays as it is, or released. */
export interface HaltedAccount extends LiveAccount {
  readonly wasHalted: boolean;
}

/** An account that was released. */
export interface ReleasedAccount extends LiveAccount {
  /** What was lifted; null where there was no halt. */
  readonly lifted: Halt | null;
}

/**
 * Decides which accounts may trade with real money, and how much of the wallet's money each has: one wallet serves a whole
 * deployment, and no account spends more than was allocated to it here. For operators only. Only allowing live trading makes
 * an account that is not on record; all else answers an unknown name with AccountNotFound.
 */
export class ManageAccounts {
  constructor(
    private readonly ledger: Ledger,
    private readonly context: Pick<OrderContext, 'clock' | 'ids'> & Partial<Pick<OrderContext, 'wallClock'>>,
  ) {}

  /** Turning it off stops new orders, also those on record that have not been sent; orders resting at the venue go on. */
  async allowLive(account: AccountId, liveEnabled: boolean): Promise<LiveAccount> {
    if (!liveEnabled) await this.#find(account);
    return this.#change(account, (now) => ({ ...now, liveEnabled }));
  }

  /** Sends no more of its orders, also those on record that have not been sent, until `release`; resting orders go on. */
  async halt(account: AccountId, message: string): Promise<HaltedAccount> {
    await this.#find(account);
    const reason = { code: BY_OPERATOR, message };
    return this.ledger.write({ account, service: true }, (now) => {
      const changed = halted(now.account, reason, this.context.clock.now());
      const wasHalted = now.account.halt !== null;
      return { result: { ...this.#shown(changed, now), wasHalted }, accounts: [changed] };
    });
  }

  /** Lifts the halt by an operator or because of its venue's answer; what else stops the account stays, and is in `states`. */
  async release(account: AccountId): Promise<ReleasedAccount> {
    await this.#find(account);
    return this.ledger.write({ account, service: true }, (now) => {
      const released = { ...now.account, halt: null };
      return { result: { ...this.#shown(released, now), lifted: now.account.halt }, accounts: [released] };
    });
  }

  async show(account: AccountId): Promise<LiveAccount> {
    await this.#find(account);
    return this.#look(account);
  }

  /** Every account that may trade with real money, is halted, or has, or had, money of its own. */
  async list(): Promise<readonly LiveAccount[]> {
    return Promise.all((await this.names()).map((account) => this.#look(account)));
  }

  /** The names of the same; it waits for no write to any of them. */
  names(): Promise<readonly AccountId[]> {
    return this.#names({ live: true });
  }

  /** The account on record that an unknown name may mean; undefined when the name is known, or none is near. */
  async closest(account: AccountId): Promise<AccountId | undefined> {
    if ((await this.#names({ name: account })).length > 0) return undefined;
    return nearest(account, await this.#names({}));
  }

  /**
   * Allocates an amount of the wallet's money at the venue to the account; moves nothing there.
   * @throws MoneyMixed for play money where the account has real money, and the reverse
   */
  async deposit(account: AccountId, venue: VenueName, amount: Usdc): Promise<LiveAccount> {
    await this.#find(account);
    return this.ledger.write({ account, service: true }, (now) => {
      const other = now
        .balances(false)
        .find((balance) => balance.venue !== null && isDemo(balance.venue) !== isDemo(venue));
      if (other?.venue != null) throw new MoneyMixed(account, venue, other.venue);
      return this.#move(now, venue, amount, 'deposit');
    });
  }

  /** The reverse; null, and nothing is done, when less than that is free of reservations. */
  async withdraw(account: AccountId, venue: VenueName, amount: Usdc): Promise<LiveAccount | null> {
    await this.#find(account);
    return this.ledger.write({ account, service: true }, (now): Decision<LiveAccount | null> => {
      const free = freeCash(balanceAt(now, venue));
      return free < amount ? { result: null } : this.#move(now, venue, -amount as Usdc, 'withdrawal');
    });
  }

  #names(filter: AccountFilter): Promise<readonly AccountId[]> {
    return whole(
      (page: Page<AccountId>) => this.ledger.listAccounts(filter, page),
      (name) => name,
    );
  }

  /** @throws AccountNotFound */
  async #find(account: AccountId): Promise<void> {
    if ((await this.#names({ name: account })).length > 0) return;
    throw new AccountNotFound(account, nearest(account, await this.#names({})));
  }

  #look(account: AccountId): Promise<LiveAccount> {
    return this.ledger.read({ account, service: true }, (now) => this.#shown(now.account, now));
  }

  #change(account: AccountId, change: (account: Account) => Account): Promise<LiveAccount> {
    return this.ledger.write({ account, service: true }, (now) => {
      const changed = change(now.account);
      return { result: this.#shown(changed, now), accounts: [changed] };
    });
  }

  #shown(own: Account, now: Snapshot, balances = now.balances(false)): LiveAccount {
    const { clock, wallClock = clock } = this.context;
    const stops = stopsOf(own, now.service ?? own, wallClock.now());
    return { account: own.id, halt: own.halt, ...stops, balance: totalOf(balances), balances };
  }

  #move(now: Snapshot, venue: VenueName, amount: Usdc, cause: JournalCause): Decision<LiveAccount> {
    const before = balanceAt(now, venue);
    const balance = moveCash(before, amount, NO_USDC);
    const entry = balanced({
      id: this.context.ids.next(),
      account: now.account.id,
      paper: false,
      venue,
      at: this.context.clock.now(),
      orderId: null,
      cause: now.balance({ paper: false, venue }) === undefined ? 'opening' : cause,
      lines: [line('cash', amount), line('capital', -amount as Usdc)],
    });
    const others = now.balances(false).filter((other) => other.venue !== venue);
    return { result: this.#shown(now.account, now, [...others, balance]), balances: [balance], entries: [entry] };
  }
}

const balanceAt = (now: Snapshot, venue: VenueName): Balance =>
  now.balance({ paper: false, venue }) ?? openBalance(now.account.id, { paper: false, venue }, NO_USDC);
