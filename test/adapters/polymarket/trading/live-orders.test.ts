import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/none.js';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import type { OrderDraft } from '../../../../src/core/order/draft.js';
import type { Order } from '../../../../src/core/order/order.js';
import { AuditBooks } from '../../../../src/core/usecases/audit-books.js';
import { LookAfterOrders } from '../../../../src/core/usecases/look-after-orders.js';
import { ManageAccounts } from '../../../../src/core/usecases/manage-accounts.js';
import { ALICE, aDesk, price, usdc } from '../../../support/builders.js';
import { actsAndHangs, forgets } from '../../../support/fake-venue/faults.js';
import { Trading } from '../../../support/trading.js';
import { aStage, listed, YES } from './exchange-stage.js';

/** A live account with 100 dollars, the exchange as it runs, and a worker, all in the time of the stage. */
async function desk() {
  const stage = await aStage({ overallMs: 300 });
  const clock = { now: () => new Date(stage.time.now) };
  const ledger = new MemoryLedger(clock);
  const wired = aDesk({ clock, stopwatch: () => stage.time.now });
  const markets = Object.assign(new NoMarketData(), { find: async () => listed() });
  const trading = new Trading(ledger, { live: stage.exchange, markets, desk: wired });
  const worker = new LookAfterOrders(
    ledger,
    ledger,
    { paper: stage.exchange, live: stage.exchange },
    trading.submitOrder,
    wired,
  );
  const operator = new ManageAccounts(ledger, wired);
  await operator.deposit(ALICE, usdc('100'));
  await operator.allowLive(ALICE, true);
  const place = (draft: Partial<OrderDraft> = {}) =>
    trading.place({ paper: false, price: price('0.5'), size: usdc('10'), ...draft }, { mayTradeLive: true });
  const now = async ({ id }: Order) => (await ledger.findOrder(ALICE, id)) as Order;
  /** What the venue says against our record, and the books against each other. */
  const wrong = async () => {
    const orders = await ledger.listOrders(ALICE, {}, { limit: 100 });
    const records = orders.map(({ id, venueOrderId, filled }) => {
      return { id, hashes: venueOrderId === null ? [] : [venueOrderId], filled: filled.shares };
    });
    const findings = [];
    for await (const audit of new AuditBooks(ledger, wired).execute()) findings.push(...audit.findings);
    return [...stage.venue.breaches(records), ...findings];
  };
  return { ...stage, ledger, worker, place, now, wrong };
}

describe('An order with real money, from the use case to the venue and back', () => {
  let live: Awaited<ReturnType<typeof desk>>;
  beforeEach(async () => {
    live = await desk();
  });
  afterEach(() => live.close());

  it('fills at the venue, and the account pays what the venue took', async () => {
    live.venue.offer(YES, 'SELL', '0.48', '20');
    const order = await live.place({ timeInForce: 'FAK' });
    expect(order).toMatchObject({ state: 'filled', filled: { notional: usdc('9.6') } });
    expect(await live.ledger.findBalance(ALICE, false)).toMatchObject({ cash: usdc('90.4'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('is found by its identity when the venue took it and never answered', async () => {
    live.venue.script('POST /order', actsAndHangs());
    const order = await live.place();
    expect(order).toMatchObject({ state: 'unknown' });
    live.time.now += 5_000;
    await live.worker.execute();
    expect(await live.now(order)).toMatchObject({ state: 'open', venueOrderId: order.venueOrderId });
    expect(live.posts()).toBe(1);
    expect(await live.wrong()).toEqual([]);
  });

  it('gives its money back once it is sure that the venue never had it, and not before', async () => {
    live.venue.script('POST /order', forgets());
    const order = await live.place({ timeInForce: 'FOK' });
    for (let look = 0; look < 60 && (await live.now(order)).state === 'unknown'; look++) {
      const waited = live.time.now - order.placedAt.getTime();
      expect(await live.ledger.findBalance(ALICE, false)).toMatchObject({ reserved: usdc('10') });
      expect(waited).toBeLessThan(300_000);
      live.time.now += 5_000;
      await live.worker.execute();
    }
    expect(live.time.now - order.placedAt.getTime()).toBeGreaterThanOrEqual(120_000);
    expect(await live.now(order)).toMatchObject({ state: 'rejected', refusal: { code: 'never_arrived' } });
    expect(await live.ledger.findBalance(ALICE, false)).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(live.posts()).toBe(1);
    expect(await live.wrong()).toEqual([]);
  });
});
