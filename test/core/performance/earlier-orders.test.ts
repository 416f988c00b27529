import { expect, test } from 'vitest';
import type { OrderId } from '../../../src/core/ids.js';
import { partedBet, wholeBet } from '../../../src/core/performance/earlier-orders.js';
import { aBetRow } from '../../support/backtest-runs.js';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `order-${from + n}` as OrderId);
const betOf = (from: number, to: number) => {
  const orderIds = ids(from, to);
  return aBetRow({ id: 'bet', orderIds, orderSeqs: orderIds.map(() => 1) });
};

test('a bet of few orders keeps all of them itself', () => {
  const bet = betOf(0, 499);
  expect(partedBet(bet)).toEqual({ bet, parts: [] });
});

test('a bet keeps its newest orders, and is whole again with the parts', () => {
  const first = partedBet(betOf(0, 800));
  expect(first.bet.orderIds).toEqual(ids(500, 800));
  const more = { orderIds: ids(500, 1100), orderSeqs: ids(500, 1100).map(() => 1) };
  const second = partedBet({ ...first.bet, ...more });
  expect(second.bet).toMatchObject({ earlierOrders: 750, orderIds: ids(750, 1100) });
  const parts = [...first.parts, ...second.parts];
  expect(parts.map(({ place }) => place)).toEqual([0, 250, 500]);
  expect(wholeBet(second.bet, [...parts, { ...parts[0], bet: 'another' } as never].reverse())).toEqual(betOf(0, 1100));
});

test('an order that trades again long after stands once, with its last number', () => {
  const { bet, parts } = partedBet(betOf(0, 600));
  const again = { ...bet, orderIds: [...bet.orderIds, ...ids(3, 4)], orderSeqs: [...bet.orderSeqs, 7] };
  const whole = wholeBet(again, parts);
  expect(whole.orderIds).toEqual(ids(0, 600));
  expect([whole.orderSeqs[3], whole.orderSeqs[4], 'earlierOrders' in whole]).toEqual([7, 1, false]);
});
