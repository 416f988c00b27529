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
import { aStage, booked, YES } from './exchange-stage.js';

let stage: Awaited<ReturnType<typeof aStage>>;
beforeEach(async () => {
  stage = await aStage();
});
afterEach(() => stage.close());

const later = (seconds: number) => new Date(stage.time.now + seconds * 1000);

describe('each kind of order', () => {
  test.each<[string, () => DraftChanges]>([
    ['GTC', () => ({ timeInForce: 'GTC' })],
    ['GTD', () => ({ timeInForce: 'GTD', expiresAt: later(600) })],
    ['post-only', () => ({ postOnly: true })],
  ])('%s rests under its precomputed identity and is cancelled by it', async (_name, draft) => {
    const order = await stage.order(draft());
    expect(await stage.sends(order)).toEqual({
      kind: 'accepted',
      venueOrderId: order.venueOrderId,
      executions: [],
      failed: [],
      rest: 'open',
    });
    expect(stage.venue.accepted(order.venueOrderId ?? '')).toBe(true);
    expect(await stage.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
    expect(await stage.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
  });

  test('GTD ends at expires_at, and not a minute before', async () => {
    const order = await stage.order({ timeInForce: 'GTD', expiresAt: later(600) });
    await stage.sends(order);
    stage.time.now += 599_000;
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    stage.time.now += 1000;
    expect(await stage.clob.openOrders()).toMatchObject({ items: [] });
  });

  test('FOK and FAK take what is there', async () => {
    stage.venue.offer(YES, 'SELL', '0.5', '30');
    const whole = await stage.order({ timeInForce: 'FOK' });
    expect(booked(whole, await stage.sends(whole))).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), notional: usdc('10') },
    });
    const part = await stage.order({ timeInForce: 'FAK' });
    expect(booked(part, await stage.sends(part))).toMatchObject({
      state: 'cancelled',
      filled: { shares: shares('10'), notional: usdc('5') },
    });
  });

  test('FOK and FAK without a match, and crossing post-only, are refused', async () => {
    for (const [timeInForce, code] of [['FOK', 'fok_not_filled'] as const, ['FAK', 'fak_no_match'] as const]) {
      const placed = await stage.sends(await stage.order({ timeInForce }));
      expect(placed).toMatchObject({ kind: 'rejected', refusal: { code } });
    }
    stage.venue.offer(YES, 'SELL', '0.5', '30');
    const placed = await stage.sends(await stage.order({ postOnly: true }));
    expect(placed).toMatchObject({ kind: 'rejected', refusal: { code: 'post_only_would_cross' } });
  });

  test('a sale gives shares that are held', async () => {
    const order = { side: 'SELL', timeInForce: 'FOK' } as const;
    expect(await stage.sends(await stage.order(order))).toMatchObject({ refusal: { code: 'insufficient_funds' } });
    stage.venue.grant(KNOWN_ADDRESS, YES, '20');
    stage.venue.offer(YES, 'BUY', '0.52', '30');
    const sale = await stage.order(order);
    expect(booked(sale, await stage.sends(sale))).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), notional: usdc('10.4') },
    });
  });

  test('a partly matched resting order keeps its remainder open', async () => {
    stage.venue.offer(YES, 'SELL', '0.48', '8');
    const order = await stage.order();
    const placed = await stage.sends(order);
    expect(placed).toMatchObject({ kind: 'accepted', rest: 'open' });
    expect(booked(order, placed)).toMatchObject({
      state: 'open',
      filled: { shares: shares('8'), notional: usdc('3.84') },
    });
  });

  test('nothing is released until all trades of a match are readable', async () => {
    stage.venue.offer(YES, 'SELL', '0.5', '5');
    stage.venue.script('GET /data/trades', answers(200, { data: [], next_cursor: 'LTE=' }));
    const order = await stage.order({ timeInForce: 'FAK' });
    expect(await stage.sends(order)).toMatchObject({ kind: 'accepted', executions: [], rest: 'open' });
    expect(booked(order, await stage.looks(order, 5, 30_000))).toMatchObject({
      state: 'cancelled',
      filled: { shares: shares('5') },
    });
  });

  test('held in a live game it is delayed', async () => {
    stage.venue.market().delaying = true;
    stage.venue.offer(YES, 'SELL', '0.5', '30');
    const order = await stage.order();
    expect(await stage.sends(order)).toMatchObject({ kind: 'accepted', executions: [], rest: 'delayed' });
    stage.venue.release(order.venueOrderId ?? '');
    expect(booked(order, await stage.exchange.find(order))).toMatchObject({ state: 'filled' });
  });
});

describe('an answer', () => {
  test.each([
    ['a refusal', refuses(REFUSALS.notReady()), 'rejected', 'market_not_accepting_orders'],
    ['a refusal with 200', succeedsWithoutId('nope'), 'rejected', 'venue_rejected'],
  ])('%s is proof that there is no order', async (_name, fault, kind, code) => {
    stage.venue.script('POST /order', fault);
    expect(await stage.sends(await stage.order())).toMatchObject({ kind, refusal: { code } });
    expect(stage.posts()).toBe(1);
    expect(stage.halts).toEqual([]);
  });

  test.each([
    ['no answer', hangsUp()],
    ['half of an answer', breaksJson()],
    ['a page', showsPage()],
    ['a failure inside', answers(500, { error: 'could not run the execution' }, {}, { acts: true })],
    ['no reason', refusesSilently({ acts: true })],
  ])('%s leaves the outcome unknown, and the order is found by hash', async (_name, fault) => {
    stage.venue.script('POST /order', fault);
    const order = await stage.order();
    expect(await stage.sends(order)).toMatchObject({ kind: 'unknown' });
    expect(await stage.exchange.find(order)).toEqual({
      kind: 'accepted',
      venueOrderId: order.venueOrderId,
      executions: [],
      failed: [],
      rest: 'open',
    });
    expect(stage.posts()).toBe(1);
  });

  test('with the id of another order stops everything', async () => {
    stage.venue.script('POST /order', misnames(`0x${'ab'.repeat(32)}`));
    expect(await stage.sends(await stage.order())).toMatchObject({ kind: 'unknown' });
    expect(stage.halts).toMatchObject([{ code: 'identity_mismatch' }]);
    const next = await stage.order();
    expect(await stage.sends(next)).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'identity_mismatch' },
      halt: { code: 'identity_mismatch' },
    });
    expect(stage.posts()).toBe(1);
  });

  test('with another order’s id stops the orders waiting to be sent', async () => {
    const [first, second] = [await stage.order(), await stage.order()];
    stage.venue.script('POST /order', refuses(REFUSALS.restarting()), misnames(`0x${'ab'.repeat(32)}`), passes());
    stage.onWait = async () => {
      expect(await stage.sends(second)).toMatchObject({ kind: 'unknown' });
    };
    expect(await stage.sends(first)).toMatchObject({ kind: 'rejected', refusal: { code: 'engine_restarting' } });
    expect(stage.posts()).toBe(2);
  });

  test('that the account is banned stops everything', async () => {
    stage.account.banned = true;
    expect(await stage.sends(await stage.order())).toMatchObject({ refusal: { code: 'address_banned' } });
    expect(stage.halts).toMatchObject([{ code: 'address_banned' }]);
  });

  test('that it is a duplicate means to look the order up', async () => {
    const order = await stage.order();
    await stage.sends(order);
    expect(await stage.sends(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    await stage.exchange.cancel(order);
    expect(await stage.sends(order)).toMatchObject({ kind: 'unknown' });
    expect(stage.venue.log.posts(order.venueOrderId ?? '')).toEqual({ accepted: 1, duplicate: 2, refused: 0 });
  });

  test('that the clock is off causes one resend of the same bytes', async () => {
    stage.time.skewMs = -300_000;
    const order = await stage.order();
    expect(await stage.sends(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    const bodies = stage.venue.log.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
    expect(stage.halts).toEqual([]);
  });

  test('that the key is wrong even so stops everything', async () => {
    stage.venue.script('POST /order', refuses(REFUSALS.key()), refuses(REFUSALS.key()), passes());
    expect(await stage.sends(await stage.order())).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'unauthorized' },
    });
    expect(stage.posts()).toBe(2);
    expect(stage.halts).toMatchObject([{ code: 'unauthorized' }]);
  });
});

test('signing again gives the same identity, in another process too', async () => {
  const order = await stage.order();
  expect(await stage.restarted().signing.sign(order)).toBe(order.venueOrderId);
});

test('balances are read as the venue has them', async () => {
  stage.venue.fund(stage.credentials.address, '0.25');
  expect(await stage.clob.balance({ asset: 'collateral' })).toMatchObject({ value: { balance: 100_250_000n } });
  expect(await stage.clob.balance({ asset: 'token', tokenId: YES })).toMatchObject({ value: { balance: 0n } });
});

test('all orders are cancelled at once', async () => {
  for (let i = 0; i < 3; i++) await stage.sends(await stage.order());
  expect(await stage.clob.openOrders()).toMatchObject({ items: { length: 3 } });
  expect(await stage.exchange.cancelAll()).toMatchObject({ kind: 'ok', cancelled: { size: 3 } });
  expect(await stage.clob.openOrders()).toMatchObject({ items: [] });
});
