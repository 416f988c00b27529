import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusOf } from '../../src/core/order/order.js';
import { price, shares, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { type LiveExits, liveExits } from './live-exits-fixture.js';

let live: LiveExits;
beforeEach(async () => {
  live = await liveExits({ takeProfit: { price: price('0.60') } });
});
afterEach(async () => {
  expect([live.faults, await live.wrong()]).toEqual([[], []]);
  await live.close();
});

/** The bids that a sale is for, at the venue and in the market data. */
async function bids(size: string, at = '0.60'): Promise<void> {
  live.venue.offer(live.token, 'BUY', at, size);
  await live.show(`${at}x${size}`, '0.62x1000');
}

describe('A strategy that leaves a bet of real money', () => {
  it('sells with FAK, and gets what the venue paid', async () => {
    expect([await live.held(), (await live.balance())?.cash]).toEqual([shares('20'), usdc('90')]);
    await bids('1000');
    const [sale, ...others] = await live.sales();
    expect(others).toEqual([]);
    expect(sale?.intent).toMatchObject({ paper: false, side: 'SELL', timeInForce: 'FAK', shares: shares('20') });
    expect(live.sent()).toEqual([expect.objectContaining({ side: 'SELL', type: 'FAK' })]);
    expect([await live.held(), (await live.balance())?.cash]).toEqual([0n, usdc('102')]);
  });

  it('sells the rest of what was filled in part, as bids come', async () => {
    await bids('8');
    expect([await live.held(), live.sent().length]).toEqual([shares('12'), 1]);
    await bids('1000');
    expect((await live.sales()).map(({ filled }) => filled.shares)).toEqual([shares('8'), shares('12')]);
    expect([await live.held(), (await live.balance())?.cash]).toEqual([0n, usdc('102')]);
  });

  it('whose sale the venue took without a word sells nothing twice', async () => {
    live.venue.script('POST /order', faults.hangsUp());
    await bids('1000');
    expect((await live.sales()).map(statusOf)).toEqual(['unknown']);
    for (const at of ['0.61', '0.60', '0.61']) await live.show(`${at}x1000`, '0.63x1000');
    await live.pass(90_000);
    expect(live.sent()).toHaveLength(1);
    await live.lookAfter(3);
    expect((await live.sales()).map(statusOf)).toEqual(['filled']);
    await live.show('0.60x1000', '0.62x1000');
    expect([live.sent().length, await live.held(), (await live.balance())?.cash]).toEqual([1, 0n, usdc('102')]);
  });

  it('sells again only once its lost sale certainly never reached the venue', async () => {
    live.venue.script('POST /order', faults.hangsUp({ acts: false }));
    await bids('1000');
    const [lost] = await live.sales();
    let seconds = 0;
    while (statusOf(await live.now(lost)) === 'unknown') {
      expect([(await live.sales()).length, live.sent().length]).toEqual([1, 1]);
      await live.lookAfter(1);
      seconds += 5;
      await live.show('0.60x1000', '0.62x1000');
    }
    expect(seconds).toBeGreaterThanOrEqual(120);
    await live.refresh();
    await live.pass(2000);
    expect((await live.sales()).map(statusOf)).toEqual(['rejected', 'filled']);
    expect([await live.held(), (await live.balance())?.cash]).toEqual([0n, usdc('102')]);
  });

  it('sells nothing once its key is revoked and records the reason', async () => {
    await live.revoke();
    await bids('1000');
    await live.refresh();
    await live.show('0.61x1000', '0.62x1000');
    expect([live.sent(), await live.held()]).toEqual([[], shares('20')]);
    const skips = () => live.skips('live_trading_not_enabled');
    expect(await skips()).toMatchObject([
      { verdict: 'skip', token: 'YES', boundBy: 'exit/take_profit', orderId: null },
    ]);
    await live.pass(10_000);
    expect((await skips()).length).toBeGreaterThan(2);
    expect(live.sent()).toEqual([]);
  });
});
