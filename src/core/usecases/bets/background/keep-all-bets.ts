import type { Ledger } from '../../../../ports/ledger.js';
import type { AccountId } from '../../../ids.js';
import type { KeepBets } from './keep-bets.js';

/** How often it is worth a look. */
export const KEEP_EVERY_MS = 1000;

/** How many accounts one turn goes on with, each by one step. */
const AT_ONCE = 100;

/** What a turn came to. */
export interface BetsKept {
  /** True where every account was brought up to its log. */
  readonly isDone: boolean;
  readonly failures: readonly { readonly account: AccountId; readonly error: unknown }[];
}

/** Brings the bets of all accounts up to their logs, in turns of bounded work, each account in its turn. */
export class KeepAllBets {
  #after: AccountId | undefined;
  /** Whether each account of this round, which may take several turns, was brought up to its log. */
  #isCurrent = true;

  constructor(
    private readonly ledger: Pick<Ledger, 'bets'>,
    private readonly keep: Pick<KeepBets, 'step'>,
  ) {}

  /** Goes on with the next accounts whose log has news, until it may not. @throws StorageUnavailable */
  async execute(mayGoOn: () => boolean = () => true): Promise<BetsKept> {
    const after = this.#after;
    const page = after === undefined ? { limit: AT_ONCE } : { limit: AT_ONCE, after };
    const accounts = await this.ledger.bets.behind(page);
    this.#after = accounts.length < AT_ONCE ? undefined : accounts.at(-1);
    if (after === undefined) this.#isCurrent = true;
    const failures = [];
    for (const account of accounts) {
      if (!mayGoOn()) return { isDone: false, failures };
      try {
        if (!(await this.keep.step(account))) this.#isCurrent = false;
      } catch (error) {
        this.#isCurrent = false;
        failures.push({ account, error });
      }
    }
    return { isDone: this.#isCurrent && this.#after === undefined, failures };
  }
}
