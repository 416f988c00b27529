import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PolymarketExchange } from '../../src/adapters/polymarket/execution/polymarket-exchange.js';
import { ClobTrading } from '../../src/adapters/polymarket/http/clob-trading.js';
import { tradingClient } from '../../src/adapters/polymarket/http/trading-client.js';
import { EnvironmentSigner } from '../../src/adapters/polymarket/signing/signers/index.js';
import { VenueClock } from '../../src/adapters/venue/venue-clock.js';
import { ExchangeUnavailable } from '../../src/core/errors.js';
import type { Order } from '../../src/core/order/order.js';
import { selfSigned } from '../adapters/polymarket/execution/self-signed.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { Loopback } from '../adapters/transport/loopback.js';
import { ALICE, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { KNOWN_KEY } from '../support/fake-venue/plain-client.js';
import { REFUSALS } from '../support/fake-venue/refusals.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';

const SEND_WITHIN_MS = 15_000;
const here = new Loopback();
let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({ overallMs: 1_500 });
});
afterEach(async () => {
  expect(await live.wrong()).toEqual([]);
  await live.close();
  await here.end();
});

const bodies = () => live.venue.log.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

/** It is known that the venue has no such order: its money is free, nothing follows, and the account may go on. */
async function isRefused(order: Order, code: string, kept = '0'): Promise<void> {
  expect(order).toMatchObject({ state: 'rejected', refusal: { code } });
  expect(live.time.now - order.placedAt.getTime()).toBeLessThanOrEqual(SEND_WITHIN_MS);
  const [balance, posts] = [await live.balance(), live.posts()];
  expect(balance).toMatchObject({ cash: usdc('100'), reserved: usdc(kept) });
  await live.lookAfter(3);
  expect([await live.now(order), await live.balance(), live.posts()]).toEqual([order, balance, posts]);
  expect(live.venue.accepted(order.venueOrderId ?? '')).toBe(false);
  expect((await live.operator.show(ALICE)).halt).toBeNull();
}

/** The order of another exchange, at an address where no server can prove to be the venue. */
async function placedOver(url: URL): Promise<{ placed: unknown; alarms: string[] }> {
  const [clock, alarms] = [{ now: () => new Date(live.time.now) }, [] as string[]];
  const http = tradingClient(url, { overallMs: 5000 });
  here.onEnd(() => http.close());
  const venueClock = new VenueClock({ clock, readSeconds: async () => live.time.now / 1000, reportSkew() {} });
  const wallet = { chainId: 137, signatureType: 0, address: KNOWN_ADDRESS } as const;
  const exchange = new PolymarketExchange({
    clob: new ClobTrading({ http, clock: venueClock, credentials: live.credentials, ...wallet }),
    signer: EnvironmentSigner.take({ KEY: KNOWN_KEY }, 'KEY', { ...wallet, notionalCap: usdc('50') }),
    wallet,
    apiKey: live.credentials.apiKey,
    clock,
    venueClock,
    stopwatch: () => live.time.now,
    alarm: (what) => alarms.push(what),
  });
  return {
    placed: await exchange.place(
      await live.order(),
      () => true,
      async () => true,
    ),
    alarms,
  };
}

describe('Nothing was sent', () => {
  it('row 18: to a venue refusing connections, so the order is over', async () => {
    await live.venue.refuseConnections();
    const order = await live.place();
    expect(order.refusal?.message).toMatch(/could not be reached.*can be placed again/);
    expect(live.posts()).toBe(0);
    await live.venue.acceptConnections();
    await isRefused(order, 'not_sent');
    expect(await live.place()).toMatchObject({ state: 'open' });
    expect(live.posts()).toBe(1);
  });

  it('row 19: to a server failing TLS verification, which raises an alarm', async () => {
    const wire = await here.wire(() => {}, selfSigned());
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { placed, alarms } = await placedOver(wire.url('https'));
    expect(placed).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    expect(alarms).toEqual([expect.stringContaining('TLS verification of the venue failed')]);
    expect(wire.bytes).toBe(0);
  });
});

describe('A venue that does not look at orders now', () => {
  it('row 32: during a 90-second restart gets the order until its deadline', async () => {
    live.venue.hours = 'restarting';
    await isRefused(await live.place(), 'engine_restarting');
    expect(live.posts()).toBeGreaterThan(1);
    expect(new Set(bodies())).toHaveProperty('size', 1);
    for (const wait of live.waits) expect(wait).toSatisfy((ms: number) => ms >= 1_000 && ms <= 30_000);
    live.time.now += 90_000;
    live.venue.hours = 'normal';
    expect(await live.place()).toMatchObject({ state: 'open' });
  });

  it('row 32: but recovers in time takes the identical bytes once', async () => {
    live.venue.script('POST /order', faults.refuses(REFUSALS.restarting()), faults.refuses(REFUSALS.restarting()));
    const order = await live.place();
    expect(order).toMatchObject({ state: 'open' });
    expect([live.posts(), new Set(bodies()).size]).toEqual([3, 1]);
    expect(live.venue.log.posts(order.venueOrderId ?? '')).toMatchObject({ accepted: 1, duplicate: 0 });
  });

  it('row 33: but for post-only orders takes those alone', async () => {
    live.venue.hours = 'post-only';
    await isRefused(await live.place(), 'post_only_mode');
    expect(live.waits).toEqual([]);
    expect(await live.place({ postOnly: true })).toMatchObject({ state: 'open' });
  });

  it.each(['disabled', 'cancel-only'] as const)(
    'row 38: because trading is %s: refused, and cancelled',
    async (hours) => {
      const resting = await live.place();
      live.venue.hours = hours;
      await isRefused(await live.place(), hours === 'disabled' ? 'trading_disabled' : 'cancel_only', '10');
      expect(await live.cancel(resting)).toMatchObject({ state: 'cancelled' });
      expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    },
  );
});

describe('A venue that wants fewer requests', () => {
  it.each<[string, () => string, number, number]>([
    ['seconds', () => '3', 3_000, 3_000],
    ['a date', () => new Date(Date.now() + 10_000).toUTCString(), 2_000, 10_000],
    ['a negative time, which means nothing', () => '-5', 1_000, 15_000],
  ])('row 34: is left alone for as long as requested by %s', async (_name, after, least, most) => {
    live.venue.always('POST /order', faults.throttles(after()));
    await isRefused(await live.place(), 'throttled');
    expect(live.waits[0]).toSatisfy((ms: number) => ms >= least && ms <= most);
    expect(live.posts()).toBe(1);
  });

  it.each([
    ['10⁹ seconds', '1000000000'],
    ['a date far away', 'Fri, 31 Dec 2100 00:00:00 GMT'],
  ])('row 34: by %s is not waited for and ends the order', async (_name, after) => {
    live.venue.always('POST /order', faults.throttles(after));
    await isRefused(await live.place(), 'throttled');
    expect([live.waits, live.posts()]).toEqual([[], 1]);
  });

  it('row 34: still receives cancellations immediately', async () => {
    const resting = await live.place();
    live.venue.script('POST /order', faults.throttles('60'));
    await isRefused(await live.place(), 'throttled', '10');
    await expect(live.place()).rejects.toBeInstanceOf(ExchangeUnavailable);
    expect(await live.cancel(resting)).toMatchObject({ state: 'cancelled' });
    expect(live.posts()).toBe(2);
  });

  it('row 34: gets the order once its time is over', async () => {
    await live.close();
    live = await liveTrader({ overallMs: 3_000 });
    live.venue.script('POST /order', faults.throttles('1'));
    const began = performance.now();
    expect(await live.place()).toMatchObject({ state: 'open' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(900);
    expect([live.posts(), new Set(bodies()).size]).toEqual([2, 1]);
  });

  it('row 35: without a duration gets the identical bytes after a second', async () => {
    await live.close();
    live = await liveTrader({ overallMs: 3_000 });
    live.venue.script('POST /order', faults.throttles());
    expect(await live.place()).toMatchObject({ state: 'open' });
    expect(live.waits).toEqual([expect.toSatisfy((ms: number) => ms >= 1_000 && ms <= 15_000)]);
    expect([live.posts(), new Set(bodies()).size]).toEqual([2, 1]);
  });
});
