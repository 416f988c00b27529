import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { Order } from '../../../../src/core/order/order.js';
import type { PlaceResult } from '../../../../src/ports/exchange.js';
import { ALICE, anExecution, price, shares, usdc } from '../../../support/builders.js';
import { accepts, breaks, delays, isUnsure, ScriptedExchange } from '../../../support/scripted-exchange.js';
import { trading } from '../../../support/trading.js';

function fixtureWith(place: (order: Order) => PlaceResult | Promise<PlaceResult>) {
  const paper = new ScriptedExchange({ place });
  return { paper, trader: trading(new MemoryLedger(), { paper }) };
}

describe('An order on its way to a venue over a wire', () => {
  it('is on record as being submitted before the venue is asked', async () => {
    const seen: unknown[] = [];
    const { trader } = fixtureWith(async ({ id }) => {
      seen.push((await trader.ledger.findOrder(ALICE, id))?.state);
      return delays()(await trader.orders.one(ALICE, id));
    });
    expect((await trader.place()).state).toBe('delayed');
    expect(seen).toEqual(['submitting']);
  });

  it.each([
    ['throws', breaks(), 'none did not answer'],
    ['is unsure', isUnsure('The connection broke after the request was sent.'), 'The connection broke'],
  ])('is unknown, with its money still reserved, when the venue %s', async (_, place, words) => {
    const { trader, paper } = fixtureWith(place);
    const order = await trader.place();
    expect(order).toMatchObject({ state: 'unknown', refusal: { code: 'outcome_unknown' } });
    expect(order.refusal?.message).toContain(words);
    expect((await trader.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: usdc('10') });
    expect(paper.count('place')).toBe(1);
  });

  it('that is unknown is never sent again', async () => {
    const { trader, paper } = fixtureWith(breaks());
    const order = await trader.place();
    await trader.submitOrder.execute(order);
    await trader.recoverOrders.execute();
    expect(paper.count('place')).toBe(1);
    expect((await trader.orders.one(ALICE, order.id)).state).toBe('unknown');
  });

  it('keeps its first answer when a second answer differs', async () => {
    const { trader, paper } = fixtureWith(isUnsure());
    const order = await trader.place();
    await trader.book(order, (posting) => posting.record({ type: 'accepted', venueOrderId: 'v', delayed: false }));
    paper.script.find = () => ({ kind: 'absent' });
    await trader.recoverOrders.execute();
    expect((await trader.orders.one(ALICE, order.id)).state).toBe('open');
  });

  it.each([
    ['costs more than the limit', anExecution({ price: price('0.51') })],
    ['has more shares than the size pays for', anExecution({ shares: shares('20.01') })],
    ['has no shares', anExecution({ shares: shares('0') })],
  ])('is unknown with its money reserved after a venue trade that %s', async (_, execution) => {
    const { trader } = fixtureWith(accepts([execution], 'none'));
    const order = await trader.place();
    expect(order).toMatchObject({ state: 'unknown', fills: [], refusal: { code: 'outcome_unknown' } });
    expect(order.refusal?.message).toContain('cannot be booked');
    expect(await trader.money(order)).toMatchObject({
      balance: { cash: usdc('1000'), reserved: usdc('10') },
      position: { shares: 0n },
    });
  });

  it('counts a trade once that the venue reports twice', async () => {
    const execution = anExecution({ shares: shares('5') });
    const { trader } = fixtureWith(accepts([execution, execution], 'open'));
    expect((await trader.place()).filled.shares).toBe(shares('5'));
  });
});

describe('An order of a venue in this process', () => {
  it('is recorded together with its answer and is never in flight', async () => {
    const trader = trading(new MemoryLedger());
    const order = await trader.place();
    expect((await trader.history(order)).map(({ change }) => change.type)).toEqual(['requested', 'accepted', 'fill']);
    expect(await trader.ledger.listInFlight({ limit: 5 })).toEqual([]);
  });

  it('is answered the same when it is submitted again', async () => {
    const trader = trading(new MemoryLedger());
    const order = await trader.place();
    expect(await trader.submitOrder.execute(order)).toEqual(order);
    expect(await trader.history(order)).toHaveLength(3);
  });
});
