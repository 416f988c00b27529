import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOfEnvironment } from '../../../src/adapters/kalshi/execution/envelope.js';
import type { Order } from '../../../src/core/order/order.js';
import { price, shares, usdc } from '../../support/builders.js';
import { after, atKalshi, TICKER } from './exchange-fixture.js';

let at: Awaited<ReturnType<typeof atKalshi>>;
beforeEach(async () => {
  at = await atKalshi();
});
afterEach(() => at.close());

interface Changes {
  readonly price?: string;
  readonly size?: string;
  readonly timeInForce?: 'FOK';
  readonly postOnly?: boolean;
}

/** An order whose answer was lost, looked at for two minutes and more. */
async function looked(order: Order, times = 6) {
  const lost = after(
    order,
    { type: 'unknown', refusal: { code: 'outcome_unknown', message: 'Not known.' } },
    at.clock.now(),
  );
  at.time.now += 140_000;
  let report = await at.exchange.find(lost);
  for (let n = 1; n < times; n++) {
    at.time.now += 60_000;
    report = await at.exchange.find(lost);
  }
  return report;
}

describe('an order at Kalshi', () => {
  test('that meets the book is filled at its prices, for the fees told', async () => {
    const order = await at.order();
    const answer = await at.place(order);
    expect(answer).toMatchObject({
      kind: 'accepted',
      venueOrderId: order.venueOrderId,
      venueReference: at.account.orders[0]?.orderId,
      rest: 'none',
      executions: [
        { shares: shares('20'), price: price('0.52'), fee: usdc('0.3495'), liquidity: 'TAKER', confirmed: true },
      ],
    });
  });

  test('for the second outcome is the other side of the book, and its fills have its own price', async () => {
    const answer = await at.place(await at.order({ outcome: 'NO', price: price('0.53'), size: usdc('1.59') }));
    expect(at.account.orders).toMatchObject([{ side: 'ask', price: 4700n }]);
    expect(answer).toMatchObject({ rest: 'none', executions: [{ shares: shares('3'), price: price('0.53') }] });
    expect(at.account.positions.get(TICKER)).toBe(-300n);
  });

  test('that rests is open, is filled as others come, and can be cancelled', async () => {
    const order = await at.order({ price: price('0.50'), size: usdc('10') });
    const answer = await at.place(order);
    expect(answer).toMatchObject({ kind: 'accepted', rest: 'open', executions: [] });
    at.account.take(order.venueOrderId ?? '', '5.00');
    expect(await at.exchange.find(order)).toMatchObject({
      rest: 'open',
      executions: [{ shares: shares('5'), liquidity: 'MAKER' }],
    });
    expect(await at.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'cancelled', executions: [{ shares: shares('5') }] });
  });

  test('that fills what it can at once drops the rest', async () => {
    const answer = await at.place(
      await at.order({ side: 'SELL', timeInForce: 'FAK', price: price('0.47'), size: usdc('4.70') }),
    );
    expect(answer).toMatchObject({ kind: 'accepted', rest: 'cancelled', executions: [] });
    expect(at.account.positions.get(TICKER) ?? 0n).toBe(0n);
  });

  test.each([
    ['that cannot be filled whole at once', 'fok_not_filled', { timeInForce: 'FOK', size: '52' }],
    ['beyond the cash', 'insufficient_funds', { price: '0.99', size: '198' }],
    ['that is post-only and would cross', 'post_only_would_cross', { postOnly: true }],
  ] as const)('%s is refused as %s', async (_, code, { price: limit, size, ...others }: Changes) => {
    const changes = { ...others, ...(limit && { price: price(limit) }), ...(size && { size: usdc(size) }) };
    expect(await at.place(await at.order(changes))).toMatchObject({ kind: 'rejected', refusal: { code } });
  });
});

describe('what cannot be sent', () => {
  test.each([
    ['beyond the cap of an order', { price: price('0.52'), size: usdc('520') }, 'LIVE_MAX_ORDER_USDC'],
    ['off the grid', { price: price('0.525') }, 'grid'],
    ['post-only that fills at once', { postOnly: true, timeInForce: 'FAK' }, 'post-only'],
  ] as const)('is refused before: %s', async (_, changes, said) => {
    await expect(at.order(changes)).rejects.toThrow(said);
    expect(at.account.orders).toEqual([]);
  });
});

describe('an order whose answer is lost', () => {
  test('is sent again under its identity, and taken once', async () => {
    at.venue.vanish.push('answer');
    const order = await at.order();
    expect(await at.place(order)).toMatchObject({
      kind: 'accepted',
      rest: 'none',
      executions: [{ shares: shares('20') }],
    });
    expect(at.account.orders).toHaveLength(1);
    expect(at.waits).toHaveLength(1);
  });

  test('that never arrived is taken by the next copy', async () => {
    at.venue.vanish.push('request');
    expect(await at.place(await at.order())).toMatchObject({ kind: 'accepted', rest: 'none' });
    expect(at.account.orders).toHaveLength(1);
  });

  test('is unknown after its time, though a later copy was refused', async () => {
    at.venue.vanish.push('request');
    const order = await at.order();
    at.account.cash = 0n;
    expect(await at.place(order)).toMatchObject({ kind: 'unknown' });
  });

  test('is never sent after its time', async () => {
    const order = await at.order();
    at.time.now += 16_000;
    expect(await at.place(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    expect(at.account.orders).toEqual([]);
  });

  test('counts as never arrived once nothing of it can arrive, and reads are current', async () => {
    const order = await at.order();
    at.venue.vanish.push('request');
    await at.exchange.place(
      order,
      () => at.venue.vanish.length > 0,
      async () => true,
    );
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(await looked(order)).toEqual({ kind: 'absent' });
  });

  test('stays unknown while reads are older than its last copy', async () => {
    const order = await at.order();
    at.account.lagMs = 24 * 60 * 60 * 1000;
    expect(await looked(order)).toMatchObject({ kind: 'unknown' });
  });

  test('that was killed and is not shown was not filled', async () => {
    const order = await at.order({ timeInForce: 'FOK', size: usdc('52') });
    at.venue.vanish.push('answer');
    expect(await at.place(order)).toMatchObject({ kind: 'unknown' });
    expect(await looked(order)).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'fok_not_filled' },
      presumed: true,
    });
  });
});

describe('an order that cannot be placed now', () => {
  test('is sent again while trading is paused', async () => {
    at.account.isPaused = true;
    const order = await at.order();
    const placing = at.exchange.place(
      order,
      () => {
        if (at.waits.length === 2) at.account.isPaused = false;
        return true;
      },
      async () => true,
    );
    expect(await placing).toMatchObject({ kind: 'accepted' });
    expect(at.waits).toHaveLength(2);
  });

  test('is refused when the pause outlasts it', async () => {
    at.account.isPaused = true;
    expect(await at.place(await at.order())).toMatchObject({ kind: 'rejected', refusal: { code: 'trading_disabled' } });
  });

  test('is sent once more by the time of the venue, when our clock is off', async () => {
    await at.client.venueClock.measure();
    at.venue.skewMs = 60_000;
    expect(await at.place(await at.order())).toMatchObject({ kind: 'accepted' });
  });

  test('is read and cancelled by the time of the venue, when our clock was set meanwhile', async () => {
    await at.client.venueClock.measure();
    const order = await at.order({ price: price('0.50'), size: usdc('10') });
    await at.place(order);
    at.venue.skewMs = 60_000;
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    at.venue.skewMs = -60_000;
    expect(await at.client.cancel(at.account.orders[0]?.orderId ?? '', TICKER)).toMatchObject({ kind: 'cancelled' });
  });

  test('halts the account where its key is refused', async () => {
    at.venue.key = { ...at.venue.key, id: 'another' };
    expect(await at.place(await at.order())).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'unauthorized' },
      halt: { code: 'unauthorized' },
    });
  });
});

describe('a cancellation at Kalshi', () => {
  test('of an order that was executed meanwhile is refused', async () => {
    const order = await at.order({ price: price('0.50'), size: usdc('10') });
    await at.place(order);
    at.account.take(order.venueOrderId ?? '', '20.00');
    expect(await at.exchange.cancel(order)).toMatchObject({ kind: 'refused' });
  });

  test('of an order that is not shown proves nothing', async () => {
    expect(await at.exchange.cancel(await at.order())).toMatchObject({ kind: 'unknown' });
  });
});

describe('the account at Kalshi', () => {
  test('is shown whole: resting orders, ended ones, and those placed elsewhere', async () => {
    const [resting, filled] = [await at.order({ price: price('0.50'), size: usdc('5') }), await at.order()];
    await at.place(resting);
    await at.place(filled);
    at.account.create({
      ...JSON.parse(JSON.parse(filled.intent.envelope?.content ?? '').body),
      client_order_id: 'from-the-web-page',
      price: '0.4000',
    });
    const status = await at.exchange.massStatus(new Date(at.time.now - 60_000));
    if (status.kind !== 'mass_status') throw new Error(status.reason);
    expect(status.named.map(({ venueOrderId, resting: rests }) => [venueOrderId, rests])).toEqual(
      expect.arrayContaining([
        [resting.venueOrderId, true],
        [filled.venueOrderId, false],
        ['from-the-web-page', true],
      ]),
    );
    expect(await status.reportOf(filled)).toMatchObject({ rest: 'none', executions: [{ shares: shares('20') }] });
    expect(await status.reportOf(resting)).toMatchObject({ rest: 'open', executions: [] });
  });

  test('of the other environment has none of its orders', async () => {
    const order = await at.order();
    const production = at.opened('production');
    expect([isOfEnvironment(order, 'demo'), isOfEnvironment(order, 'production')]).toEqual([true, false]);
    expect(
      await production.place(
        order,
        () => true,
        async () => true,
      ),
    ).toMatchObject({
      refusal: { code: 'environment_changed' },
    });
    expect(await production.find(order)).toMatchObject({ kind: 'unknown' });
  });
});
