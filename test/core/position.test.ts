import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeCash, moveCash, openBalance } from '../../src/core/account/account.js';
import {
  bought,
  costOfSale,
  emptyPosition,
  freeShares,
  promised,
  sold,
  without,
} from '../../src/core/account/position.js';
import { InvariantBroken } from '../../src/core/errors.js';
import { AMOUNT_LIMIT, type Shares, type Usdc } from '../../src/core/money.js';
import { ALICE, MARKET, shares, usdc } from '../support/builders.js';

const empty = emptyPosition({ account: ALICE, paper: true, marketId: MARKET, token: 'YES', strategyId: null });
const micro = <T extends bigint>(amount: bigint) => amount as T;

describe('A position', () => {
  it('holds what was bought, for what it cost', () => {
    const position = bought(bought(empty, shares('10'), usdc('5')), shares('5'), usdc('1'));
    expect(position).toMatchObject({ shares: shares('15'), cost: usdc('6') });
  });

  it('loses cost in proportion to its shares, never more than that, and all of it with the last share', () => {
    const parts = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 12n }));
    const sales = fc.array(fc.bigInt({ min: 0n, max: 10n ** 11n }), { maxLength: 20 });
    fc.assert(
      fc.property(parts, sales, ([count, cost], sizes) => {
        let position = bought(empty, micro<Shares>(count), micro<Usdc>(cost));
        let gone = 0n;
        for (const size of [...sizes, count]) {
          const sale = micro<Shares>(size < position.shares ? size : position.shares);
          const takes = costOfSale(position, sale);
          if (position.shares > 0n) expect(takes * position.shares <= position.cost * sale).toBe(true);
          position = sold(position, sale);
          gone += takes;
          expect(position.cost + gone).toBe(cost);
        }
        expect(position).toMatchObject({ shares: 0n, cost: 0n });
      }),
    );
  });

  it('promises its shares to sales, and frees those that come back', () => {
    const position = promised(bought(empty, shares('10'), usdc('5')), shares('4'));
    expect(freeShares(position)).toBe(shares('6'));
    expect(freeShares(promised(position, -shares('3') as Shares))).toBe(shares('9'));
  });

  it('never holds less than it promised, nor less than nothing', () => {
    const position = promised(bought(empty, shares('10'), usdc('5')), shares('4'));
    expect(() => sold(position, shares('6.01'))).toThrow(InvariantBroken);
    expect(() => sold(empty, shares('1'))).toThrow(InvariantBroken);
    expect(() => without(position, shares('10.01'), usdc('0'))).toThrow(InvariantBroken);
    expect(() => promised(position, shares('6.01'))).toThrow(InvariantBroken);
    expect(() => promised(position, -shares('4.01') as Shares)).toThrow(InvariantBroken);
  });

  it('never holds what cannot be stored', () => {
    const most = AMOUNT_LIMIT - 1n;
    expect(bought(empty, micro<Shares>(most), micro<Usdc>(most))).toMatchObject({ shares: most, cost: most });
    expect(() => bought(empty, micro<Shares>(AMOUNT_LIMIT), usdc('1'))).toThrow(InvariantBroken);
    expect(() => bought(empty, shares('1'), micro<Usdc>(AMOUNT_LIMIT))).toThrow(InvariantBroken);
  });
});

describe('A balance', () => {
  const balance = openBalance(ALICE, true, usdc('100'));

  it('is free as far as it is not reserved', () => {
    expect(freeCash(balance)).toBe(usdc('100'));
    expect(freeCash(moveCash(balance, usdc('0'), usdc('40')))).toBe(usdc('60'));
    expect(freeCash(moveCash(balance, -usdc('10') as Usdc, usdc('40')))).toBe(usdc('50'));
  });

  it('never reserves more than it has, nor less than nothing, and never holds what cannot be stored', () => {
    expect(moveCash(balance, usdc('0'), usdc('100')).reserved).toBe(usdc('100'));
    expect(() => moveCash(balance, usdc('0'), usdc('100.000001'))).toThrow(InvariantBroken);
    expect(() => moveCash(balance, -usdc('100.000001') as Usdc, usdc('0'))).toThrow(InvariantBroken);
    expect(() => moveCash(balance, usdc('0'), -1n as Usdc)).toThrow(InvariantBroken);
    expect(moveCash(balance, micro<Usdc>(AMOUNT_LIMIT - 1n - balance.cash), usdc('0')).cash).toBe(AMOUNT_LIMIT - 1n);
    expect(() => moveCash(balance, micro<Usdc>(AMOUNT_LIMIT - balance.cash), usdc('0'))).toThrow(InvariantBroken);
  });
});
