import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustCash, freeCash, moveCash, openBalance, PAPER_CASH } from '../../../src/core/account/account.js';
import {
  bought,
  costOfSale,
  emptyPosition,
  freeShares,
  paidFor,
  promised,
  settled,
  sold,
  unbought,
  unsold,
} from '../../../src/core/account/position.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { AMOUNT_LIMIT, NO_USDC, type Shares, type Usdc } from '../../../src/core/money.js';
import { ALICE, MARKET, shares, usdc } from '../../support/builders.js';

const empty = emptyPosition({
  account: ALICE,
  paper: true,
  venue: NO_VENUE,
  marketId: MARKET,
  outcome: 'YES',
  strategyId: null,
});
const micro = <T extends bigint>(amount: bigint) => amount as T;

describe('A position', () => {
  it('holds what was bought, for what it cost', () => {
    const position = bought(bought(empty, shares('10'), usdc('5'), usdc('0.2')), shares('5'), usdc('1'), usdc('0.1'));
    expect(position).toMatchObject({ shares: shares('15'), cost: usdc('6'), fees: usdc('0.3'), realised: 0n });
  });

  it('loses cost in proportion to shares, all with the last share', () => {
    const parts = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 12n }));
    const sales = fc.array(fc.bigInt({ min: 0n, max: 10n ** 11n }), { maxLength: 20 });
    fc.assert(
      fc.property(parts, sales, ([count, cost], sizes) => {
        let position = bought(empty, micro<Shares>(count), micro<Usdc>(cost), NO_USDC);
        let gone = 0n;
        for (const size of [...sizes, count]) {
          const sale = micro<Shares>(size < position.shares ? size : position.shares);
          const takes = costOfSale(position, sale);
          if (position.shares > 0n) expect(takes * position.shares >= position.cost * sale).toBe(true);
          position = sold(position, sale, NO_USDC, NO_USDC);
          gone += takes;
          expect(position.cost + gone).toBe(cost);
        }
        expect(position).toMatchObject({ shares: 0n, cost: 0n, realised: -cost });
      }),
    );
  });

  it('realises what a sale brought beyond its cost, before fees', () => {
    const position = bought(empty, shares('10'), usdc('5'), NO_USDC);
    const rest = sold(position, shares('4'), usdc('3'), usdc('0.1'));
    expect(rest).toMatchObject({ shares: shares('6'), cost: usdc('3'), realised: usdc('1'), fees: usdc('0.1') });
    expect(sold(rest, shares('6'), usdc('1'), NO_USDC).realised).toBe(-usdc('1'));
  });

  it('is as it was once a purchase or a sale was undone', () => {
    const position = bought(empty, shares('10'), usdc('5'), usdc('0.2'));
    const more = bought(position, shares('3'), usdc('2'), usdc('0.1'));
    expect(unbought(more, shares('3'), usdc('2'), usdc('0.1'))).toEqual(position);
    const rest = sold(position, shares('3'), usdc('2'), usdc('0.1'));
    expect(unsold(rest, shares('3'), { cost: usdc('1.5'), fees: usdc('0.06') }, usdc('2'), usdc('0.1'))).toEqual(
      position,
    );
  });

  it('keeps the fees of its shares, less the part of each sale', () => {
    const position = bought(bought(empty, shares('6'), usdc('3'), usdc('0.1')), shares('4'), usdc('2'), usdc('0.2'));
    const rest = sold(position, shares('5'), usdc('3'), usdc('0.07'));
    expect([rest.fees, paidFor(rest)]).toEqual([usdc('0.37'), usdc('2.65')]);
    const none = sold(rest, shares('5'), usdc('1'), usdc('0.02'));
    expect([none.fees, paidFor(none)]).toEqual([usdc('0.39'), NO_USDC]);
    const again = bought(none, shares('2'), usdc('1'), usdc('0.03'));
    expect(paidFor(again)).toBe(usdc('1.03'));
    expect(paidFor(settled(again, usdc('1'), false))).toBe(NO_USDC);
  });

  it('is paid once by a result reported again, late or changed', () => {
    const position = bought(empty, shares('10'), usdc('4'), NO_USDC);
    const won = settled(position, usdc('1'), true);
    expect(won).toMatchObject({
      shares: 0n,
      cost: 0n,
      settled: shares('10'),
      returned: usdc('10'),
      realised: usdc('6'),
    });
    expect(settled(won, usdc('1'), true)).toEqual(won);
    const late = settled(bought(won, shares('5'), usdc('3'), NO_USDC), usdc('1'), true);
    expect(late).toMatchObject({ settled: shares('15'), returned: usdc('15'), realised: usdc('8') });
    expect(settled(late, usdc('0.5'), true)).toMatchObject({ returned: usdc('7.5'), realised: usdc('0.5') });
    expect(settled(settled(late, usdc('0'), true), usdc('1'), true)).toEqual(late);
  });

  it('reserves its shares for sales, and frees those that come back', () => {
    const position = promised(bought(empty, shares('10'), usdc('5'), NO_USDC), shares('4'));
    expect(freeShares(position)).toBe(shares('6'));
    expect(freeShares(promised(position, -shares('3') as Shares))).toBe(shares('9'));
  });

  it('never holds, nor reserves, less than zero', () => {
    const position = promised(bought(empty, shares('10'), usdc('5'), NO_USDC), shares('4'));
    expect(() => sold(empty, shares('1'), NO_USDC, NO_USDC)).toThrow(InvariantBroken);
    expect(() => unbought(position, shares('10.01'), NO_USDC, NO_USDC)).toThrow(InvariantBroken);
    expect(() => promised(position, -shares('4.01') as Shares)).toThrow(InvariantBroken);
  });

  it('never holds what cannot be stored', () => {
    const most = AMOUNT_LIMIT - 1n;
    expect(bought(empty, micro<Shares>(most), micro<Usdc>(most), NO_USDC)).toMatchObject({ shares: most, cost: most });
    expect(() => bought(empty, micro<Shares>(AMOUNT_LIMIT), usdc('1'), NO_USDC)).toThrow(InvariantBroken);
    expect(() => bought(empty, shares('1'), micro<Usdc>(AMOUNT_LIMIT), NO_USDC)).toThrow(InvariantBroken);
  });
});

describe('A balance', () => {
  const balance = openBalance(ALICE, PAPER_CASH, usdc('100'));

  it('is free as far as it is not reserved', () => {
    expect(freeCash(balance)).toBe(usdc('100'));
    expect(freeCash(moveCash(balance, usdc('0'), usdc('40')))).toBe(usdc('60'));
    expect(freeCash(moveCash(balance, -usdc('10') as Usdc, usdc('40')))).toBe(usdc('50'));
  });

  it('reserves between zero and its cash, and holds only storable amounts', () => {
    expect(moveCash(balance, usdc('0'), usdc('100')).reserved).toBe(usdc('100'));
    expect(() => moveCash(balance, usdc('0'), usdc('100.000001'))).toThrow(InvariantBroken);
    expect(() => moveCash(balance, -usdc('100.000001') as Usdc, usdc('0'))).toThrow(InvariantBroken);
    expect(() => moveCash(balance, usdc('0'), -1n as Usdc)).toThrow(InvariantBroken);
    expect(moveCash(balance, micro<Usdc>(AMOUNT_LIMIT - 1n - balance.cash), usdc('0')).cash).toBe(AMOUNT_LIMIT - 1n);
    expect(() => moveCash(balance, micro<Usdc>(AMOUNT_LIMIT - balance.cash), usdc('0'))).toThrow(InvariantBroken);
  });

  it('falls below its reservations, or zero, only by an amended result', () => {
    const reserving = moveCash(balance, usdc('0'), usdc('90'));
    const short = adjustCash(reserving, -usdc('150') as Usdc);
    expect(short).toMatchObject({ cash: -usdc('50'), reserved: usdc('90') });
    expect(() => moveCash(short, usdc('0'), 1n as Usdc)).toThrow(InvariantBroken);
    expect(moveCash(short, usdc('0'), -usdc('90') as Usdc).reserved).toBe(0n);
    expect(() => adjustCash(balance, -micro<Usdc>(AMOUNT_LIMIT + balance.cash) as Usdc)).toThrow(InvariantBroken);
  });

  it('below its reservations takes only fills that cost no more than reserved', () => {
    const short = adjustCash(moveCash(balance, usdc('0'), usdc('90')), -usdc('150') as Usdc);
    const fill = (cash: string) => moveCash(short, -usdc(cash) as Usdc, -usdc('40') as Usdc);
    expect(fill('40')).toMatchObject({ cash: -usdc('90'), reserved: usdc('50') });
    expect(() => fill('40.000001')).toThrow(InvariantBroken);
  });
});
