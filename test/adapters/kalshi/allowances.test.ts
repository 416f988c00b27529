import fc from 'fast-check';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectKalshi } from '../../../src/adapters/kalshi/execution/connect.js';
import {
  kalshiAllowances,
  ONE_ORDER_TOKENS,
  REQUEST_TOKENS,
} from '../../../src/adapters/kalshi/http/account-allowances.js';
import { kalshiLimits } from '../../../src/adapters/kalshi/http/account-records.js';
import { KalshiClient } from '../../../src/adapters/kalshi/http/kalshi-client.js';
import { RequestBudget } from '../../../src/adapters/transport/request-budget.js';
import { usdc } from '../../support/builders.js';
import { limitsOf } from '../../support/fake-kalshi/records.js';
import { atKalshi, TICKER } from './exchange-fixture.js';

/** What is tried of each kind: more than any tier here lets through at once. */
const TRIED = 80;
const LOWEST = { orders: 3, cancellations: 10, reads: 4 };

let at: Awaited<ReturnType<typeof atKalshi>>;
/** The time of allowances stands still, so that what has to wait goes on waiting. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  at = await atKalshi();
});
afterEach(async () => {
  await at.close();
  vi.useRealTimers();
});

const aBody = (clientOrderId: string): string =>
  JSON.stringify({
    ticker: TICKER,
    side: 'bid',
    count: '1.00',
    price: '0.4000',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
    client_order_id: clientOrderId,
  });

/** How many of each kind arrive of many that are sent at once, after the venue was asked what it allows; the rest waits, and is given up. */
async function arrivedAtOnce(): Promise<typeof LOWEST> {
  const { venue, signer, clock } = at;
  const client = new KalshiClient({ api: venue.api, signer, clock, limits: { pausesMs: [] }, report: () => {} });
  await client.venueClock.measure();
  await client.keepLimits();
  const asked = Array.from({ length: TRIED }, (_, index) => [
    client.create(aBody(`${index}`), `${index}`),
    client.cancel(`${index}`, TICKER),
    client.balance(),
  ]);
  // Once one of each kind is answered, all that need not wait are under way.
  await Promise.all(asked[0] ?? []);
  await client.drain();
  const of = (part: string) => venue.requests.filter((path) => path.includes(part)).length;
  const reads = of('/portfolio/balance');
  return { orders: venue.placed.length, cancellations: of('/portfolio/events/orders/'), reads };
}

describe('what is sent at once', () => {
  test.each([
    ['basic', 200, 100, LOWEST],
    ['advanced', 300, 300, { orders: 9, cancellations: 30, reads: 6 }],
    ['expert', 600, 600, { orders: 18, cancellations: 60, reads: 13 }],
  ])('is more in a higher tier: %s', async (tier, read, write, expected) => {
    at.venue.limits = limitsOf(tier, read, `${write}`);
    expect(await arrivedAtOnce()).toEqual(expected);
  });

  test('is less where the venue allows fewer tokens than the lowest tier has', async () => {
    at.venue.limits = limitsOf('basic', 100, 70);
    expect(await arrivedAtOnce()).toEqual({ orders: 2, cancellations: 7, reads: 2 });
  });

  test('is that of the lowest tier for what alone the venue does not tell', async () => {
    at.venue.limits = { ...limitsOf('expert', 600, 600), write: null };
    expect(await arrivedAtOnce()).toEqual({ ...LOWEST, reads: 13 });
  });

  test('is that of the lowest tier where the venue does not answer; both reads before count', async () => {
    at.venue.faults.push({ path: '/account/limits', status: 503, body: '' });
    expect(await arrivedAtOnce()).toEqual({ ...LOWEST, reads: LOWEST.reads - 2 });
  });
});

describe('allowances', () => {
  const allowed = (answer: unknown) => kalshiAllowances(v.parse(kalshiLimits, answer));

  test.each<readonly [string, unknown]>([
    ['none', 0],
    ['less than none', -600],
    ['words', 'many'],
    ['an empty text', ''],
    ['null', null],
    ['nothing', undefined],
    ['an object', {}],
    ['more than any tier has', 1e9],
    ['no number', 'NaN'],
    ['no end', 'Infinity'],
    ['fewer than a request of each kind takes', '49'],
  ])('are those of the lowest tier where the venue tells of %s', (_, told) => {
    expect(allowed(limitsOf('expert', told, told))).toEqual(kalshiAllowances(null));
  });

  test.each<readonly [string, unknown]>([
    ['nothing', {}],
    ['no more than the tier', { usage_tier: 'expert' }],
    ['another form', { usage_tier: 7, read: 600, write: [600] }],
  ])('are those of the lowest tier where the answer has %s', (_, answer) => {
    expect(allowed(answer)).toEqual(kalshiAllowances(null));
  });

  test('are no more than a bucket holds that is smaller than what a second fills', () => {
    const read = { refill_rate: 600, bucket_capacity: 200 };
    expect(allowed({ read, write: { refill_rate: 600, bucket_capacity: 100 } })).toEqual(kalshiAllowances(null));
  });
});

describe('a connection', () => {
  async function connected(reports: string[] = []) {
    const { venue, signer, clock, time, account } = at;
    for (let index = 0; index < 40; index++) account.create(JSON.parse(aBody(`${index}`)));
    const connection = await connectKalshi({
      api: venue.api,
      socket: venue.socket,
      environment: 'demo',
      signer,
      clock,
      stopwatch: () => time.now,
      orderCap: usdc('500'),
      // Shorter than a window: what would have to wait is given up.
      limits: { overallMs: 900, pausesMs: [1, 1] },
      alarm: () => {},
      report: (reason) => reports.push(reason),
    });
    const all = await connection.cancelAll();
    await connection.close();
    return all;
  }

  test('keeps to what the venue allows the account', async () => {
    at.venue.limits = limitsOf('expert', 600, 600);
    expect(await connected()).toMatchObject({ cancelled: 40, kept: new Map() });
  });

  test('is made where the venue does not tell, and says so', async () => {
    at.venue.faults.push({ path: '/account/limits', status: 404, body: '{}' });
    const reports: string[] = [];
    expect(await connected(reports)).toMatchObject({ cancelled: LOWEST.cancellations });
    expect(reports).toEqual(['the venue does not tell what it allows the account (refused)']);
  });
});

describe('a bucket of the venue', () => {
  /** It holds what a second fills, and loses its tokens as they are taken. */
  class Bucket {
    #at = Date.now();
    #left: number;

    constructor(private readonly rate: number) {
      this.#left = rate;
    }

    /** What is left after so many. */
    take(tokens: number): number {
      this.#left = Math.min(this.rate, this.#left + ((Date.now() - this.#at) * this.rate) / 1000) - tokens;
      this.#at = Date.now();
      return this.#left;
    }
  }

  /** Few or all that may go now, of every kind, where a window just began, just ends, or lies back. */
  const step = fc.record({ pauseMs: fc.constantFrom(0, 1, 10, 250, 498, 700), most: fc.constantFrom(1, 1000) });
  const tokens = fc.integer({ min: 50, max: 1200 });

  test('is never overdrawn, whatever is sent and when', async () => {
    await fc.assert(
      fc.asyncProperty(tokens, tokens, fc.array(step, { maxLength: 30 }), async (read, write, steps) => {
        const { order, cancel, read: reads } = kalshiAllowances({ tier: null, read, write });
        const buckets = { read: new Bucket(read), write: new Bucket(write) };
        const lanes = [
          { budget: new RequestBudget(order), cost: REQUEST_TOKENS, bucket: buckets.write },
          { budget: new RequestBudget(cancel), cost: ONE_ORDER_TOKENS, bucket: buckets.write },
          { budget: new RequestBudget(reads), cost: REQUEST_TOKENS, bucket: buckets.read },
        ];
        for (const { pauseMs, most } of steps) {
          vi.advanceTimersByTime(pauseMs);
          for (const { budget, cost, bucket } of lanes) {
            for (let sent = 0; sent < most && (await budget.take('', cost)) === 0; sent++) {
              expect(bucket.take(cost)).toBeGreaterThanOrEqual(0);
            }
          }
        }
      }),
    );
  });
});
