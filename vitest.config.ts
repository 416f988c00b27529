import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { BUILT } from './test/support/built.js';
import { keepFilesInMemory } from './test/support/memory-folder.js';
import { OverBudget } from './test/support/over-budget.js';

keepFilesInMemory();

/** Files that kill processes, run several servers, set clocks wrong, partition tables, wait for databases that are locked, or play a whole tape or the record several times: `npm run test:crash` runs them, and `npm test` the rest. */
export const CRASH = [
  'adapters/kalshi/random-orders',
  'adapters/sql/colliding',
  'adapters/sql/killed-groups',
  'adapters/sql/partitioned',
  'bench/filled-orders',
  'e2e/approvals-story',
  'e2e/backtest-on-server',
  'e2e/clock-off',
  'e2e/crash',
  'e2e/event-log',
  'e2e/first-price-killed',
  'e2e/import-memory',
  'e2e/kill-points',
  'e2e/killed-start',
  'e2e/limits-on-two-servers',
  'e2e/loss-limits',
  'e2e/market-streams',
  'e2e/messages',
  'e2e/one-decider',
  'e2e/one-feed',
  'e2e/one-paper-book',
  'e2e/operator-beside-load',
  'e2e/paper-owner',
  'e2e/record',
  'e2e/recording',
  'e2e/season',
  'e2e/signals',
  'e2e/stale-sender',
  'e2e/storage-faults',
  'e2e/strategies-on-three-servers',
  'e2e/strategy-exits-killed',
  'e2e/sweep-killed',
  'e2e/takeover',
  'e2e/tape-at-every-speed',
  'e2e/tape-goes-on',
  'e2e/tape-memory',
  'e2e/tape-owner',
  'e2e/tape-restart',
  'e2e/tape-server',
  'e2e/trading-state',
  'e2e/unread-output',
  'e2e/webhooks',
  'faults/live-stories',
  'record/record',
  'sweep/played-chance',
  'sweep/sweep',
].map((name) => `test/${name}.test.ts`);

/** Files that take longest. Begun last, one of them would keep one processor while the other has nothing to do. */
const LONG = [
  'record/record',
  'ledger-on-postgres',
  'ledger-on-sqlite',
  'kill-points',
  'partitioned',
  'strategies-on-three-servers',
  'killed-start',
  'season',
  'backtest-on-server',
  'sweep-killed',
  'live-stories',
  'tape-restart',
  'stale-sender',
];

/** Begins with the long files; the rest in the order of vitest. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What only a file says that changes its process or looks at it. */
const OF_THE_PROCESS =
  /useFakeTimers|stubEnv|getActiveResourcesInfo|memoryUsage|WeakRef|process\.(env\S* = |exitCode|chdir|on\(|once\()/;

/** Files that change their process run alone. All others share a process a worker, which saves each the time to load what it tests. */
export function projectsOf(files: readonly string[]): TestProjectInlineConfiguration[] {
  const alone = files.filter((file) => OF_THE_PROCESS.test(readFileSync(file, 'utf8')));
  const together = files.filter((file) => !alone.includes(file));
  return [
    { extends: true, test: { name: 'together', include: together, isolate: false } },
    { extends: true, test: { name: 'alone', include: alone } },
  ];
}

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => !CRASH.includes(file));

export default defineConfig({
  plugins: BUILT,
  test: {
    // Only built sources are imported from there: see BUILT.
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    sequence: { sequencer: LongFirst },
    reporters: ['default', new OverBudget()],
    pool: 'forks',
    // Tests wait for programs and sockets a quarter of their time: 324 s on two processors, where two workers took 396.
    maxWorkers: 3,
    // What waits for programs of its own keeps no more of the machine busy than two.
    maxConcurrency: 2,
    // Limits, not waits: a machine that is busy with other work takes ten times as long, and a test that passes costs no more by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    unstubEnvs: true,
    // How long a test waits for what must come.
    expect: { poll: { timeout: 60_000 } },
    projects: projectsOf(tests),
  },
});
