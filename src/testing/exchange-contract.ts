import assert from 'node:assert/strict';
import { feeReserve } from '../core/market/fee.js';
import type { Market, TimeInForce } from '../core/market/market.js';
import type { Side } from '../core/market/side.js';
import { notional, ONE, price, type Shares } from '../core/money.js';
import type { OrderDraft } from '../core/order/draft.js';
import { mostCost, type Order } from '../core/order/order.js';
import type { Accepted, Exchange, PlaceResult } from '../ports/exchange.js';
import { acceptedOrder, bareMarket, trialOrder } from './trial-order.js';

/** A fresh venue to be tested. It should trade: have liquidity on both sides at some prices between 0 and 1. */
export interface ExchangeUnderTest {
  readonly exchange: Exchange;
  /** A market of it, and that market's lot; when left out, an id that any venue without a list of markets takes. */
  readonly market?: Market;
  /** Releases its resources. */
  close?(): Promise<void>;
}

/** One requirement of every venue: rejects with the reason when this venue violates it. */
export interface ExchangeCheck {
  readonly name: string;
  check(): Promise<void>;
}

/**
 * What every `Exchange` must do, as checks for any test runner: `for (const { name, check } of exchangeContract(open)) it(name, check)`.
 * Each check opens a venue of its own and places paper orders of about 10 USDC on it, on both sides and at many prices.
 *
 * @example
 * ```ts
 * import { type ExchangeUnderTest, exchangeContract } from 'stakeport/testing';
 *
 * declare const open: () => Promise<ExchangeUnderTest>;
 * for (const { name, check } of exchangeContract(open)) {
 *   await check();
 *   console.log('holds', name);
 * }
 * ```
 */
export function exchangeContract(open: () => Promise<ExchangeUnderTest>): readonly ExchangeCheck[] {
  return Object.entries(CHECKS).map(([name, run]) => ({
    name,
    check: async () => {
      const opened = await open();
      try {
        await run(opened.exchange, opened.market ?? bareMarket('trial-market'));
      } finally {
        await opened.close?.();
      }
    },
  }));
}

type Check = (exchange: Exchange, market: Market) => Promise<void>;
type Terms = Parameters<typeof trialOrder>[2];

/** An order, and what the venue answered when it was placed. */
interface Trial<Answer extends PlaceResult = PlaceResult> {
  readonly order: Order;
  readonly answer: Answer;
}

const SIDES: readonly Side[] = ['BUY', 'SELL'];
const PRICES = ['0.01', '0.25', '0.5', '0.75', '0.99'].map(price);

/** Each requirement by its name. Each check runs on a fresh venue. */
const CHECKS: Readonly<Record<string, Check>> = {
  'has a name': async ({ venue }) => {
    assert.ok(venue.length > 0, 'the venue has no name');
  },

  'takes an order': async (exchange, market) => {
    const accepted = await placeAccepted(exchange, market);
    assert.ok(accepted.length > 0, 'every order was refused, so that nothing can be tested');
  },

  'gives each order an identity of its own': async (exchange, market) => {
    const ids = (await placeAccepted(exchange, market)).map(({ answer }) => answer.venueOrderId);
    assert.ok(
      ids.every((id) => id.length > 0),
      'an accepted order has no identity',
    );
    assert.equal(new Set(ids).size, ids.length, 'two orders share an identity');
  },

  'never executes more shares than were ordered': async (exchange, market) => {
    for (const timeInForce of ['GTC', 'FAK'] as const) {
      for (const { order, answer } of await placeAccepted(exchange, market, timeInForce)) {
        const { shares, envelope } = order.intent;
        // Such an order is bound by its dollars: a better price gives it more shares.
        const spends = envelope?.spends ?? null;
        if (spends === null) assert.ok(executed(answer) <= shares, `${executed(answer)} of ${shares} executed`);
        else assert.ok(spent(answer) <= spends, `${spent(answer)} of ${spends} spent`);
      }
    }
  },

  'never executes at a worse price than the limit': async (exchange, market) => {
    for (const { order, answer } of await placeAccepted(exchange, market)) {
      const { side, price: limit } = order.intent;
      for (const { price: at } of answer.executions) {
        assert.ok(side === 'BUY' ? at <= limit : at >= limit, `a ${side} limited to ${limit} executed at ${at}`);
      }
    }
  },

  'reports executions that can be booked': async (exchange, market) => {
    for (const { answer } of await placeAccepted(exchange, market)) {
      for (const execution of answer.executions) {
        assert.ok(execution.shares > 0n, 'an execution has no shares');
        assert.ok(execution.price > 0n && execution.price < ONE, 'an execution has no price between 0 and 1');
        assert.ok(execution.fee >= 0n, 'an execution has a negative fee');
      }
    }
  },

  'never takes more for a purchase than is reserved, fees included': async (exchange, market) => {
    for (const { order, answer } of await placeAccepted(exchange, market)) {
      const { side, price: limit, postOnly, feeSchedule, envelope } = order.intent;
      if (side === 'SELL' || feeSchedule === null) continue;
      const shares = executed(answer) as Shares;
      const reserved =
        notional(shares, limit, 'ceil') + feeReserve(feeSchedule, { side, price: limit, postOnly, shares });
      const most = (envelope?.spends ?? null) === null ? reserved : mostCost(order.intent);
      const taken = answer.executions.reduce((sum, { fee }) => sum + fee, spent(answer));
      assert.ok(taken <= most, `${taken} taken, where ${most} is reserved`);
    }
  },

  'reports each trade under an id of its own': async (exchange, market) => {
    for (const { answer } of await placeAccepted(exchange, market)) {
      const ids = answer.executions.map(({ tradeId }) => tradeId);
      assert.ok(
        ids.every((id) => id.length > 0),
        'a trade has no id',
      );
      assert.equal(new Set(ids).size, ids.length, 'two trades of one order share an id');
    }
  },

  'says that nothing is left exactly when all shares are executed': async (exchange, market) => {
    for (const { order, answer } of await placeAccepted(exchange, market)) {
      const done = executed(answer) >= order.intent.shares;
      assert.equal(
        answer.rest === 'none',
        done,
        `rest is ${answer.rest} after ${executed(answer)} of ${order.intent.shares}`,
      );
    }
  },

  'fills a FOK whole or not at all': async (exchange, market) => {
    for (const { order, answer } of await placeAccepted(exchange, market, 'FOK')) {
      const whole = executed(answer) >= order.intent.shares;
      assert.ok(whole || executed(answer) === 0n, 'a FOK was filled in part');
      assert.notEqual(answer.rest, 'open', 'a FOK rests');
    }
  },

  'lets nothing of a FAK rest': async (exchange, market) => {
    for (const { answer } of await placeAccepted(exchange, market, 'FAK')) {
      assert.notEqual(answer.rest, 'open', 'a FAK rests');
    }
  },

  'never lets a post-only order take': async (exchange, market) => {
    for (const { answer } of await placeAccepted(exchange, market, 'GTC', { postOnly: true })) {
      for (const { liquidity } of answer.executions) assert.equal(liquidity, 'MAKER', 'a post-only order took');
    }
  },

  'finds an order as it was placed': async (exchange, market) => {
    for (const { order, answer } of await placeAll(exchange, market)) {
      const found = await exchange.find(order);
      if (answer.kind === 'rejected') assert.notEqual(found.kind, 'accepted', 'it found an order that it had rejected');
      // A venue that keeps nothing may say so: placing the order again gives the same answer.
      if (answer.kind !== 'accepted' || (exchange.local !== null && found.kind === 'absent')) continue;
      assert.equal(found.kind, 'accepted', 'it cannot find an order that it took');
      if (found.kind === 'accepted') assertContinues(found, answer);
    }
  },

  'finds no order that was never placed': async (exchange, market) => {
    const { kind } = await exchange.find(await trialOrder(exchange, market));
    assert.ok(kind === 'absent' || kind === 'unknown', `an order that was never placed is ${kind}`);
  },

  'refuses to cancel what is filled': async (exchange, market) => {
    for (const { order, answer } of await placeAccepted(exchange, market)) {
      if (answer.rest !== 'none') continue;
      const accepted = acceptedOrder(order, answer.venueOrderId);
      // A venue in this process put the fills on record before it answered, and is only asked about that order.
      const { kind } = await exchange.cancel(exchange.local === null ? accepted : { ...accepted, state: 'filled' });
      assert.equal(kind, 'refused', 'a filled order was cancelled');
    }
  },

  'does not claim to cancel what was never placed': async (exchange, market) => {
    const { kind } = await exchange.cancel(await trialOrder(exchange, market));
    assert.notEqual(kind, 'cancelled', 'an order that never arrived was cancelled');
  },

  'cancels what works on record and is not held here, when it is local': async (exchange, market) => {
    if (exchange.local === null) return;
    const { kind } = await exchange.cancel(acceptedOrder(await trialOrder(exchange, market), 'from-before'));
    assert.equal(kind, 'cancelled', 'an order that the venue does not hold could never be cancelled');
  },

  'cancels what rests, and says so again when asked again': async (exchange, market) => {
    for (const { order, answer } of await placeAccepted(exchange, market)) {
      if (answer.rest !== 'open') continue;
      const resting = acceptedOrder(order, answer.venueOrderId);
      const first = await exchange.cancel(resting);
      const again = await exchange.cancel(resting);
      // After a lost answer the ledger asks again; "refused" would put an order back that is gone. A venue in this process
      // put the end on record before it answered, so that there is nothing to put back.
      if (first.kind === 'cancelled' && exchange.local === null)
        assert.equal(again.kind, 'cancelled', 'a repeated cancel contradicts the first');
      const found = await exchange.find(order);
      const rests = found.kind === 'accepted' && found.rest === 'open';
      assert.ok(first.kind !== 'cancelled' || !rests, 'a cancelled order still rests');
    }
  },

  'answers the same order twice in the same way, when it is local': async (exchange, market) => {
    if (exchange.local === null) return;
    for (const { order, answer } of await placeAll(exchange, market)) {
      const decided = exchange.local.decide(order);
      // Null leaves the answer to `place`, which is called once.
      if (decided === null) continue;
      assert.deepEqual(await placed(exchange, order), answer, 'a local venue changed its mind');
      assert.deepEqual(decided, answer, 'a local venue decides one way and answers another');
    }
  },
};

/** Places the order, which may be sent, and stays wanted. */
const placed = (exchange: Exchange, order: Order): Promise<PlaceResult> =>
  exchange.place(
    order,
    () => true,
    async () => true,
  );

/** Places an order on each side at each price, one after another. */
async function placeAll(exchange: Exchange, market: Market, timeInForce: TimeInForce = 'GTC', terms: Terms = {}) {
  const trials: Trial[] = [];
  for (const side of SIDES) {
    for (const limit of PRICES) {
      const changes = { side, price: limit, timeInForce, ...terms } as Partial<OrderDraft>;
      const order = await trialOrder(exchange, market, changes);
      trials.push({ order, answer: await placed(exchange, order) });
    }
  }
  return trials;
}

async function placeAccepted(...placing: Parameters<typeof placeAll>): Promise<Trial<Accepted>[]> {
  const trials = await placeAll(...placing);
  return trials.flatMap(({ order, answer }) => (answer.kind === 'accepted' ? [{ order, answer }] : []));
}

function executed({ executions }: Accepted): bigint {
  return executions.reduce((sum, { shares }) => sum + shares, 0n);
}

/** In whole micro-dollars: what is left of one is the rounding of the venue. */
function spent({ executions }: Accepted): bigint {
  return executions.reduce((sum, { shares, price: at }) => sum + notional(shares, at, 'floor'), 0n);
}

/** Requires that an order found later has the identity and the trades of its placement: it may only have traded further. */
function assertContinues(found: Accepted, placed: Accepted): void {
  assert.equal(found.venueOrderId, placed.venueOrderId, 'the identity of an order changed');
  const trades = new Map(found.executions.map((execution) => [execution.tradeId, execution]));
  for (const { tradeId, shares, price: at } of placed.executions) {
    const again = trades.get(tradeId);
    assert.ok(again !== undefined, `trade ${tradeId} is gone`);
    assert.deepEqual([again.shares, again.price], [shares, at], `trade ${tradeId} changed`);
  }
}
