import { expect, test } from 'vitest';
import { ratioText } from '../../src/core/money.js';

test.each([
  [2n, 3n, 3, '0.667'],
  [-2n, 3n, 3, '-0.667'],
  [1n, 8n, 2, '0.12'],
  [3n, 8n, 2, '0.38'],
  [-1n, 1000n, 2, '0.00'],
  [5n, 2n, 0, '2'],
  [123n, 1n, 1, '123.0'],
])('%d/%d with %d decimals is %s, half to even', (n, d, decimals, text) => {
  expect(ratioText({ n, d }, decimals)).toBe(text);
});
