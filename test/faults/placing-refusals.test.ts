import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveTradingNotEnabled } from '../../src/core/errors.js';
import type { Order } from '../../src/core/order/order.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ALICE, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { REFUSALS, type Refused } from '../support/fake-venue/refusals.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';

const OTHER = `0x${'ab'.repeat(32)}`;
const ID = '0x1';
let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({ overallMs: 3_000 });
});
afterEach(async () => {
  expect(await live.wrong()).toEqual([]);
  await live.close();
});

const untouched = { cash: usdc('100'), reserved: 0n };
const bodies = () => live.venue.log.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
const halt = async () => (await live.operator.show(ALICE)).halt;

/** Refused for this, with what the venue said, after so many copies; nothing is kept back and nothing follows. */
async function isRefused(order: Order, code: string, said: string | RegExp, copies = 1): Promise<void> {
  expect(order).toMatchObject({ state: 'rejected', refusal: { code, message: expect.stringMatching(said) } });
  expect(await live.balance()).toMatchObject(untouched);
  await live.lookAfter(3);
  expect(await live.now(order)).toEqual(order);
  expect([live.posts(), live.venue.log.accepted.size]).toEqual([copies, 0]);
}

/** No order is sent for the account until an operator lets it go on. */
async function isHalted(code: string): Promise<void> {
  const before = live.posts();
  expect(await halt()).toMatchObject({ code });
  await expect(live.place()).rejects.toBeInstanceOf(LiveTradingNotEnabled);
  expect(live.posts()).toBe(before);
  await live.operator.release(ALICE);
  expect(await halt()).toBeNull();
}

describe('A refusal of the venue', () => {
  it('row 24: may be a success without an id, with a reason', async () => {
    live.venue.script('POST /order', faults.succeedsWithoutId('not today'));
    await isRefused(await live.place(), 'venue_rejected', 'not today');
    expect(await halt()).toBeNull();
  });

  it.each<[string, Refused]>([
    ['invalid_tick', REFUSALS.tick(ID, '0.513', '0.01')],
    ['size_below_minimum', REFUSALS.size(ID, '1', '5')],
    ['notional_below_minimum', REFUSALS.notional('0.4')],
    ['amount_precision', REFUSALS.precision('buy')],
    ['insufficient_funds', REFUSALS.balance(0n, 10n)],
    ['insufficient_funds', REFUSALS.allowance(0n, 10n)],
    ['invalid_expiration', REFUSALS.expiration()],
    ['post_only_would_cross', REFUSALS.crossing()],
    ['payload_refused', REFUSALS.payload()],
    ['market_not_accepting_orders', REFUSALS.notReady()],
    ['market_closed', REFUSALS.noBook()],
    ['venue_rejected', REFUSALS.invalidSignature()],
    ['venue_rejected', REFUSALS.lot(ID, '5.001')],
  ])('row 27: is recorded as %s with its reason and frees money', async (code, refusal) => {
    live.venue.script('POST /order', faults.refuses(refusal));
    await isRefused(await live.place(), code, refusal.message.slice(-20).replaceAll(/[().$]/g, '.'));
    expect(await halt()).toBeNull();
  });

  it('row 27: for an unfillable immediate order needs no lookup', async () => {
    await isRefused(await live.place({ timeInForce: 'FOK' }), 'fok_not_filled', /fully filled or killed/);
    await isRefused(await live.place({ timeInForce: 'FAK' }), 'fak_no_match', /killed if no match is found/, 2);
  });

  it('row 29: for another order version is final and halts trading', async () => {
    live.venue.state.version = 3;
    await isRefused(await live.place(), 'order_version_mismatch', /order_version_mismatch/);
    await isHalted('order_version_mismatch');
  });
});

describe('An earlier copy of an order', () => {
  it.each(['GTC', 'FOK'] as const)('row 28: is proved by “Duplicated” and then queried (%s)', async (timeInForce) => {
    if (timeInForce === 'FOK') live.venue.offer(YES, 'SELL', '0.5', '20');
    live.venue.script('POST /order', faults.refuses(REFUSALS.restarting(), { acts: true }));
    const order = await live.place({ timeInForce });
    expect(order).toMatchObject({ state: timeInForce === 'FOK' ? 'filled' : 'open', refusal: null });
    expect(live.venue.log.posts(order.venueOrderId ?? '')).toMatchObject({ accepted: 1, duplicate: 1 });
    expect(new Set(bodies())).toHaveProperty('size', 1);
    const spent = timeInForce === 'FOK' ? { cash: usdc('90'), reserved: 0n } : { reserved: usdc('10') };
    expect(await live.balance()).toMatchObject(spent);
  });

  it('row 28: not yet shown by the venue leaves the order unknown', async () => {
    live.venue.script('POST /order', faults.refuses(REFUSALS.restarting(), { acts: true }));
    live.venue.script('GET /data/order/', faults.answers(404, { error: 'Order not found' }));
    const order = await live.place();
    expect(order).toMatchObject({ state: 'unknown' });
    expect(await live.balance()).toMatchObject({ reserved: usdc('10') });
    await live.lookAfter();
    expect(await live.now(order)).toMatchObject({ state: 'open' });
  });
});

describe('An answer that no further order should follow', () => {
  it('row 25: naming another identity leaves the order unknown and halts trading', async () => {
    live.venue.script('POST /order', faults.misnames(OTHER));
    const order = await live.place();
    expect(order).toMatchObject({ state: 'unknown', refusal: { code: 'identity_mismatch' } });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
    expect(live.alarms).toEqual([expect.stringContaining('another order')]);
    await live.lookAfter();
    expect(await live.now(order)).toMatchObject({ state: 'open', venueOrderId: order.venueOrderId });
    await isHalted('identity_mismatch');
    expect(await live.place()).toMatchObject({ state: 'rejected', refusal: { code: 'identity_mismatch' } });
    expect([live.posts(), (await halt())?.code]).toEqual([1, 'identity_mismatch']);
  });

  it('row 30: about the clock corrects it and resends identical bytes once', async () => {
    live.time.skewMs = 300_000;
    const order = await live.place();
    expect(order).toMatchObject({ state: 'open' });
    expect([live.posts(), new Set(bodies()).size]).toEqual([2, 1]);
    expect(await halt()).toBeNull();
  });

  it('row 30: naming an unknown key is retried once, then halts trading', async () => {
    live.venue.always('POST /order', faults.refuses(REFUSALS.key()));
    await isRefused(await live.place(), 'unauthorized', /Invalid api key/, 2);
    expect(new Set(bodies())).toHaveProperty('size', 1);
    await isHalted('unauthorized');
  });

  it.each<[string, () => void]>([
    ['region_restricted', () => Object.assign(live.venue.state.geoblock, { blocked: true })],
    ['address_banned', () => Object.assign(live.account, { banned: true })],
    ['closed_only', () => Object.assign(live.account, { closedOnly: true })],
    ['forbidden', () => live.venue.always('POST /order', faults.answers(403, { error: 'no' }))],
  ])('row 31: %s is a refusal, an alarm and an account halt', async (code, strike) => {
    strike();
    await isRefused(await live.place(), code, /It said: /);
    expect(live.alarms).toHaveLength(1);
    await isHalted(code);
  });
});

describe('An order that is held in a live game', () => {
  beforeEach(() => {
    live.venue.market().delaying = true;
    live.venue.offer(YES, 'SELL', '0.5', '20');
  });

  it.each(['GTC', 'FAK'] as const)('row 47: is delayed, and then filled (%s)', async (timeInForce) => {
    const order = await live.place({ timeInForce });
    await live.lookAfter(2);
    expect(await live.now(order)).toMatchObject({ state: 'delayed', venueOrderId: order.venueOrderId });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
    live.venue.release(order.venueOrderId ?? '');
    await live.lookAfter();
    expect(await live.now(order)).toMatchObject({ state: 'filled' });
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    expect(live.posts()).toBe(1);
  });

  it.each([
    ['GTC', { state: 'cancelled' }],
    ['FAK', { state: 'rejected', refusal: { code: 'dropped_after_delay' } }],
  ] as const)('row 47: is delayed, and then killed, which frees the money (%s)', async (timeInForce, killed) => {
    const order = await live.place({ timeInForce });
    expect(order).toMatchObject({ state: 'delayed' });
    live.venue.release(order.venueOrderId ?? '', 'reject');
    await live.lookAfter(20);
    expect(await live.balance()).toMatchObject({ reserved: usdc('10') });
    await live.lookAfter(20);
    expect(await live.now(order)).toMatchObject(killed);
    expect(await live.balance()).toMatchObject(untouched);
    expect(live.posts()).toBe(1);
  });
});
