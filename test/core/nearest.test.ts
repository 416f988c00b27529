import { expect, it } from 'vitest';
import { nearest } from '../../src/core/nearest.js';

it.each([
  ['Alice', ['bob', 'alice'], 'alice'],
  ['alcie', ['alice', 'bob'], 'alice'],
  ['alic', ['alice'], 'alice'],
  ['context-1', ['context-22', 'context-2', 'context-12'], 'context-2'],
  ['PAPER_BALANCE_USD', ['PAPER_BALANCE_USDC'], 'PAPER_BALANCE_USDC'],
  ['bob', ['alice', 'carol'], undefined],
  ['al', ['bo'], undefined],
  ['', ['a'], 'a'],
  ['alice', [], undefined],
])('%s means, among %j: %s', (word, words, meant) => {
  expect(nearest(word, words)).toBe(meant);
});
