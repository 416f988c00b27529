import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more. Begun last, one of them would keep one processor while the other has nothing to do. */
const LONG = [
  'record/record',
  'ledger-on-postgres',
  'ledger-on-sqlite',
  'kill-points',
  'killed-start',
  'partitioned',
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

/** Folders whose tests change nothing of their process. Many of them share one, which saves each the time to load what it tests. */
const SHARED = [
  'core',
  'faults',
  'stakeport',
  'testing',
  ...[
    'auth',
    'http',
    'market-data',
    'memory',
    'ntfy',
    'paper',
    'polymarket',
    'system',
    'tape',
    'telegram',
    'transport',
  ].map((adapter) => `adapters/${adapter}`),
];
/** What only a file says that looks at its process, or has another clock or environment in it: it runs alone all the same. */
const OF_THE_PROCESS = /useFakeTimers|stubEnv|getActiveResourcesInfo|memoryUsage|WeakRef/;

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
const together = tests
  .filter((file) => SHARED.some((folder) => file.startsWith(`${folder}/`)))
  .map((file) => `test/${file}`)
  .filter((file) => !OF_THE_PROCESS.test(readFileSync(file, 'utf8')));

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
      { extends: true, test: { name: 'together', include: together, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: together } },
    ],
  },
});
