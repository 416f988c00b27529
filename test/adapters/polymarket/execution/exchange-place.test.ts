import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DraftChanges, shares, usdc } from '../../../support/builders.js';
import {
  answers,
  breaksJson,
  hangsUp,
  misnames,
  passes,
  refuses,
  refusesSilently,
  showsPage,
  succeedsWithoutId,
} from '../../../support/fake-venue/faults.js';
import { REFUSALS } from '../../../support/fake-venue/refusals.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { aFixture, booked, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(() => fixture.close());

const later = (seconds: number) => new Date(fixture.time.now + seconds * 1000);

describe('each kind of order', () => {
  test.each<[string, () => DraftChanges]>([
    ['GTC', () => ({ timeInForce: 'GTC' })],
    ['GTD', () => ({ timeInForce: 'GTD', expiresAt: later(600) })],
    ['post-only', () => ({ postOnly: true })],
  ])('%s rests under its precomputed identity and is cancelled by it', async (_name, draft) => {
    const order = await fixture.order(draft());
    expect(await fixture.sends(order)).toEqual({
      kind: 'accepted',
      venueOrderId: order.venueOrderId,
      executions: [],
      failed: [],
      rest: 'open',
    });
    expect(fixture.venue.accepted(order.venueOrderId ?? '')).toBe(true);
    expect(await fixture.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
    expect(await fixture.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
  });

  test('GTD ends at expires_at, and not a minute before', async () => {
    const order = await fixture.order({ timeInForce: 'GTD', expiresAt: later(600) });
    await fixture.sends(order);
    fixture.time.now += 599_000;
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    fixture.time.now += 1000;
    expect(await fixture.clob.openOrders()).toMatchObject({ items: [] });
  });

  test('FOK and FAK take what is there', async () => {
    fixture.venue.offer(YES, 'SELL', '0.5', '30');
    const whole = await fixture.order({ timeInForce: 'FOK' });
    expect(booked(whole, await fixture.sends(whole))).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), notional: usdc('10') },
    });
    const part = await fixture.order({ timeInForce: 'FAK' });
    expect(booked(part, await fixture.sends(part))).toMatchObject({
      state: 'cancelled',
      filled: { shares: shares('10'), notional: usdc('5') },
    });
  });

  test('FOK and FAK without a match, and crossing post-only, are refused', async () => {
    for (const [timeInForce, code] of [['FOK', 'fok_not_filled'] as const, ['FAK', 'fak_no_match'] as const]) {
      const placed = await fixture.sends(await fixture.order({ timeInForce }));
      expect(placed).toMatchObject({ kind: 'rejected', refusal: { code } });
    }
    fixture.venue.offer(YES, 'SELL', '0.5', '30');
    const placed = await fixture.sends(await fixture.order({ postOnly: true }));
    expect(placed).toMatchObject({ kind: 'rejected', refusal: { code: 'post_only_would_cross' } });
  });

  test('a sale gives shares that are held', async () => {
    const order = { side: 'SELL', timeInForce: 'FOK' } as const;
    expect(await fixture.sends(await fixture.order(order))).toMatchObject({ refusal: { code: 'insufficient_funds' } });
    fixture.venue.grant(KNOWN_ADDRESS, YES, '20');
    fixture.venue.offer(YES, 'BUY', '0.52', '30');
    const sale = await fixture.order(order);
    expect(booked(sale, await fixture.sends(sale))).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), notional: usdc('10.4') },
    });
  });

  test('a partly matched resting order keeps its remainder open', async () => {
    fixture.venue.offer(YES, 'SELL', '0.48', '8');
    const order = await fixture.order();
    const placed = await fixture.sends(order);
    expect(placed).toMatchObject({ kind: 'accepted', rest: 'open' });
    expect(booked(order, placed)).toMatchObject({
      state: 'open',
      filled: { shares: shares('8'), notional: usdc('3.84') },
    });
  });

  test('nothing is released until all trades of a match are readable', async () => {
    fixture.venue.offer(YES, 'SELL', '0.5', '5');
    fixture.venue.script('GET /data/trades', answers(200, { data: [], next_cursor: 'LTE=' }));
    const order = await fixture.order({ timeInForce: 'FAK' });
    expect(await fixture.sends(order)).toMatchObject({ kind: 'accepted', executions: [], rest: 'open' });
    expect(booked(order, await fixture.looks(order, 5, 30_000))).toMatchObject({
      state: 'cancelled',
      filled: { shares: shares('5') },
    });
  });

  test('held in a live game it is delayed', async () => {
    fixture.venue.market().delaying = true;
    fixture.venue.offer(YES, 'SELL', '0.5', '30');
    const order = await fixture.order();
    expect(await fixture.sends(order)).toMatchObject({ kind: 'accepted', executions: [], rest: 'delayed' });
    fixture.venue.release(order.venueOrderId ?? '');
    expect(booked(order, await fixture.exchange.find(order))).toMatchObject({ state: 'filled' });
  });
});

describe('an answer', () => {
  test.each([
    ['a refusal', refuses(REFUSALS.notReady()), 'rejected', 'market_not_accepting_orders'],
    ['a refusal with 200', succeedsWithoutId('nope'), 'rejected', 'venue_rejected'],
  ])('%s is proof that there is no order', async (_name, fault, kind, code) => {
    fixture.venue.script('POST /order', fault);
    expect(await fixture.sends(await fixture.order())).toMatchObject({ kind, refusal: { code } });
    expect(fixture.posts()).toBe(1);
    expect(fixture.halts).toEqual([]);
  });

  test.each([
    ['no answer', hangsUp()],
    ['half of an answer', breaksJson()],
    ['a page', showsPage()],
    ['a failure inside', answers(500, { error: 'could not run the execution' }, {}, { acts: true })],
    ['no reason', refusesSilently({ acts: true })],
  ])('%s leaves the outcome unknown, and the order is found by hash', async (_name, fault) => {
    fixture.venue.script('POST /order', fault);
    const order = await fixture.order();
    expect(await fixture.sends(order)).toMatchObject({ kind: 'unknown' });
    expect(await fixture.exchange.find(order)).toEqual({
      kind: 'accepted',
      venueOrderId: order.venueOrderId,
      executions: [],
      failed: [],
      rest: 'open',
    });
    expect(fixture.posts()).toBe(1);
  });

  test('with the id of another order stops everything', async () => {
    fixture.venue.script('POST /order', misnames(`0x${'ab'.repeat(32)}`));
    expect(await fixture.sends(await fixture.order())).toMatchObject({ kind: 'unknown' });
    expect(fixture.halts).toMatchObject([{ code: 'identity_mismatch' }]);
    const next = await fixture.order();
    expect(await fixture.sends(next)).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'identity_mismatch' },
      halt: { code: 'identity_mismatch' },
    });
    expect(fixture.posts()).toBe(1);
  });

  test('with another order’s id stops the orders waiting to be sent', async () => {
    const [first, second] = [await fixture.order(), await fixture.order()];
    fixture.venue.script('POST /order', refuses(REFUSALS.restarting()), misnames(`0x${'ab'.repeat(32)}`), passes());
    fixture.onWait = async () => {
      expect(await fixture.sends(second)).toMatchObject({ kind: 'unknown' });
    };
    expect(await fixture.sends(first)).toMatchObject({ kind: 'rejected', refusal: { code: 'engine_restarting' } });
    expect(fixture.posts()).toBe(2);
  });

  test('that the account is banned stops everything', async () => {
    fixture.account.banned = true;
    expect(await fixture.sends(await fixture.order())).toMatchObject({ refusal: { code: 'address_banned' } });
    expect(fixture.halts).toMatchObject([{ code: 'address_banned' }]);
  });

  test('that it is a duplicate means to look the order up', async () => {
    const order = await fixture.order();
    await fixture.sends(order);
    expect(await fixture.sends(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    await fixture.exchange.cancel(order);
    expect(await fixture.sends(order)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.posts(order.venueOrderId ?? '')).toEqual({ accepted: 1, duplicate: 2, refused: 0 });
  });

  test('that the clock is off causes one resend of the same bytes', async () => {
    fixture.time.skewMs = -300_000;
    const order = await fixture.order();
    expect(await fixture.sends(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    const bodies = fixture.venue.log.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
    expect(fixture.halts).toEqual([]);
  });

  test('that the key is wrong even so stops everything', async () => {
    fixture.venue.script('POST /order', refuses(REFUSALS.key()), refuses(REFUSALS.key()), passes());
    expect(await fixture.sends(await fixture.order())).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'unauthorized' },
    });
    expect(fixture.posts()).toBe(2);
    expect(fixture.halts).toMatchObject([{ code: 'unauthorized' }]);
  });
});

test('signing again gives the same identity, in another process too', async () => {
  const order = await fixture.order();
  expect(await fixture.restarted().signing.identify(order)).toBe(order.venueOrderId);
});

test('balances are read from the venue', async () => {
  fixture.venue.fund(fixture.credentials.address, '0.25');
  expect(await fixture.clob.balance({ asset: 'collateral' })).toMatchObject({ value: { balance: 100_250_000n } });
  expect(await fixture.clob.balance({ asset: 'token', tokenId: YES })).toMatchObject({ value: { balance: 0n } });
});

test('all orders are cancelled at once', async () => {
  for (let i = 0; i < 3; i++) await fixture.sends(await fixture.order());
  expect(await fixture.clob.openOrders()).toMatchObject({ items: { length: 3 } });
  expect(await fixture.exchange.cancelAll()).toMatchObject({ kind: 'ok', cancelled: { size: 3 } });
  expect(await fixture.clob.openOrders()).toMatchObject({ items: [] });
});
