import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { OrderNotFound, StrategyNotFound } from '../../../../src/core/errors.js';
import type { OrderId } from '../../../../src/core/ids.js';
import { ALICE, BOB, newOrderId, newStrategyId, usdc } from '../../../support/builders.js';
import { trading } from '../../../support/trading.js';

describe('A list read in slices', () => {
  it('names where to go on exactly while there is more', async () => {
    const trader = trading(new MemoryLedger());
    const placed: OrderId[] = [];
    for (let i = 0; i < 5; i++) placed.unshift((await trader.place({ size: usdc('1') })).id);
    const page = (limit: number, after?: OrderId) =>
      trader.orders.many(ALICE, {}, { limit, ...(after === undefined ? {} : { after }) });
    const first = await page(2);
    expect([first.items.map(({ id }) => id), first.next]).toEqual([placed.slice(0, 2), placed[1]]);
    const second = await page(3, placed[1]);
    expect([second.items.map(({ id }) => id), second.next]).toEqual([placed.slice(2), null]);
    expect((await page(5)).next).toBeNull();
    expect((await page(4)).next).toBe(placed[3]);
    expect(await page(5, placed[4])).toEqual({ items: [], next: null });
  });

  it('of order events goes on after the last one read', async () => {
    const trader = trading(new MemoryLedger());
    const { id } = await trader.place();
    const first = await trader.orders.events(ALICE, id, { limit: 2 });
    expect([first.items.map(({ seq }) => seq), first.next]).toEqual([[1, 2], 2]);
    expect((await trader.orders.events(ALICE, id, { limit: 2, after: 2 })).items.map(({ seq }) => seq)).toEqual([3]);
    expect(await trader.orders.events(ALICE, id, { limit: 2, after: 3 })).toEqual({ items: [], next: null });
  });
});

describe('What is absent, or of another account', () => {
  it('is not found, in the same words', async () => {
    const trader = trading(new MemoryLedger());
    const { id: orderId } = await trader.place();
    const { id: strategyId } = await trader.strategy();
    const page = { limit: 5 };
    for (const id of [orderId, newOrderId()]) {
      await expect(trader.orders.one(BOB, id)).rejects.toThrow(new OrderNotFound());
      await expect(trader.orders.events(BOB, id, page)).rejects.toThrow(new OrderNotFound());
      await expect(trader.orders.events(BOB, id, { ...page, after: 1 })).rejects.toThrow(new OrderNotFound());
    }
    for (const id of [strategyId, newStrategyId()]) {
      await expect(trader.strategies.one(BOB, id)).rejects.toThrow(new StrategyNotFound());
      await expect(trader.strategies.versions(BOB, id, page)).rejects.toThrow(new StrategyNotFound());
      await expect(trader.strategies.versions(BOB, id, { ...page, after: 1 })).rejects.toThrow(new StrategyNotFound());
    }
  });
});
