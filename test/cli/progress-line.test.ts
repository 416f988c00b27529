import { expect, it } from 'vitest';
import { progressText } from '../../src/cli/progress-line.js';

it.each([
  [0, 500, '0 %, noon'],
  [0.009, 500, '0 %, noon'],
  [0.01, 500, '1 %, noon, about 50 s left'],
  [0.25, 30_000, '25 %, noon, about 90 s left'],
  [0.999, 30_000, '99 %, noon, about 1 s left'],
  [1, 30_000, '100 %, noon, about 0 s left'],
])('The part %d after %d ms is shown as: %s', (done, tookMs, line) => {
  expect(progressText(done, 'noon', tookMs)).toBe(line);
});
