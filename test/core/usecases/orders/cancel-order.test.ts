import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { IdempotencyKeyReused, OrderNotCancellable, OrderNotFound } from '../../../../src/core/errors.js';
import type { AccountId, OrderId } from '../../../../src/core/ids.js';
import type { Order } from '../../../../src/core/order/order.js';
import { ALICE, anExecution, BOB, newOrderId, shares, usdc } from '../../../support/builders.js';
import {
  accepts,
  breaks,
  delays,
  isUnsure,
  rejects,
  rests,
  ScriptedSimulator,
} from '../../../support/scripted-exchange.js';
import { trading } from '../../../support/trading.js';

function fixture(place = rests()) {
  const paper = new ScriptedSimulator({ place });
  const trader = trading(new MemoryLedger(), { paper });
  const cancel = (orderId: OrderId, idempotencyKey: string | null = null, account: AccountId = ALICE) =>
    trader.cancelOrder.execute({ account, orderId, idempotencyKey });
  const types = async (order: Order) => (await trader.history(order)).map(({ change }) => change.type);
  return { paper, trader, cancel, types };
}

describe('Cancelling an order', () => {
  it('asks the venue, and gives back what did not fill', async () => {
    const { trader, cancel, types } = fixture(accepts([anExecution({ shares: shares('5') })], 'open'));
    const order = await trader.place();
    const { record } = await cancel(order.id);
    expect(record).toMatchObject({ state: 'cancelled', filled: { shares: shares('5') } });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('997.5'), reserved: 0n });
    expect((await types(order)).slice(-2)).toEqual(['cancel_requested', 'cancelled']);
  });

  it('books fills of the resting order before it releases the rest', async () => {
    const { trader, paper, cancel, types } = fixture();
    const order = await trader.place();
    paper.script.find = accepts([anExecution({ shares: shares('5') })], 'cancelled');
    const { record } = await cancel(order.id);
    expect(record).toMatchObject({ state: 'cancelled', filled: { shares: shares('5') } });
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('997.5'), reserved: 0n });
    expect((await types(order)).slice(-3)).toEqual(['cancel_requested', 'fill', 'cancelled']);
  });

  it('finds an order that filled whole in the meantime filled, not cancelled', async () => {
    const { trader, paper, cancel } = fixture();
    const order = await trader.place();
    paper.script.find = accepts([anExecution({ shares: order.intent.shares })], 'none');
    expect((await cancel(order.id)).record).toMatchObject({ state: 'filled', filled: { shares: order.intent.shares } });
  });

  it('records the request before the venue is asked', async () => {
    const { trader, paper, cancel } = fixture();
    const order = await trader.place();
    let seen: unknown;
    paper.script.cancel = async () => {
      seen = (await trader.orders.one(ALICE, order.id)).state;
      return { kind: 'cancelled' };
    };
    await cancel(order.id);
    expect(seen).toBe('cancel_pending');
  });

  it('leaves the order open when the venue refuses', async () => {
    const { trader, paper, cancel, types } = fixture();
    paper.script.cancel = () => ({ kind: 'refused', reason: 'too late' });
    const order = await trader.place();
    expect((await cancel(order.id)).record.state).toBe('open');
    expect((await types(order)).slice(-2)).toEqual(['cancel_requested', 'cancel_refused']);
    expect((await trader.money(order)).balance?.reserved).toBe(usdc('10'));
  });

  it.each([
    ['breaks off', breaks()],
    ['is unsure', isUnsure()],
  ])('keeps the money while the venue %s, and can be repeated', async (_, silence) => {
    const { trader, paper, cancel, types } = fixture();
    paper.script.cancel = silence;
    const order = await trader.place();
    expect((await cancel(order.id)).record.state).toBe('cancel_pending');
    expect((await trader.money(order)).balance?.reserved).toBe(usdc('10'));
    paper.script.cancel = () => ({ kind: 'cancelled' });
    expect((await cancel(order.id)).record.state).toBe('cancelled');
    expect(paper.count('cancel')).toBe(2);
    expect((await types(order)).filter((type) => type === 'cancel_requested')).toHaveLength(1);
  });

  it('already cancelled returns it without asking the venue', async () => {
    const { trader, paper, cancel } = fixture();
    const { id } = await trader.place();
    const { record } = await cancel(id);
    expect(await cancel(id)).toEqual({ record, replayed: false });
    expect(paper.count('cancel')).toBe(1);
  });

  it.each([
    ['filled', accepts([anExecution()], 'none')],
    ['rejected', rejects('no')],
    ['unknown', isUnsure()],
    ['delayed', delays()],
  ] as const)('of one that is %s is refused in true words', async (state, place) => {
    const paper = new ScriptedSimulator({ place });
    const trader = trading(new MemoryLedger(), { paper });
    const { id } = await trader.place();
    const refused = trader.cancelOrder.execute({ account: ALICE, orderId: id, idempotencyKey: null });
    await expect(refused).rejects.toThrow(new OrderNotCancellable(state));
    await expect(refused).rejects.toThrow(`An order that is ${state} cannot be cancelled.`);
    expect(paper.count('cancel')).toBe(0);
  });

  it('of one that is absent or of another account finds nothing', async () => {
    const { trader, paper, cancel } = fixture();
    const { id } = await trader.place();
    await expect(cancel(newOrderId())).rejects.toThrow(OrderNotFound);
    await expect(cancel(id, null, BOB)).rejects.toThrow(OrderNotFound);
    expect(paper.count('cancel')).toBe(0);
  });

  it('with the same key is a replay, even of a cancelled order', async () => {
    const { trader, cancel } = fixture();
    const { id } = await trader.place();
    const first = await cancel(id, 'k');
    expect(first.replayed).toBe(false);
    expect(await cancel(id, 'k')).toEqual({ record: first.record, replayed: true });
    expect((await cancel(id, 'l')).replayed).toBe(false);
    expect((await cancel(id, 'l')).replayed).toBe(true);
  });

  it('with the key of another cancel is refused, and cancels nothing', async () => {
    const { trader, cancel } = fixture();
    const [one, other] = [await trader.place(), await trader.place()];
    await cancel(one.id);
    await cancel(one.id, 'k');
    await expect(cancel(other.id, 'k')).rejects.toThrow(IdempotencyKeyReused);
    expect((await trader.orders.one(ALICE, other.id)).state).toBe('open');
  });
});
