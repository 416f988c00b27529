import type { Ledger } from '../ports/ledger.js';
import { LEDGER_CHECKS } from './ledger-checks.js';
import { trialTrader } from './trial-trader.js';

/** An empty store to be tested. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** Another handle on the same store, as another process would have: half of the racers of each race use it. */
  readonly other?: Ledger;
  /** Releases its resources. */
  close?(): Promise<void>;
}

/** One requirement of every store: rejects with the reason when this store violates it. */
export interface LedgerCheck {
  readonly name: string;
  check(): Promise<void>;
}

/**
 * What every `Ledger` must do, as checks for any test runner. Each check opens an empty store of its own and trades on it on
 * paper, through the use cases.
 *
 * @example
 * ```ts
 * for (const { name, check } of ledgerContract(async () => ({ ledger: await OwnLedger.open() }))) it(name, check);
 * ```
 */
export function ledgerContract(open: () => Promise<LedgerUnderTest>): readonly LedgerCheck[] {
  return Object.entries(LEDGER_CHECKS).map(([name, run]) => ({
    name,
    check: async () => {
      const { ledger, other = ledger, close } = await open();
      try {
        await run(trialTrader(ledger), trialTrader(other));
      } finally {
        await close?.();
      }
    },
  }));
}
