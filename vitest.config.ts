import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more. Begun last, one of them would keep one processor while the other has nothing to do. */
const LONG = ['ledger-on-postgres', 'ledger-on-sqlite', 'kill-points', 'killed-start', 'partitioned', 'stale-sender'];

/** Begins with the long files; the rest in the order of vitest. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * Tests that change nothing of their process: its environment, its outputs, its modules. Many of them share one, which saves
 * each the time to load what it tests.
 */
const SHARED = [
  'core',
  'faults',
  'stakeport',
  'testing',
  'adapters/{auth,market-data,memory,ntfy,paper,polymarket,system}',
];
const TOGETHER = [...SHARED, 'adapters/{tape,telegram,transport,http}'].map((folder) => `test/${folder}/**/*.test.ts`);
const EVERY = 'test/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    unstubEnvs: true,
    projects: [
      { extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
      { extends: true, test: { name: 'alone', include: [EVERY], exclude: TOGETHER } },
    ],
  },
});
