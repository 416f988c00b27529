import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { ExchangeUnavailable } from '../../src/core/errors.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { Order } from '../../src/core/order/order.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ORDER, ORDERS, startApp } from '../support/app.js';
import { ALICE, anOrderContext, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { SigningExchange } from '../support/scripted-exchange.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({ overallMs: 1500 });
});
afterEach(async () => {
  expect(await live.wrong()).toEqual([]);
  await live.close();
});

const orders = () => live.ledger.listOrders(ALICE, {}, { limit: 100 });

/** The venue is gone, and our reads have found out. */
async function goesDown(): Promise<void> {
  await live.venue.refuseConnections();
  expect(await live.sweep()).toMatchObject({ complete: false });
  expect(await live.sweep()).toMatchObject({ complete: false });
}

/** Places until the venue is seen to answer, which its return is looked for by what is refused. */
async function placedOnceItIsBack(key: string): Promise<Order> {
  await expect.poll(() => live.place({}, key).catch((error) => error)).toHaveProperty('state');
  return live.place({}, key);
}

describe('A venue that is down for ten minutes', () => {
  it('row 49: gets no new orders; each is refused unrecorded and repeatable', async () => {
    await goesDown();
    live.time.now += 600_000;
    for (let request = 0; request < 10; request++) {
      await expect(live.place({}, 'once')).rejects.toBeInstanceOf(ExchangeUnavailable);
    }
    expect([await orders(), await live.ledger.claimJobs(9, 1000), live.posts()]).toEqual([[], [], 0]);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });

    await live.venue.acceptConnections();
    expect(await placedOnceItIsBack('once')).toMatchObject({ state: 'open' });
    expect([(await orders()).length, live.posts()]).toEqual([1, 1]);
  });

  it('row 49: keeps no order on record from its answer', async () => {
    const order = await live.place({}, 'once');
    await goesDown();
    expect(await live.place({}, 'once')).toMatchObject({ id: order.id, state: 'open' });
    await expect(live.place({}, 'another')).rejects.toBeInstanceOf(ExchangeUnavailable);
  });

  it('row 49: gets pending cancellations once back, and their results are booked', async () => {
    const [resting, filled] = [await live.place(), await live.place()];
    await goesDown();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    expect(await live.cancel(filled)).toMatchObject({ state: 'cancel_pending' });
    expect(await live.cancel(resting)).toMatchObject({ state: 'cancel_pending' });
    live.time.now += 600_000;
    await live.venue.acceptConnections();
    expect(await live.sweep()).toMatchObject({ complete: true });
    const states = (await Promise.all([resting, filled].map(live.now))).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['cancelled', 'filled']);
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
  });
});

it('row 49: HTTP clients get a retry time, and paper trading continues', async () => {
  const [ledger, wired] = [new MemoryLedger(), anOrderContext()];
  const exchange = Object.assign(new SigningExchange(), { closedForMs: (): number | null => 1000 });
  const app = await startApp({ ledger, context: wired, live: exchange, authenticator: 'keys' });
  const manage = new ManageAccounts(ledger, wired);
  await manage.allowLive(ALICE, true);
  await manage.deposit(ALICE, NO_VENUE, usdc('100'));
  const alice = await app.keyed(ALICE, ...AUTH_SCOPES);
  const sends = (body: object) => alice.post(ORDERS, body, { 'idempotency-key': 'once' });

  const refused = await sends({ ...ORDER, paper: false });
  expect([refused.status, refused.json()['type'], refused.headers['retry-after']]).toEqual([
    503,
    '/problems/unavailable',
    '1',
  ]);
  exchange.closedForMs = () => 59_001;
  expect((await sends({ ...ORDER, paper: false })).headers['retry-after']).toBe('60');
  expect([exchange.envelopes, exchange.calls, await ledger.listOrders(ALICE, {}, { limit: 5 })]).toEqual([0, [], []]);
  expect((await sends({ ...ORDER, paper: true })).status).toBe(201);
  exchange.closedForMs = () => null;
  expect((await alice.post(ORDERS, { ...ORDER, paper: false })).status).toBe(201);
});

describe('A venue that wants no orders for a while', () => {
  it('row 34: gets none, and none is recorded, until that is over', async () => {
    live.venue.script('POST /order', faults.throttles('1'));
    expect(await live.place()).toMatchObject({ state: 'rejected', refusal: { code: 'throttled' } });
    const refused = await live.place({}, 'once').catch((error) => error);
    expect(refused).toBeInstanceOf(ExchangeUnavailable);
    expect(refused.retryInMs).toBeGreaterThan(500);
    expect([(await orders()).length, live.posts()]).toEqual([1, 1]);
    expect(await placedOnceItIsBack('once')).toMatchObject({ state: 'open' });
    expect([(await orders()).length, live.posts()]).toEqual([2, 2]);
  });

  it('row 34: still gets an order whose deadline outlasts the wait', async () => {
    live.venue.script('POST /order', faults.throttles('0'));
    expect(await live.place()).toMatchObject({ state: 'open' });
    expect(await live.place()).toMatchObject({ state: 'open' });
  });
});

describe('A venue is not down', () => {
  it('row 49: while it answers anything, even with orders left unanswered', async () => {
    live.venue.always('POST /order', faults.hangsUp({ acts: false }));
    for (let order = 0; order < 3; order++) {
      expect(await live.place()).toMatchObject({ state: 'unknown' });
      await live.lookAfter(1);
    }
    // Refused for what is unknown, which is on record; not because the venue is down.
    expect(await live.place()).toMatchObject({ state: 'denied', refusal: { code: 'trading_reducing' } });
    expect(live.posts()).toBe(3);
  });

  it('row 49: any more, once one read is answered', async () => {
    await goesDown();
    await live.venue.acceptConnections();
    expect(await live.sweep()).toMatchObject({ complete: true });
    expect(await live.place()).toMatchObject({ state: 'open' });
  });

  it('row 49: for a passing failure or an announced trading stop', async () => {
    live.venue.script('GET /data/orders', faults.answers(502, 'Bad Gateway'), faults.answers(504, 'no'));
    expect(await live.sweep()).toMatchObject({ complete: true });
    live.venue.hours = 'disabled';
    for (let order = 0; order < 6; order++) {
      expect(await live.place({ size: usdc('3') })).toMatchObject({ refusal: { code: 'trading_disabled' } });
    }
  });
});
