import { describe, expect, it } from 'vitest';
import { Queue } from '../../../src/core/matching/queue.js';
import { WorkingOrder } from '../../../src/core/matching/working-order.js';
import { ALICE, BOB, price, shares } from '../../support/builders.js';
import { anOpenMarket, anOrder, at } from './view.js';

const market = anOpenMarket();

/** The orders that rest, in the order in which they came. */
function queueOf(side: 'BUY' | 'SELL', ...asks: readonly (readonly [id: string, price: string])[]): Queue {
  const queue = new Queue();
  for (const [id, limit] of asks) {
    const working = new WorkingOrder(anOrder({ id, side, price: price(limit), shares: shares('10') }, market, at(0)));
    queue.join(working, null);
    working.ahead = shares('0');
  }
  return queue;
}

const names = (workingOrders: readonly WorkingOrder[]) => workingOrders.map(({ order }) => order.id).join(' ');

describe('Orders at rest', () => {
  it('are sorted by best price, and then by arrival', () => {
    const bids = [
      ['low', '0.4'],
      ['high', '0.6'],
      ['middle', '0.5'],
      ['second', '0.6'],
      ['last', '0.4'],
    ] as const;
    expect(names(queueOf('BUY', ...bids).side('bids'))).toBe('high second middle low last');
    expect(names(queueOf('SELL', ...bids).side('asks'))).toBe('low last middle high second');
  });

  it.each([
    ['BUY', 'SELL', ['0.4', '0.6']],
    ['SELL', 'BUY', ['0.6', '0.4']],
  ] as const)('are reached by a trade (%s) at the best price first', (side, taker, limits) => {
    const [worse, better] = limits;
    const queue = queueOf(side, ['worse', worse], ['better', better]);
    const trade = { taker, price: price(worse), shares: shares('15'), at: 0 };
    const reached = queue.reached(trade, () => true);
    expect(reached.map(({ working, shares: won }) => [working.order.id, won])).toEqual([
      ['better', shares('10')],
      ['worse', shares('5')],
    ]);
  });

  it('are not reached by a trade at a better price than theirs', () => {
    const queue = queueOf('BUY', ['worse', '0.4'], ['better', '0.6']);
    const trade = { taker: 'SELL', price: price('0.5'), shares: shares('50'), at: 0 } as const;
    expect(names(queue.reached(trade, () => true).map(({ working }) => working))).toBe('better');
  });

  it('of other accounts take nothing from a trade: each account trades alone', () => {
    const queue = queueOf('BUY', ['first', '0.6']);
    const own = new WorkingOrder(
      anOrder({ id: 'own', account: BOB, side: 'BUY', price: price('0.6'), shares: shares('10') }, market, at(0)),
    );
    queue.join(own, null);
    own.ahead = shares('0');
    const trade = { taker: 'SELL', price: price('0.6'), shares: shares('10'), at: 0 } as const;
    for (const account of [ALICE, BOB]) {
      const reached = queue.reached(trade, ({ order }) => order.account === account);
      expect(reached).toMatchObject([{ working: { order: { account } }, shares: shares('10') }]);
    }
  });
});
