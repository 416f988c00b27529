import { describe, expect, it } from 'vitest';
import { balanced, line } from '../../../src/core/account/account.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import { NO_USDC, type Usdc } from '../../../src/core/money.js';
import { ALICE, NOON, usdc } from '../../support/builders.js';

const entry = {
  id: 'entry',
  account: ALICE,
  paper: true,
  at: new Date(NOON),
  venue: null,
  cause: 'deposit',
  orderId: null,
} as const;
const PAID_IN = line('cash', usdc('10'));
const LESS = (less: bigint) => line('capital', (less - usdc('10')) as Usdc);

describe('An entry of the journal', () => {
  it.each([-1n, 1n])('is refused when debits and credits differ by %s micro-dollar', (difference) => {
    expect(() => balanced({ ...entry, lines: [PAID_IN, LESS(difference)] })).toThrow(InvariantBroken);
  });

  it('is refused with one line alone', () => {
    expect(() => balanced({ ...entry, lines: [PAID_IN] })).toThrow(InvariantBroken);
  });

  it('keeps the lines that move something, and no others', () => {
    const lines = [PAID_IN, line('fees', NO_USDC), LESS(0n)];
    expect(balanced({ ...entry, lines }).lines).toEqual([PAID_IN, LESS(0n)]);
  });
});
