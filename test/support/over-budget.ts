import type { Reporter, TestModule } from 'vitest/node';

/** What a test of `npm test` may take, but for one story of each feature from end to end. */
const BUDGET_MS = 2000;

/** Names the tests that took longer than their budget, the slowest first; nothing fails by it. */
export class OverBudget implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slow = modules.flatMap(({ relativeModuleId, children }) =>
      [...children.allTests()].map((test) => ({
        name: `${relativeModuleId}: ${test.fullName}`,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    );
    const over = slow.filter(({ ms }) => ms > BUDGET_MS).toSorted((a, b) => b.ms - a.ms);
    if (over.length === 0) return;
    console.log(`\n${over.length} tests took longer than ${BUDGET_MS / 1000} s:`);
    for (const { name, ms } of over) console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
  }
}
