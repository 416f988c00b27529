import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { shares, usdc } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { listeningAt } from './user-stream.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

const connections = () => live.venue.user.clients.filter(({ socket }) => socket.readyState === socket.OPEN).length;

describe('A stream that was cut', () => {
  it('row 53: reports a gap, and a sweep finds each missed event', async () => {
    const stream = await listeningAt(live);
    const [filled, resting] = [await live.place(), await live.place()];
    await stream.caughtUp();
    const gaps = stream.gaps();
    live.venue.user.upgrade = 'refuse';
    live.venue.user.drop();
    await eventually(() => expect(stream.open()).toBe(false));
    live.time.now += 30_000;
    live.venue.offer(YES, 'SELL', '0.5', '28');
    live.venue.settleAll('CONFIRMED');
    live.venue.user.upgrade = 'accept';
    await eventually(() => expect(live.venue.user.listeners).toHaveLength(1));
    await eventually(() => expect(stream.gaps()).toBe(gaps + 1));
    expect(await live.now(filled)).toMatchObject({ state: 'open', filled: { shares: 0n } });
    expect(await live.sweep(new Date(live.time.now - 600_000))).toMatchObject({ complete: true, changed: 2 });
    expect(await live.now(filled)).toMatchObject({ state: 'filled', filled: { confirmed: shares('20') } });
    expect(await live.now(resting)).toMatchObject({ state: 'open', filled: { confirmed: shares('8') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('86'), reserved: usdc('6') });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 55: repeatedly reconnects with one connection at a time', async () => {
    const stream = await listeningAt(live);
    const many: number[] = [];
    for (let bounces = 1; bounces <= 100; bounces++) {
      live.venue.user.drop();
      await eventually(() => expect(stream.gaps()).toBeGreaterThan(bounces));
      await eventually(() => expect(live.venue.user.listeners).toHaveLength(1));
      many.push(connections());
    }
    expect(new Set(many)).toEqual(new Set([1]));
    expect(live.venue.user.clients).toHaveLength(101);
    await live.place();
    await stream.caughtUp();
    expect(await live.wrong()).toEqual([]);
  });
});
