import { defineConfig } from 'vitest/config';
import { isInMemory } from './test/support/memory-folder.js';
import usual, { CRASH } from './vitest.config.js';

const { projects: _, ...common } = usual.test ?? {};

// On the disk: its syncs take long enough to show what is answered before it is stored. The record takes memory all the same.
const { TMPDIR: named } = process.env;
if (isInMemory(named)) delete process.env['TMPDIR'];
const MEMORY = isInMemory(named) ? { MEMORY_FOLDER: named } : {};

/**
 * The tests that kill processes, run several servers, set clocks wrong, or partition tables. Each file has a process of its own: what one
 * leaves behind would slow those after it (a file of sweeps took 378 s after others, and 13 s by itself).
 */
export default defineConfig({
  plugins: usual.plugins ?? [],
  test: {
    ...common,
    // What starts twenty servers one after the other took six minutes beside other work.
    testTimeout: 1_200_000,
    reporters: ['default'],
    env: { PROPERTY_MS: '15000', ...MEMORY },
    include: CRASH,
  },
});
