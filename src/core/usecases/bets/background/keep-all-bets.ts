import type { Ledger } from '../../../../ports/ledger.js';
import type { AccountId } from '../../../ids.js';
import type { KeepBets } from './keep-bets.js';

/** How often it is worth a look. */
export const KEEP_EVERY_MS = 1000;

/**
 * A step takes about as long for one event as for some dozen. So while there is news in every turn, most turns take only accounts with so
 * many events, and one in so many takes all: whoever reads bets brings them up to the log first.
 */
const MANY_EVENTS = 100;
const TURNS = 5;

/** How many accounts one turn goes on with, each by one step. */
const AT_ONCE = 100;

/** What a turn came to. */
export interface BetsKept {
  /** True where every account was up to its log. */
  readonly isDone: boolean;
  readonly failures: readonly { readonly account: AccountId; readonly error: unknown }[];
}

/** Brings the bets of all accounts up to their logs, in turns of bounded work, each account in its turn. */
export class KeepAllBets {
  #after: AccountId | undefined;
  #turn = -1;

  constructor(
    private readonly ledger: Pick<Ledger, 'bets'>,
    private readonly keep: Pick<KeepBets, 'step'>,
  ) {}

  /** Goes on with the next accounts whose log has news, until it may not. @throws StorageUnavailable */
  async execute(mayGoOn: () => boolean = () => true): Promise<BetsKept> {
    const after = this.#after;
    if (after === undefined) this.#turn = (this.#turn + 1) % TURNS;
    const page = after === undefined ? { limit: AT_ONCE } : { limit: AT_ONCE, after };
    const accounts = await this.ledger.bets.behind(page, this.#turn === 0 ? 1 : MANY_EVENTS);
    this.#after = accounts.length < AT_ONCE ? undefined : accounts.at(-1);
    const failures = [];
    for (const account of accounts) {
      if (!mayGoOn()) break;
      try {
        await this.keep.step(account);
      } catch (error) {
        failures.push({ account, error });
      }
    }
    const isDone = accounts.length === 0 && after === undefined && this.#turn === 0;
    if (isDone) this.#turn = -1;
    return { isDone, failures };
  }
}
