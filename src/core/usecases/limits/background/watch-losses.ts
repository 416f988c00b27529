import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import type { AccountId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import { haltOfLosses } from '../../../posting/strategy-limits.js';
import type { TradingState } from '../../../trading/state.js';
import type { CancelInScope, Cancellation } from '../../trading/cancel-in-scope.js';
import type { MarkedHolder, MeasureLosses } from '../mark-equity.js';

/** An account that has lost what it may, and what became of its working orders. */
export interface HaltedHolder extends MarkedHolder {
  readonly state: TradingState;
  readonly cancellation: Cancellation;
}

/** The result of watching all accounts once. */
export interface LossWatch {
  /** How many accounts have losses that are limited. */
  readonly limited: number;
  /** Those whose equity cannot be marked now. */
  readonly unmarked: readonly MarkedHolder[];
  /** Those that are halted for their losses, and had orders that worked. */
  readonly halted: readonly HaltedHolder[];
  readonly failures: readonly (MarkedHolder & { readonly error: unknown })[];
}

/**
 * Watches the accounts whose losses are limited: measures each, halts it once it has lost what it may, and then cancels what
 * works, and looks whether it is gone. What a server that died left working is cancelled by the next one.
 */
export class WatchLosses {
  constructor(
    private readonly ledger: Ledger,
    private readonly measure: Pick<MeasureLosses, 'execute'>,
    private readonly cancelInScope: Pick<CancelInScope, 'execute'>,
    private readonly wallClock: Clock,
  ) {}

  /** An account that fails does not stop the others. @throws StorageUnavailable */
  async execute(): Promise<LossWatch> {
    const found = {
      limited: 0,
      unmarked: [] as MarkedHolder[],
      halted: [] as HaltedHolder[],
      failures: [] as LossWatch['failures'][number][],
    };
    const read = (page: Page<AccountId>) => this.ledger.listAccounts({ lossLimited: true }, page);
    for await (const accounts of slices(read, (account) => account)) {
      found.limited += accounts.length;
      for (const holder of accounts.flatMap(bothKinds)) {
        try {
          if (!(await this.measure.execute(holder))) found.unmarked.push(holder);
          const halted = await this.#halted(holder);
          if (halted !== null) found.halted.push(halted);
        } catch (error) {
          found.failures.push({ ...holder, error });
        }
      }
    }
    return found;
  }

  /** Null for an account that may trade, or has no working order. */
  async #halted(holder: MarkedHolder): Promise<HaltedHolder | null> {
    const { account, paper } = holder;
    const state = await this.ledger.read({ account, risks: [{ paper, strategyId: null }] }, (now) =>
      now.risks({ paper, strategyId: null }).openOrders === 0
        ? null
        : haltOfLosses(now.account, paper, this.wallClock.now()),
    );
    if (state === null) return null;
    return { ...holder, state, cancellation: await this.cancelInScope.execute(account, state, paper) };
  }
}

const bothKinds = (account: AccountId): MarkedHolder[] => [true, false].map((paper) => ({ account, paper }));
