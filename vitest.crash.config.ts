import { defineConfig } from 'vitest/config';
import usual, { CRASH } from './vitest.config.js';

const { projects: _, ...common } = usual.test ?? {};

/** The tests that kill processes, run several servers, set clocks wrong, or partition tables. */
export default defineConfig({ test: { ...common, include: CRASH } });
