import { defineConfig } from 'vitest/config';
import usual, { CRASH } from './vitest.config.js';

const { projects: _, ...common } = usual.test ?? {};

/**
 * The tests that kill processes, run several servers, set clocks wrong, or partition tables. Each file has a process of its own: what one
 * leaves behind would slow those after it (a file of sweeps took 378 s after others, and 13 s by itself).
 */
export default defineConfig({
  plugins: usual.plugins ?? [],
  test: { ...common, reporters: ['default'], env: { PROPERTY_MS: '15000' }, include: CRASH },
});
