import { describe, expect, it } from 'vitest';
import { replay } from '../../../../src/core/order/apply.js';
import type { Order } from '../../../../src/core/order/order.js';
import { ALICE, price, usdc } from '../../../support/builders.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

const byId = (orders: readonly Order[]) => orders.map(({ id, intent }) => [id, intent.decisionId]).sort();

describe('An order', () => {
  it('and its history name the strategy decision that placed it', async () => {
    const rules = { ...HOME, exit: { takeProfit: { price: price('0.60') } } };
    const { show, orders, decisions, ledger } = await strategyFixture({ strategy: { rules } });
    await show('0.48x1000', '0.50x1000');
    await show('0.60x1000', '0.62x1000');
    const placed = (await orders()).toReversed();
    expect(placed.map(({ intent }) => intent.side)).toEqual(['BUY', 'SELL']);
    expect(byId(placed)).toEqual((await decisions()).map(({ id, orderId }) => [orderId, id]).sort());
    const histories = await Promise.all(placed.map(({ id }) => ledger.listEvents(ALICE, id, { limit: 100 })));
    expect(byId(histories.map((events) => replay(events)))).toEqual(byId(placed));
  });

  it('of a client names none, although it is placed under a strategy', async () => {
    const { show, place, strategy, orders } = await strategyFixture();
    await show('0.54x1000', '0.56x1000');
    await place({ strategyId: strategy.id, price: price('0.56'), size: usdc('10') });
    expect((await orders()).map(({ intent }) => intent.decisionId)).toEqual([undefined]);
  });
});
