import { defineConfig } from 'vitest/config';
import usual, { CRASH, projectsOf } from './vitest.config.js';

/** The tests that kill processes, run several servers, set clocks wrong, or partition tables. */
export default defineConfig({
  test: {
    ...usual.test,
    reporters: ['default'],
    env: { PROPERTY_MS: '30000' },
    projects: projectsOf(CRASH),
  },
});
