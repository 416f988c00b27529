import { describe, expect, test } from 'vitest';
import { Bundle } from '../../../src/core/message/bundle.js';
import type { News } from '../../../src/core/message/interest.js';
import { price, usdc } from '../../support/builders.js';
import { anAlarm, arsenal, becoming, clock, filled, happened, newsOf, shares } from './news-builders.js';

function linesOf(...news: readonly News[]): readonly string[] {
  const bundle = new Bundle();
  for (const one of news) bundle.add(one);
  return bundle.lines(clock);
}

describe('fills', () => {
  test('are described in the words of the person who ordered', () => {
    expect(linesOf(filled(arsenal()))).toEqual([
      'BUY 35.08 Arsenal YES at 0.57 filled: 20.00 USDC, paper, Home favourites v3',
    ]);
  });

  test('of one order are one line with sum, fees and average price', () => {
    const order = arsenal();
    const first = filled(order, { shares: shares('10'), price: price('0.55'), fee: usdc('0.1') });
    const second = filled(order, { shares: shares('25.08'), price: price('0.57'), fee: usdc('0.2') });
    expect(linesOf(first, second)).toEqual([
      'BUY 35.08 Arsenal YES at 0.5643 on average filled: 19.80 USDC and 0.30 USDC of fees in 2 fills, paper, Home favourites v3',
    ]);
  });

  test('of a part of an order say of how much', () => {
    expect(linesOf(filled(arsenal(), { shares: shares('10') }))).toEqual([
      'BUY 10 of 35.08 Arsenal YES at 0.57 filled: 5.70 USDC, paper, Home favourites v3',
    ]);
  });

  test('of several orders are one line each, in order of arrival', () => {
    const [one, other] = [arsenal(), arsenal({ outcome: 'NO', paper: false })];
    const news = [filled(one, { shares: shares('1') }), filled(other), filled(one, { shares: shares('2') })];
    expect(linesOf(...news)).toEqual([
      'BUY 3 of 35.08 Arsenal YES at 0.57 filled: 1.71 USDC in 2 fills, paper, Home favourites v3',
      'BUY 35.08 Arsenal NO at 0.57 filled: 20.00 USDC, real money, Home favourites v3',
    ]);
  });

  test('round what was spent up and what was gained down, in cents', () => {
    const sale = arsenal({ side: 'SELL' });
    expect(linesOf(filled(sale))[0]).toContain('SELL 35.08 Arsenal YES at 0.57 filled: 19.99 USDC');
  });
});

describe('results', () => {
  const settled = (history: ReturnType<typeof arsenal>, returned: string): News => {
    filled(history);
    return becoming(history, { type: 'settled', returned: usdc(returned) });
  };

  test('are reported with the profit after fees', () => {
    expect(linesOf(settled(arsenal(), '35.08'))).toEqual([
      'Arsenal YES won: 35.08 shares for 20.00 USDC paid 35.08 USDC, profit +15.08 USDC, paper, Home favourites v3',
    ]);
    expect(linesOf(settled(arsenal(), '0'))[0]).toContain(
      'Arsenal YES lost: 35.08 shares for 20.00 USDC paid 0.00 USDC, profit -20.00 USDC',
    );
    expect(linesOf(settled(arsenal(), '17.54'))[0]).toContain('Arsenal YES pays 0.5 a share');
  });

  test('of several orders on one outcome are one line', () => {
    expect(linesOf(settled(arsenal(), '35.08'), settled(arsenal(), '35.08'))).toEqual([
      'Arsenal YES won: 70.16 shares for 40.00 USDC paid 70.16 USDC, profit +30.16 USDC, paper, Home favourites v3',
    ]);
  });

  test('count shares sold before at what the sale brought', () => {
    const sale = arsenal({ side: 'SELL', price: price('0.8'), size: usdc('8') });
    filled(sale, { price: price('0.8') });
    expect(linesOf(settled(arsenal(), '0'), becoming(sale, { type: 'settled', returned: usdc('8') }))).toEqual([
      'Arsenal YES lost: of 35.08 shares for 20.00 USDC, 10 were sold for 8.00 USDC and the rest paid 0.00 USDC, ' +
        'profit -12.00 USDC, paper, Home favourites v3',
    ]);
  });

  test('claim no profit for a sale whose purchase is not included', () => {
    const sale = arsenal({ side: 'SELL', price: price('0.8'), size: usdc('8') });
    filled(sale, { price: price('0.8') });
    expect(linesOf(becoming(sale, { type: 'settled', returned: usdc('8') }))[0]).toContain(
      'Arsenal YES has a result: 10 shares were sold before it for 8.00 USDC',
    );
  });

  test('that were changed take the place of the result before', () => {
    const order = arsenal();
    const news = [settled(order, '35.08'), becoming(order, { type: 'amended', returned: usdc('0') })];
    expect(linesOf(...news)).toEqual([
      'The result was changed: Arsenal YES lost: 35.08 shares for 20.00 USDC paid 0.00 USDC, profit -20.00 USDC, paper, Home favourites v3',
    ]);
  });
});

describe('a bundle', () => {
  test('names an alarm that is over once, and that it is over', () => {
    const alarm = { kind: 'alarm', alarm: anAlarm() } as const;
    expect(linesOf(happened('alarm.raised', alarm), happened('alarm.cleared', alarm))).toEqual([
      'Raised, and over again: Market data is silent. No book for a minute.',
    ]);
    expect(
      linesOf(happened('alarm.raised', alarm), happened('alarm.cleared', alarm), happened('alarm.raised', alarm))[0],
    ).toContain('ALARM: Market data is silent. No book for a minute. What to do: Look at');
  });

  test('when full counts the rest, and still sums fills of known orders', () => {
    const bundle = new Bundle();
    const order = arsenal();
    bundle.add(filled(order, { shares: shares('1') }));
    for (let n = 0; n < 400; n += 1) bundle.add(newsOf(arsenal()));
    bundle.add(filled(order, { shares: shares('2') }));
    expect(bundle.lines(clock)).toHaveLength(300);
    expect(bundle.beyond).toBe(101);
    expect(bundle.lines(clock)[0]).toContain('BUY 3 of 35.08');
  });
});
