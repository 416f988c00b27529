import { defineConfig } from 'vitest/config';
import usual, { CRASH } from './vitest.config.js';

const { projects: _, ...common } = usual.test ?? {};

/** The tests that kill processes, run several servers, set clocks wrong, or partition tables. */
export default defineConfig({
  test: { ...common, maxWorkers: 2, reporters: ['default'], env: { PROPERTY_MS: '60000' }, include: CRASH },
});
