import { describe, expect, it } from 'vitest';
import { ALICE, LIVE_CASH, price, shares, usdc } from '../../../../support/builders.js';
import { breaks, isUnsure, namedOrder } from '../../../../support/scripted-exchange.js';
import { fixture, SINCE, shown, ten } from './reconcile-fixture.js';

describe('Comparing the venue with the record', () => {
  it('finds that an unknown order arrived, and a second sweep changes nothing', async () => {
    const it = await fixture();
    it.live.script.place = breaks();
    const order = await it.place();
    it.live.report = shown([ten]);
    expect(await it.reconcile.execute(SINCE)).toMatchObject({ complete: true, changed: 1, contradictions: [] });
    expect(await it.now(order)).toMatchObject({ state: 'open', filled: { shares: shares('10'), confirmed: 0n } });
    expect(await it.reconcile.execute(SINCE)).toMatchObject({ changed: 0 });
    expect(await it.types(order)).toEqual(['requested', 'submitting', 'unknown', 'accepted', 'fill']);
    expect(await it.findings()).toEqual([]);
  });

  it('confirms fills, once, however often the venue says so', async () => {
    const it = await fixture();
    const order = await it.place();
    it.live.report = shown([ten]);
    await it.reconcile.execute(SINCE);
    it.live.report = shown([{ ...ten, confirmed: true }]);
    await Promise.all([it.reconcile.execute(SINCE), it.reconcile.execute(SINCE)]);
    it.live.report = shown([ten]);
    await it.reconcile.execute(SINCE);
    expect(await it.types(order)).toEqual(['requested', 'submitting', 'accepted', 'fill', 'fill_confirmed']);
  });

  it('restores cash, position and profit exactly when a trade failed', async () => {
    const it = await fixture();
    const order = await it.place({ timeInForce: 'FAK' });
    it.live.report = shown([{ ...ten, shares: shares('20'), fee: usdc('0.5') }], 'none');
    await it.reconcile.execute(SINCE);
    expect(await it.now(order)).toMatchObject({ state: 'filled' });
    expect(await it.cash()).toMatchObject({ cash: usdc('989.5'), reserved: 0n });
    it.live.report = shown([], 'cancelled', ['t1']);
    await it.reconcile.execute(SINCE);
    expect(await it.now(order)).toMatchObject({ state: 'failed', refusal: { code: 'fill_failed' } });
    expect(await it.cash()).toMatchObject({ cash: usdc('1000'), reserved: 0n });
    const positions = await it.ledger.listPositions(ALICE, { paper: false, strategyId: null }, { limit: 9 });
    expect(positions).toMatchObject([{ shares: 0n, cost: 0n, fees: 0n, realised: 0n }]);
    expect((await it.types(order)).at(-1)).toBe('fill_voided');
    expect(await it.findings()).toEqual([]);
  });

  it('ends orders the venue ended, and keeps those it does not show', async () => {
    const it = await fixture();
    const [gone, kept] = [await it.place(), await it.place()];
    it.live.report = (order) => (order.id === gone.id ? shown([ten], 'cancelled')(order) : isUnsure()());
    await it.reconcile.execute(SINCE);
    expect(await it.now(gone)).toMatchObject({ state: 'cancelled', filled: { shares: shares('10') } });
    expect(await it.now(kept)).toMatchObject({ state: 'open' });
    expect(await it.cash()).toMatchObject({ cash: usdc('995'), reserved: usdc('10') });
  });

  it('asks about an order until its fills are confirmed, and no longer', async () => {
    const it = await fixture();
    const order = await it.place({ timeInForce: 'FAK' });
    const asked: boolean[] = [];
    const sweep = async (confirmed: boolean) => {
      it.live.report = (one) => {
        asked.push(confirmed);
        return shown([{ ...ten, shares: shares('20'), confirmed }], 'none')(one);
      };
      await it.reconcile.execute(SINCE);
    };
    for (const confirmed of [false, true, true, true]) await sweep(confirmed);
    expect(asked).toEqual([false, true]);
    expect(await it.now(order)).toMatchObject({ state: 'filled', filled: { confirmed: shares('20') } });
  });

  it('takes a fill after cancellation, although nothing is reserved for it', async () => {
    const it = await fixture();
    const order = await it.place();
    await it.trading.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
    await it.place({ size: usdc('1000') });
    expect(await it.cash()).toMatchObject({ cash: usdc('1000'), reserved: usdc('1000') });
    it.live.named = [namedOrder(`${order.venueOrderId}`, false)];
    it.live.report = (one) => (one.id === order.id ? shown([ten], 'cancelled')(one) : isUnsure()());
    await it.reconcile.execute(SINCE);
    expect(await it.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('10') } });
    expect(await it.cash()).toMatchObject({ cash: usdc('995'), reserved: usdc('1000') });
    expect(await it.findings()).toEqual([]);
  });

  it('records a wallet order not placed here once as external', async () => {
    const it = await fixture();
    it.live.named = [namedOrder('0xstranger')];
    const first = await it.reconcile.execute(SINCE);
    expect(first.external).toMatchObject([{ venueOrderId: '0xstranger', venue: LIVE_CASH.venue, resting: true }]);
    expect((await it.reconcile.execute(SINCE)).external).toEqual([]);
    expect(await it.ledger.listExternalOrders({ limit: 9 })).toHaveLength(1);
  });

  it('changes nothing when the answer of the venue is incomplete', async () => {
    const it = await fixture();
    const order = await it.place();
    it.live.named = null;
    it.live.report = shown([ten]);
    expect(await it.reconcile.execute(SINCE)).toMatchObject({ complete: false, changed: 0 });
    expect(await it.now(order)).toMatchObject({ filled: { shares: 0n } });
  });

  it('is incomplete when one order fails, but compares the others', async () => {
    const it = await fixture();
    const [broken, fine] = [await it.place(), await it.place()];
    it.live.report = (order) => (order.id === broken.id ? breaks()() : shown([ten])(order));
    const { complete, failures } = await it.reconcile.execute(SINCE);
    expect([complete, failures.map(({ order }) => order)]).toEqual([false, [broken.id]]);
    expect(await it.now(fine)).toMatchObject({ filled: { shares: shares('10') } });
  });

  it('cancels an order resting at the venue but ended on record', async () => {
    const it = await fixture();
    const order = await it.place();
    await it.trading.book(order, (posting) => posting.record({ type: 'cancelled', reason: 'for once' }));
    it.clock.tick(1);
    it.live.named = [namedOrder(`${order.venueOrderId}`)];
    it.live.report = shown();
    const { contradictions } = await it.reconcile.execute(SINCE);
    expect(contradictions).toEqual([{ orderId: order.id, message: 'it is cancelled, but rests at the venue' }]);
    expect(it.live.count('cancel')).toBe(1);
  });

  it('sees no contradiction when an order trades between its two reads', async () => {
    const it = await fixture();
    const order = await it.place();
    it.clock.tick(1);
    it.live.named = [namedOrder(`${order.venueOrderId}`)];
    it.live.report = shown([{ tradeId: 't1', shares: shares('20') }], 'none');
    expect(await it.reconcile.execute(SINCE)).toMatchObject({ changed: 1, contradictions: [] });
    expect(it.live.count('cancel')).toBe(0);
    expect(await it.now(order)).toMatchObject({ state: 'filled' });
  });

  it('cancels again what was to be cancelled and still rests', async () => {
    const it = await fixture();
    it.live.script.cancel = isUnsure();
    const order = await it.place();
    await it.trading.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
    expect(await it.now(order)).toMatchObject({ state: 'cancel_pending' });
    it.clock.tick(1);
    it.live.script.cancel = () => ({ kind: 'cancelled' });
    it.live.named = [namedOrder(`${order.venueOrderId}`)];
    it.live.report = shown();
    expect(await it.reconcile.execute(SINCE)).toMatchObject({ contradictions: [] });
    expect(await it.now(order)).toMatchObject({ state: 'cancelled' });
  });

  it('takes back a presumed rejection when the order shows up', async () => {
    const it = await fixture();
    it.live.script.place = breaks();
    const order = await it.place();
    const refusal = { code: 'never_arrived', message: 'Gone.' };
    await it.trading.book(order, (posting) => posting.record({ type: 'rejected', refusal, presumed: true }));
    it.live.named = [namedOrder(`${order.venueOrderId}`, false)];
    it.live.report = shown([{ ...ten, shares: shares('20') }], 'none');
    const { contradictions } = await it.reconcile.execute(SINCE);
    expect(contradictions).toEqual([{ orderId: order.id, message: 'it was given up, but the venue shows it' }]);
    expect(await it.now(order)).toMatchObject({ state: 'filled', refusal: null });
    expect(await it.cash()).toMatchObject({ cash: usdc('990') });
  });

  it('never undoes a fill that was confirmed, and calls a person', async () => {
    const it = await fixture();
    const order = await it.place();
    it.live.report = shown([{ ...ten, confirmed: true }]);
    await it.reconcile.execute(SINCE);
    it.live.report = shown([], 'open', ['t1']);
    const { contradictions } = await it.reconcile.execute(SINCE);
    expect(contradictions).toMatchObject([{ orderId: order.id }]);
    expect(await it.now(order)).toMatchObject({ filled: { confirmed: shares('10') } });
  });

  it('leaves an order alone whose fills cannot be, and calls a person', async () => {
    const it = await fixture();
    const order = await it.place();
    it.live.report = shown([{ ...ten, price: price('0.6') }]);
    const { contradictions, complete } = await it.reconcile.execute(SINCE);
    expect(contradictions).toMatchObject([{ orderId: order.id, message: expect.stringContaining('limit') }]);
    expect([complete, await it.types(order)]).toEqual([true, ['requested', 'submitting', 'accepted']]);
  });
});

describe('A contradiction', () => {
  it('is checked until explained, even if the venue drops the order', async () => {
    const it = await fixture();
    const order = await it.place();
    await it.trading.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
    it.live.named = [namedOrder(`${order.venueOrderId}`, false)];
    it.live.report = shown([{ ...ten, price: price('0.6') }], 'cancelled');
    expect((await it.reconcile.execute(SINCE)).contradictions).toHaveLength(1);
    it.live.named = [];
    expect((await it.reconcile.execute(SINCE)).contradictions).toHaveLength(1);
    it.live.report = shown([ten], 'cancelled');
    expect(await it.reconcile.execute(SINCE)).toMatchObject({ changed: 1, contradictions: [] });
    expect(await it.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('10') } });
  });

  it('does not keep an order from being cancelled', async () => {
    const it = await fixture();
    const order = await it.place();
    it.live.script.find = shown([{ ...ten, price: price('0.6') }]);
    const ask = { account: ALICE, orderId: order.id, idempotencyKey: null };
    const { record } = await it.trading.cancelOrder.execute(ask);
    expect(record).toMatchObject({ state: 'cancelled', filled: { shares: 0n } });
    expect(await it.cash()).toMatchObject({ reserved: 0n });
  });
});

describe('A message of the venue', () => {
  it('may precede the answer to the placement without double booking', async () => {
    const it = await fixture();
    it.live.script.place = async (order) => {
      it.live.report = shown([ten]);
      await it.reconcile.take(it.live.message([namedOrder(`${order.venueOrderId}`, false)]));
      return shown([ten])(order);
    };
    const order = await it.place();
    expect(order).toMatchObject({ state: 'open', filled: { shares: shares('10') } });
    expect(await it.types(order)).toEqual(['requested', 'submitting', 'accepted', 'fill']);
  });

  it('names an order that was not placed here', async () => {
    const it = await fixture();
    const { external } = await it.reconcile.take(it.live.message([namedOrder('0xstranger')]));
    expect(external).toHaveLength(1);
  });
});
