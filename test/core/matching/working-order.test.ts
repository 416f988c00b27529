import { describe, expect, it } from 'vitest';
import { fakKilled, fokKilled, WorkingOrder } from '../../../src/core/matching/working-order.js';
import { NO_USDC } from '../../../src/core/money.js';
import type { Order } from '../../../src/core/order/order.js';
import { fillOf, NO_BASIS, sumFills } from '../../../src/core/order/order.js';
import { anExecution, price, shares } from '../../support/builders.js';
import { anOpenMarket, anOrder, at } from './view.js';

const ask = { id: 'a', side: 'BUY', price: price('0.5'), shares: shares('20') } as const;
const fresh = (): Order => anOrder(ask, anOpenMarket(), at(0));

/** The order with these fills on record. */
function withFills(...tradeIds: readonly string[]): Order {
  const fills = tradeIds.map((tradeId) => fillOf(anExecution({ tradeId, shares: shares('2') }), NO_USDC, NO_BASIS));
  return { ...fresh(), fills, filled: sumFills(fills) };
}

const fillOnce = (working: WorkingOrder) => working.fill(shares('1'), price('0.5'), 'MAKER', 'queue_traded').tradeId;

describe('A trade of the simulated venue', () => {
  it('has an id of its own within its order', () => {
    const working = new WorkingOrder(fresh());
    expect([fillOnce(working), fillOnce(working), fillOnce(working)]).toEqual(['paper-a-1', 'paper-a-2', 'paper-a-3']);
  });

  it('never has the id of a trade already on record', () => {
    const working = new WorkingOrder(withFills('paper-a-1', 'paper-a-2'));
    expect([fillOnce(working), fillOnce(working)]).toEqual(['paper-a-3', 'paper-a-4']);
  });

  it('takes from what the record leaves open after a restart', () => {
    const working = new WorkingOrder(withFills('paper-a-1'));
    fillOnce(working);
    expect(working.remaining).toBe(shares('17'));
  });
});

describe('An order that is killed says', () => {
  it('how many of its shares were there', () => {
    expect(fokKilled(new WorkingOrder(fresh()), shares('12.5')).message).toMatch(
      /12\.5 of 20 shares were there at 0\.5 or better\.$/,
    );
  });

  it.each([
    [price('0.52'), 'The best price was 0.52, the limit 0.5.'],
    [price('0.5'), 'At 0.5 the account had taken before all that is displayed.'],
    [null, 'That side of the book was empty.'],
  ])('the best price, and its limit: %s', (best, words) => {
    expect(fakKilled(new WorkingOrder(fresh()), best).message).toContain(words);
  });
});
