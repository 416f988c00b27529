import { expect, test } from 'vitest';
import { price } from '../../../support/builders.js';
import { aBook, aGame, decided } from './view.js';

const fee = { rate: 50_000n, exponent: 1, takerOnly: true, asOf: new Date(0) };
const book = aBook('0.48x100', '0.50x100');

test.each([
  ['a stop that the spread alone meets', { stop: { loss: 40_000n } }, {}, 'exit_met'],
  ['a stop beyond the spread', { stop: { loss: 40_001n } }, {}, null],
  ['a stop that the spread and two fees meet', { stop: { loss: 80_000n } }, { fee }, 'exit_met'],
  ['a stop beyond the spread and two fees', { stop: { loss: 90_000n } }, { fee }, null],
  ['a stop at a price that is bid', { stop: { price: price('0.48') } }, {}, 'exit_met'],
  ['a stop below the price that is bid', { stop: { price: price('0.47') } }, {}, null],
  ['a profit to take at a price that is bid', { takeProfit: { price: price('0.48') } }, {}, 'exit_met'],
  ['a profit to take above it', { takeProfit: { price: price('0.49') } }, {}, null],
] as const)('a bet with %s is decided by the book it buys from', (_, exit, terms, code) => {
  expect(decided({ rules: { exit }, market: aGame(terms), book }).code).toBe(code);
});
