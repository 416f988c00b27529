import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ALICE, price, shares, usdc } from '../support/builders.js';
import { aMarket } from '../support/fake-venue/markets.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { charging } from './charging.js';
import { listeningAt } from './user-stream.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

const bought = { cash: usdc('90'), reserved: 0n };

describe('A trade counts once', () => {
  it('row 50: over repeated stream reports, a sweep, a retry and confirmation', async () => {
    live.venue.user.copies = 2;
    const stream = await listeningAt(live);
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    live.venue.settleAll('RETRYING');
    await live.sweep();
    live.venue.settleAll('CONFIRMED');
    await stream.caughtUp();
    await live.sweep();
    expect(await live.now(order)).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), confirmed: shares('20') },
    });
    expect((await live.types(order)).filter((type) => type.startsWith('fill'))).toEqual(['fill', 'fill_confirmed']);
    expect(await live.balance()).toMatchObject(bought);
    expect((await live.sweep()).changed).toBe(0);
    expect(await live.wrong()).toEqual([]);
  });

  it('row 50: of an immediate order, over its answer, stream and sweep', async () => {
    const stream = await listeningAt(live);
    live.venue.offer(YES, 'SELL', '0.5', '20');
    const order = await live.place({ timeInForce: 'FOK' });
    live.venue.settleAll('RETRYING');
    live.venue.settleAll('CONFIRMED');
    await stream.caughtUp();
    await live.sweep();
    expect((await live.now(order)).filled).toMatchObject({ shares: shares('20'), confirmed: shares('20') });
    expect((await live.types(order)).filter((type) => type.startsWith('fill'))).toEqual(['fill', 'fill_confirmed']);
    expect(await live.wrong()).toEqual([]);
  });

  it.each(['by the stream', 'by a sweep'])('row 50: for both of our own orders in one match, %s', async (how) => {
    const stream = await listeningAt(live);
    const news = () => (how === 'by a sweep' ? live.sweep() : stream.caughtUp());
    live.venue.offer(YES, 'SELL', '0.4', '20');
    await live.place({ timeInForce: 'FOK' });
    live.venue.settleAll('CONFIRMED');
    await stream.caughtUp();
    const start = { balance: await live.balance(), positions: await live.positions() };
    live.venue.user.silent = how === 'by a sweep';
    const resting = await live.place({ side: 'SELL', price: price('0.6'), size: usdc('6') });
    const taking = await live.place({ price: price('0.6'), size: usdc('6') });
    await news();
    for (const order of [resting, taking]) {
      expect(await live.now(order)).toMatchObject({ state: 'filled', filled: { notional: usdc('6') } });
    }
    expect(await live.balance()).toMatchObject({ cash: start.balance?.cash, reserved: 0n });
    expect(await live.wrong()).toEqual([]);
    live.venue.settle(live.venue.trades.at(-1) ?? '', 'FAILED');
    await news();
    await live.sweep();
    for (const order of [resting, taking]) expect(await live.now(order)).toMatchObject({ filled: { shares: 0n } });
    expect({ balance: await live.balance(), positions: await live.positions() }).toEqual(start);
    expect(await live.wrong()).toEqual([]);
  });

  it.each(['MATCHED', 'FAILED'])(
    'row 51: and stays confirmed though the stream reports %s afterwards',
    async (late) => {
      live.venue.user.keep();
      const stream = await listeningAt(live);
      const order = await live.place();
      live.venue.offer(YES, 'SELL', '0.5', '20');
      live.venue.settleAll('CONFIRMED');
      live.venue.user.letGo((messages) => {
        const [matched, confirmed] = messages.filter(({ trade_owner }) => trade_owner === live.credentials.apiKey);
        return [confirmed ?? {}, { ...matched, status: late }];
      });
      await stream.caughtUp(2);
      const now = await live.now(order);
      expect(now).toMatchObject({ state: 'filled', fills: [{ settlement: 'confirmed' }] });
      expect(now.filled).toMatchObject({ shares: shares('20'), confirmed: shares('20') });
      expect(await live.balance()).toMatchObject(bought);
      expect(stream.found.flatMap(({ contradictions }) => contradictions)).toHaveLength(late === 'FAILED' ? 1 : 0);
      expect(await live.wrong()).toEqual([]);
    },
  );
});

describe('A fill that comes before the answer to the order', () => {
  it.each(['by the stream', 'by a sweep'])(
    'row 52: %s is attached by order identity and not counted twice',
    async (how) => {
      const stream = await listeningAt(live);
      if (how === 'by a sweep') live.venue.user.silent = true;
      live.venue.offer(YES, 'SELL', '0.5', '20');
      const held = live.venue.hold('POST /order', 'answer');
      const placing = live.place({ timeInForce: 'FOK' });
      await held.arrived;
      if (how === 'by a sweep') await live.sweep();
      else await stream.caughtUp();
      const [early] = await live.ledger.listOrders(ALICE, {}, { limit: 1 });
      expect(early).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
      held.release();
      const order = await placing;
      expect(await live.now(order)).toMatchObject({ seq: early?.seq, fills: early?.fills });
      expect(await live.balance()).toMatchObject(bought);
      expect(live.posts()).toBe(1);
      expect(await live.wrong()).toEqual([]);
    },
  );
});

describe('A trade that the venue undoes', () => {
  it.each(['GTC', 'FAK'] as const)('row 61: of a %s order restores cash, position and profit', async (timeInForce) => {
    const start = await live.balance();
    const stream = await listeningAt(live);
    live.venue.offer(YES, 'SELL', '0.48', '20');
    const order = await live.place({ timeInForce });
    const [held] = await live.positions();
    expect(held).toMatchObject({ shares: shares('20'), cost: usdc('9.6') });
    live.venue.settleAll('RETRYING');
    live.venue.settleAll('FAILED');
    await stream.caughtUp();
    await live.lookAfter(3);
    await live.sweep();
    expect(await live.now(order)).toMatchObject({
      filled: { shares: 0n, notional: 0n },
      fills: [{ settlement: 'voided' }],
    });
    expect(await live.types(order)).toContain('fill_voided');
    expect(await live.balance()).toMatchObject({ cash: start?.cash, reserved: 0n });
    expect(await live.positions()).toMatchObject([{ shares: 0n, cost: 0n, fees: 0n, realised: 0n, reserved: 0n }]);
    expect(live.posts()).toBe(1);
    expect(await live.wrong()).toEqual([]);
  });

  it('row 61: of a sale restores shares, cost, fees and profit', async () => {
    await live.close();
    live = await liveTrader({}, charging);
    live.venue.list(aMarket('game', { feeRate: '0.05' }));
    const stream = await listeningAt(live);
    const { id: strategyId } = await live.trading.strategy({ paperOnly: false });
    live.venue.offer(YES, 'SELL', '0.4', '20');
    const order = await live.place({ timeInForce: 'FAK', strategyId });
    live.venue.settleAll('CONFIRMED');
    await stream.caughtUp();
    const before = { ...(await live.trading.money(order)), whole: await live.positions() };
    live.venue.offer(YES, 'BUY', '0.6', '7');
    const sale = await live.place({ side: 'SELL', timeInForce: 'FAK', size: usdc('7.5'), strategyId });
    expect(await live.trading.money(order)).not.toMatchObject({ balance: before.balance });
    live.venue.settle(live.venue.trades.at(-1) ?? '', 'FAILED');
    await stream.caughtUp();
    expect(await live.now(sale)).toMatchObject({ state: 'cancelled', filled: { shares: 0n, notional: 0n, fees: 0n } });
    expect((await live.types(sale)).at(-1)).toBe('fill_voided');
    expect({ ...(await live.trading.money(order)), whole: await live.positions() }).toEqual(before);
    expect(await live.wrong()).toEqual([]);
  });

  it('row 61: of a partially filled order takes back only that part', async () => {
    const stream = await listeningAt(live);
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '8');
    live.venue.offer(YES, 'SELL', '0.5', '5');
    const [kept = '', undone = ''] = live.venue.trades;
    live.venue.settle(kept, 'CONFIRMED');
    live.venue.settle(undone, 'FAILED');
    await stream.caughtUp();
    expect(await live.now(order)).toMatchObject({ state: 'open', filled: { shares: shares('8') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('96'), reserved: usdc('6') });
    live.venue.offer(YES, 'SELL', '0.5', '7');
    await stream.caughtUp();
    await live.sweep();
    expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('15') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('92.5'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});
