import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { FairQueue } from '../../../concurrency/fair-places.js';
import type { AccountId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import { haltOfLosses } from '../../../posting/account-limits.js';
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
  /** Those with which an earlier call has not ended: they are in what it resolves with. */
  readonly underWay: readonly MarkedHolder[];
}

type Found = {
  -readonly [Name in keyof LossWatch]: LossWatch[Name] extends readonly (infer T)[] ? T[] : LossWatch[Name];
};

/** How often accounts whose losses are limited are measured. */
export const WATCH_EVERY_MS = 1000;
/** How many accounts are measured at a time. */
const AT_ONCE = 16;

/**
 * Watches the accounts whose losses are limited: measures each, halts it once it has lost what it may, and then cancels what
 * works, and looks whether it is gone. What a server that died left working is cancelled by the next one. Accounts do not wait for
 * each other: one that takes long holds one place, and the next call begins without it.
 */
export class WatchLosses {
  readonly #queue = new FairQueue(AT_ONCE);
  readonly #underWay = new Set<string>();

  constructor(
    private readonly ledger: Ledger,
    private readonly measure: Pick<MeasureLosses, 'execute'>,
    private readonly cancelInScope: Pick<CancelInScope, 'execute'>,
    private readonly wallClock: Clock,
  ) {}

  /** An account that fails does not stop the others. @throws StorageUnavailable */
  async execute(): Promise<LossWatch> {
    const found: Found = { limited: 0, unmarked: [], halted: [], failures: [], underWay: [] };
    const begun: Promise<void>[] = [];
    const read = (page: Page<AccountId>) => this.ledger.listAccounts({ lossLimited: true }, page);
    for await (const accounts of slices(read, (account) => account)) {
      found.limited += accounts.length;
      for (const holder of accounts.flatMap(bothKinds))
        if (this.#underWay.has(nameOf(holder))) found.underWay.push(holder);
        else begun.push(this.#watch(holder, found));
    }
    await Promise.all(begun);
    return found;
  }

  async #watch(holder: MarkedHolder, found: Found): Promise<void> {
    this.#underWay.add(nameOf(holder));
    const end = await this.#queue.take(holder.account);
    try {
      if (!(await this.measure.execute(holder))) found.unmarked.push(holder);
      const halted = await this.#halted(holder);
      if (halted !== null) found.halted.push(halted);
    } catch (error) {
      found.failures.push({ ...holder, error });
    } finally {
      this.#underWay.delete(nameOf(holder));
      end();
    }
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

const nameOf = ({ account, paper }: MarkedHolder): string => `${paper} ${account}`;
