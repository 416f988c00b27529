import type { MemoryLedger } from '../../src/adapters/memory/index.js';
import { runnerUseCase } from '../../src/core/usecases/compose-strategies.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { seenAs } from './seen-as.js';

type RunnerParts = Parameters<typeof runnerUseCase>;

/** A runner that has read the strategies and their markets, and what went wrong with it. */
export async function runningStrategies(ports: RunnerParts[0], skips: RunnerParts[1]) {
  const faults: unknown[] = [];
  const runner = runnerUseCase(ports, skips, (_, error) => faults.push(error));
  const refresh = async () => {
    await runner.refreshStrategies();
    await runner.refreshMarkets();
  };
  await refresh();
  return { runner, refresh, faults };
}

/** The store, with something done before each bet is put on record, and some of its answers replaced. */
export const beforeEachBet = (
  store: MemoryLedger,
  act: () => Promise<unknown>,
  changed: Partial<Ledger> = {},
): Ledger =>
  seenAs(store, {
    write: async (scope, decide) => {
      if (scope.slots !== undefined) await act();
      return store.write(scope, decide);
    },
    ...changed,
  });
