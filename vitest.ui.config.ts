import { defineConfig } from 'vitest/config';
import usual from './vitest.config.js';

/** The tests of the dashboard in a real browser. */
export default defineConfig({
  plugins: usual.plugins ?? [],
  test: {
    server: usual.test?.server ?? {},
    include: ['test/ui/**/*.browser.ts'],
    globalSetup: ['test/ui/build-setup.ts'],
    pool: 'forks',
    // Files share a process a worker, and its browser: what they load takes longer than many of their tests.
    isolate: false,
    maxWorkers: 2,
    // What a file started, such as servers, ends with it.
    setupFiles: usual.test?.setupFiles ?? [],
    expect: { poll: usual.test?.expect?.poll ?? {} },
    testTimeout: usual.test?.testTimeout ?? 0,
    hookTimeout: usual.test?.hookTimeout ?? 0,
    teardownTimeout: usual.test?.teardownTimeout ?? 10_000,
  },
});
