import { describe, expect, it } from 'vitest';
import { CountsReading } from '../../../src/core/audit/counts-audit.js';
import type { Order } from '../../../src/core/order/order.js';
import { ALICE, price, shares, usdc } from '../../support/builders.js';
import { restingFixture } from '../../support/resting-fixture.js';

describe('The exposure of a strategy', () => {
  async function underStrategy() {
    const opened = restingFixture();
    const { id } = await opened.trader.strategy({ bankrollCap: usdc('100'), stakeCap: usdc('100') });
    const committed = async (order: Order) => (await opened.trader.money(order)).exposure?.committed;
    return { ...opened, strategyId: id, committed };
  }

  it('is its reservations plus its cost, and 0 once all is sold', async () => {
    const { trader, done, fill, strategyId, committed } = await underStrategy();
    const order = await trader.place({ strategyId, size: usdc('10') });
    expect(await committed(order)).toBe(usdc('10'));
    await fill(order, { shares: shares('20'), price: price('0.4') });
    expect(await committed(order)).toBe(usdc('8'));
    const half = await done({ strategyId, side: 'SELL', size: usdc('9'), price: price('0.9') });
    expect(await committed(half)).toBe(usdc('4'));
    await done({ strategyId, side: 'SELL', size: usdc('1'), price: price('0.1') });
    expect(await committed(half)).toBe(0n);
  });

  it('comes back with a sale that is undone', async () => {
    const { done, undo, strategyId, committed } = await underStrategy();
    await done({ strategyId, size: usdc('10') });
    const sale = await done({ strategyId, side: 'SELL', size: usdc('10') }, { tradeId: 's' });
    expect(await committed(sale)).toBe(0n);
    await undo(sale, 's');
    expect(await committed(sale)).toBe(usdc('10'));
  });

  it('never rises with a fill in parts, at any price', async () => {
    const { trader, fill, strategyId, committed } = await underStrategy();
    const order = await trader.place({ strategyId, size: usdc('1'), price: price('0.333333') });
    for (let i = 0; i < 6; i++) {
      const before = (await committed(order)) ?? 0n;
      await fill(order, { shares: shares('0.37'), price: price('0.333333') });
      expect(await committed(order)).toBeLessThanOrEqual(before);
    }
  });

  it('falls by its own shares alone when it sells beyond them', async () => {
    const { trader, done, strategyId, committed } = await underStrategy();
    await done({ strategyId: null, size: usdc('10'), price: price('0.2') });
    await done({ strategyId, size: usdc('5'), price: price('0.5') });
    const sale = await done({ strategyId, side: 'SELL', size: usdc('15'), price: price('0.5') });
    expect(await committed(sale)).toBe(0n);
    const { position, strategyPosition } = await trader.money(sale);
    expect(strategyPosition).toMatchObject({ shares: 0n, cost: 0n });
    expect(position).toMatchObject({ shares: shares('30'), cost: usdc('7.5') });
  });

  it('is not touched by orders of no strategy', async () => {
    const { done, strategyId, trader } = await underStrategy();
    const mine = await trader.place({ strategyId, size: usdc('10') });
    await done({ strategyId: null, size: usdc('50') });
    expect((await trader.money(mine)).exposure?.committed).toBe(usdc('10'));
  });
});

describe('The orders of a day of a strategy', () => {
  async function twoOrders() {
    const { trader, done } = restingFixture();
    const { id: strategyId } = await trader.strategy({ bankrollCap: usdc('100'), stakeCap: usdc('100') });
    const purchase = await done({ strategyId, size: usdc('10') });
    const sale = await done({ strategyId, side: 'SELL', size: usdc('5') });
    return { trader, strategyId, purchase, sale };
  }

  it('are its purchases, and say so on record', async () => {
    const { trader, purchase, sale } = await twoOrders();
    expect([purchase.intent.counted, sale.intent.counted]).toMatchObject([{ reset: 0, n: 1, start: null }, undefined]);
    expect([purchase.intent.day, sale.intent.day]).toEqual(['2026-03-01', undefined]);
    expect((await trader.money(sale)).exposure?.counted).toMatchObject({ days: [{ bets: 1 }], numbered: 1 });
  });

  it('are audited by what each names, or else as one purchase', async () => {
    const { trader, strategyId, purchase } = await twoOrders();
    const reading = new CountsReading(trader.ledger, { account: ALICE, paper: true });
    for (const [index, counts] of [undefined, {}, { bets: 1 }].entries()) {
      const counted = { reset: 0, n: index + 1, start: null, counts };
      reading.add({ ...purchase, intent: { ...purchase.intent, counted } });
    }
    const days = [{ day: '2026-03-01', bets: 2, start: null }];
    expect(reading.countedOf(strategyId, 0)).toEqual({ days, last: 3 });
  });
});
