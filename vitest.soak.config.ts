import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import usual from './vitest.config.js';

const SOAK = process.env['SOAK'] ?? '20';
const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
const generated = tests.filter((file) => readFileSync(`test/${file}`, 'utf8').includes('support/runs.js'));

const { projects: _, ...common } = usual.test ?? {};

/** The generated tests, each `SOAK` times as long as in `npm test`. */
export default defineConfig({
  plugins: usual.plugins ?? [],
  test: {
    ...common,
    reporters: ['default'],
    include: generated.map((file) => `test/${file}`),
    env: { SOAK },
    testTimeout: 3_600_000,
  },
});
