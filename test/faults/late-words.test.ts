import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../src/core/order/order.js';
import type { ReconcileOrders } from '../../src/core/usecases/orders/background/reconcile-orders.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { ALICE, price, shares, usdc } from '../support/builders.js';
import { answers, hangsUp } from '../support/fake-venue/faults.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { eventOf } from './user-stream.js';

const OTHER = `0x${'ab'.repeat(20)}` as const;
const NOTHING = answers(200, { data: [], next_cursor: 'LTE=' });
const HALF_A_MINUTE = 30_000;

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

/** What the stream reports about an order's end, in the venue's format. */
function endOf({ venueOrderId }: Order, changes: object = {}) {
  const row = { ...live.venue.snapshot(venueOrderId ?? ''), event_type: 'order', type: 'CANCELLATION', ...changes };
  return eventOf({ ...row, owner: live.credentials.apiKey }, live.credentials);
}

/** The server as it would be with another wallet or key. */
function startedWith(wallet: Parameters<LiveTrader['restarted']>[0]) {
  const exchange = live.restarted(wallet);
  return { exchange, reconcile: live.reconcilerAt(exchange) };
}

async function sweeps(count: number, reconcile: Pick<ReconcileOrders, 'execute'> = live.reconcile): Promise<void> {
  for (let done = 0; done < count; done++) {
    live.time.now += HALF_A_MINUTE;
    await reconcile.execute(live.began);
  }
}

describe('Of a deposit wallet whose open orders REST hides', () => {
  it.each(['a trade', 'the stream telling the end'])('none is given up for %s of another one', async (what) => {
    const { exchange, reconcile } = startedWith({ signatureType: 3, funder: KNOWN_ADDRESS });
    const resting = await live.place({ price: price('0.4') });
    const other = await live.place({ price: price('0.3') });
    live.venue.always('GET /data/orders', NOTHING);
    live.venue.always('GET /data/order/', answers(200, null));
    if (what === 'a trade') {
      live.venue.offer(YES, 'SELL', '0.5', '20');
      await live.place({ timeInForce: 'FAK' });
    } else await reconcile.take(exchange.massStatusOf(endOf(other, { status: 'CANCELED' })));
    await sweeps(12, reconcile);
    expect((await live.now(resting)).state).toBe('open');
    expect(live.venue.log.cancels).toEqual([]);
  });
});

describe('With another key of the same wallet', () => {
  it('nothing is concluded from what that key is not shown', async () => {
    const resting = await live.place();
    const { exchange, reconcile } = startedWith({ address: OTHER, funder: KNOWN_ADDRESS, signatureType: 2 });
    expect(exchange.isOwn(resting)).toBe(true);
    live.venue.always('GET /data/orders', NOTHING);
    live.venue.always('GET /data/order/', answers(200, null));
    await sweeps(9, reconcile);
    expect((await live.now(resting)).state).toBe('open');
    expect(live.venue.log.cancels).toEqual([]);
  });
});

describe('A trade', () => {
  it('replacing a failed one covers shares that were already sold', async () => {
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '10');
    await live.sweep();
    live.venue.grant(KNOWN_ADDRESS, YES, '20');
    live.venue.offer(YES, 'BUY', '0.6', '10');
    await live.place({ side: 'SELL', size: usdc('6'), price: price('0.6'), timeInForce: 'FAK' });
    const [purchase = '', sale = ''] = live.venue.trades;
    live.venue.settle(sale, 'CONFIRMED');
    live.venue.settle(purchase, 'FAILED');
    live.venue.fillLate(order.venueOrderId ?? '', '10');
    expect(await live.sweep()).toMatchObject({ contradictions: [] });
    expect(await live.wrong()).toEqual([]);
  });

  it('counts although the stream said before that the order found nothing', async () => {
    live.venue.offer(YES, 'SELL', '0.5', '5');
    live.venue.script('POST /order', hangsUp());
    const order = await live.place({ timeInForce: 'FAK' });
    const killed = endOf(order, { status: 'CANCELED', size_matched: '0', associate_trades: null });
    await live.reconcile.take(live.exchange.massStatusOf(killed));
    expect(await live.now(order)).toMatchObject({ state: 'rejected', refusal: { code: 'fak_no_match' } });
    await sweeps(6);
    expect(await live.now(order)).toMatchObject({ filled: { shares: shares('5') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('97.5'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('that failed stays undone on late reports; a confirmation halts the account', async () => {
    await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    const matched = live.venue.user.sent.find((message) => message['event_type'] === 'trade') ?? {};
    await live.sweep();
    live.venue.settleAll('FAILED');
    await live.sweep();
    const hear = (status: string) =>
      live.reconcile.take(live.exchange.massStatusOf(eventOf({ ...matched, status }, live.credentials)));
    for (const status of ['MATCHED', 'MINED', 'RETRYING']) {
      expect(await hear(status)).toMatchObject({ changed: 0, contradictions: [] });
    }
    expect(await live.operator.show(ALICE)).toMatchObject({ halt: null });
    expect(await live.balance()).toMatchObject({ cash: usdc('100') });
    expect(await hear('CONFIRMED')).toMatchObject({
      contradictions: [{ message: expect.stringContaining('confirmed') }],
    });
    expect(await live.operator.show(ALICE)).toMatchObject({ halt: { code: 'contradiction' } });
  });

  it('that is unreadable is booked once readable, however late', async () => {
    const order = await live.place();
    await live.cancel(order);
    live.venue.fillLate(order.venueOrderId ?? '', '5');
    const odd = { data: [{ id: 't', nonsense: order.venueOrderId }], next_cursor: 'LTE=' };
    const heal = live.venue.always('GET /data/trades', answers(200, odd));
    const found = await live.sweep();
    expect(found).toMatchObject({ complete: true, unread: expect.stringContaining('cannot be read') });
    heal();
    expect(await live.sweep()).toMatchObject({ complete: true, unread: null, changed: 1 });
    expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('5') } });
  });

  it('of another trader that is unreadable blocks no order from ending', async () => {
    live.venue.script('POST /order', hangsUp());
    const lost = await live.place({ timeInForce: 'FAK', price: price('0.4') });
    const odd = { data: [{ id: 't', odd: `0x${'cd'.repeat(32)}` }], next_cursor: 'LTE=' };
    live.venue.always('GET /data/trades', answers(200, odd));
    live.venue.always('GET /data/order/', answers(200, null));
    await live.lookAfter(40);
    expect((await live.now(lost)).state).not.toBe('unknown');
  });
});

describe('A FAK or FOK that found nothing', () => {
  it.each([
    ['FAK', 'as it does', {}],
    ['FOK', 'as it does', {}],
    ['FAK', 'in plain words, without a size', { status: 'CANCELED', size_matched: '' }],
    ['FOK', 'as matched, without a trade', { status: 'MATCHED', size_matched: '' }],
  ] as const)(
    '(%s) stays rejected when the stream reports it after the answer, %s',
    async (timeInForce, _how, told) => {
      live.venue.reads.remembersEnded = true;
      const order = await live.place({ timeInForce });
      const { refusal } = order;
      const killed = live.venue.user.sent.find(({ type }) => type === 'CANCELLATION') ?? {};
      const found = await live.reconcile.take(
        live.exchange.massStatusOf(eventOf({ ...killed, ...told }, live.credentials)),
      );
      expect(found).toMatchObject({ changed: 0, contradictions: [] });
      expect(await live.now(order)).toMatchObject({ state: 'rejected', refusal });
    },
  );
});

describe('A halt', () => {
  it('stops the copy that would follow once the clock is put right', async () => {
    live.venue.script('POST /order', async (call) => {
      await call.body();
      await live.operator.halt(ALICE, 'Stop everything.');
      await answers(401, { error: 'Unauthorized/Invalid api key' })(call);
    });
    expect(await live.place()).toMatchObject({ state: 'rejected' });
    expect(live.posts()).toBe(1);
  });
});
