import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { METADATA_ROUNDS } from '../../../../src/adapters/polymarket/market-data/polymarket-market-data.js';
import { PacedRounds } from '../../../../src/adapters/transport/paced-rounds.js';
import { MarketWatch } from '../../../../src/adapters/venue/market-watch.js';
import { MarketDataUnavailable } from '../../../../src/core/errors.js';
import type { MarketEvent } from '../../../../src/core/market/event.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { Market } from '../../../../src/core/market/market.js';
import type { MarketListener } from '../../../../src/ports/market-data.js';
import { clockAt, type FixedClock, NOON, price } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { aMarket } from '../../../support/scripted-market.js';
import { Venue } from './venue.js';

const HALF_A_MINUTE = 30_000;
const START = new Date('2026-03-01T13:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A follower of a market whose metadata the test sets, after its first event. */
async function watching(read: () => Promise<Market | undefined>, listener: MarketListener = () => {}) {
  const clock: FixedClock = clockAt(NOON);
  const events: MarketEvent[] = [];
  const reports: string[] = [];
  const take = (event: MarketEvent) => {
    events.push(event);
    return listener(event);
  };
  const watch = new MarketWatch(aMarket(), take, clock, read, (reason) => reports.push(reason));
  new PacedRounds<MarketWatch>(METADATA_ROUNDS, (one) => void one.look()).touch(watch);
  await watch.hand({ type: 'gap', reason: 'begin', at: clock.now() }).catch(() => {});
  const markets = () => events.flatMap((event) => (event.type === 'market' ? [event.market] : []));
  return { watch, clock, events, markets, reports };
}

describe('a follower of a market of Polymarket', () => {
  let venue: Venue;
  const markets: Market[] = [];

  beforeEach(async () => {
    markets.length = 0;
    venue = await Venue.open();
    venue.shows([], []);
    await venue.data.follow(await venue.found(), (event) => {
      if (event.type === 'market') markets.push(event.market);
    });
  });

  afterEach(() => venue.close());

  const won = { closed: true, umaResolutionStatus: 'resolved', outcomePrices: '["1", "0"]' };
  const winner = () =>
    (venue.game.clob['tokens'] as object[]).map((token, index) => ({ ...token, winner: index === 0 }));

  test.each([
    [
      'that the start moved',
      () => venue.relists({ gameStartTime: '2027-01-16 02:30:00+00' }),
      { startsAt: new Date('2027-01-16T02:30:00.000Z') },
    ],
    [
      'that no orders are taken any more',
      () => venue.relists({}, { accepting_orders: false }),
      { status: 'suspended', terms: { acceptingOrders: false } },
    ],
    ['that the market is closed', () => venue.relists({ closed: true }), { status: 'closed', payout: null }],
    [
      'what the outcomes pay',
      () => venue.relists(won, { closed: true, tokens: winner() }),
      { status: 'resolved', payout: YES_WON },
    ],
  ])('learns within half a minute %s', async (_what, change, expected) => {
    change();
    vi.advanceTimersByTime(HALF_A_MINUTE - 1);
    expect(venue.rest.asked('/gamma/markets/keyset')).toBe(1);
    vi.advanceTimersByTime(1);
    await eventually(() => expect(markets).toHaveLength(1));
    expect(markets[0]).toMatchObject(expected);
  });

  test('learns that the book will be cleared at the start', async () => {
    const clears = (flag: boolean) => venue.relists({ clearBookOnStart: flag }, {}, { cbos: flag });
    for (const [turn, flag] of [false, true].entries()) {
      clears(flag);
      vi.advanceTimersByTime(HALF_A_MINUTE);
      await eventually(() => expect(markets).toHaveLength(turn + 1));
    }
    expect(markets.map(({ terms }) => terms?.clearsBookAtStart)).toEqual([false, true]);
  });
});

describe('the metadata of a market that is followed', () => {
  test.each([
    ['cannot be read', () => Promise.reject(new MarketDataUnavailable()), 1],
    ['fails to be read in an unexpected way', () => Promise.reject(new TypeError('a fault')), 1],
    ['is gone', () => Promise.resolve(undefined), 0],
  ])('is read again at the next turn when it %s', async (_what, failure, reported) => {
    const answers = [failure, () => Promise.resolve(aMarket({}, { startsAt: START }))];
    const { markets, reports } = await watching(() => (answers.shift() ?? failure)());
    vi.advanceTimersByTime(HALF_A_MINUTE);
    await eventually(() => expect(answers).toHaveLength(1));
    await eventually(() => expect(reports).toHaveLength(reported));
    vi.advanceTimersByTime(HALF_A_MINUTE);
    await eventually(() => expect(markets()).toMatchObject([{ startsAt: START }]));
  });

  test('is delivered to a listener that threw at an earlier event', async () => {
    const { watch, markets, reports } = await watching(
      async () => aMarket(),
      () => {
        throw new Error('a fault of the listener');
      },
    );
    await watch.look();
    await watch.look();
    expect(markets()).toHaveLength(2);
    expect(reports).toHaveLength(2);
  });

  test('is delivered in reading order, even when an answer is slow', async () => {
    const answers: ((market: Market) => void)[] = [];
    const { watch, markets } = await watching(() => new Promise((answer) => answers.push(answer)));
    const first = watch.look();
    const second = watch.look();
    // Were both under way, the later one would be answered first.
    answers[1]?.(aMarket({}, { status: 'resolved' }));
    answers[0]?.(aMarket({}, { status: 'closed' }));
    await eventually(() => expect(answers).toHaveLength(2));
    answers[1]?.(aMarket({}, { status: 'resolved' }));
    await Promise.all([first, second]);
    expect(markets().map(({ status }) => status)).toEqual(['closed', 'resolved']);
  });

  test('does not undo a newer tick, but replaces an older one', async () => {
    const answers: ((market: Market) => void)[] = [];
    const { watch, clock, markets } = await watching(() => new Promise((answer) => answers.push(answer)));
    const tick = (at: string) => watch.hand({ type: 'tick', tick: price(at), at: clock.now() });
    await tick('0.001');
    const look = watch.look();
    await eventually(() => expect(answers).toHaveLength(1));
    await tick('0.1');
    answers[0]?.(aMarket());
    await look;
    expect(markets().map(({ terms }) => terms?.tick)).toEqual([price('0.1')]);
    const again = watch.look();
    await eventually(() => expect(answers).toHaveLength(2));
    answers[1]?.(aMarket());
    await again;
    expect(markets().at(-1)?.terms?.tick).toBe(price('0.01'));
  });

  test('waits for the market’s earlier events, and its time never runs backwards', async () => {
    let release = () => {};
    const { watch, clock, events } = await watching(
      async () => aMarket(),
      ({ type }) => (type === 'tick' ? new Promise<void>((resolve) => (release = resolve)) : undefined),
    );
    const tick = watch.hand({ type: 'tick', tick: price('0.001'), at: clock.now() });
    clock.tick(-60_000);
    const looked = watch.look();
    await eventually(() => expect(events.map(({ type }) => type)).toEqual(['gap', 'tick']));
    release();
    await Promise.all([tick, looked]);
    expect(events.map(({ type }) => type)).toEqual(['gap', 'tick', 'market']);
    expect(events[2]?.at).toEqual(new Date(NOON));
  });

  test('is not delivered before the first event, nor after the end', async () => {
    const events: string[] = [];
    let reads = 0;
    const read = async () => {
      reads += 1;
      return aMarket();
    };
    const watch = new MarketWatch(
      aMarket(),
      ({ type }) => void events.push(type),
      clockAt(NOON),
      read,
      () => {},
    );
    await watch.look();
    expect([reads, events]).toEqual([0, []]);
    await watch.hand({ type: 'book', bids: [], asks: [], at: new Date(NOON) });
    const under = watch.look();
    watch.stop();
    await under;
    expect(events).toEqual(['book']);
    await watch.look();
    expect(reads).toBe(1);
  });

  test('is read for a thousand markets in rotation, within their allowance', async () => {
    const rounds = new PacedRounds<MarketWatch>(METADATA_ROUNDS, (one) => void one.look());
    const reads = new Map<number, number>();
    for (let index = 0; index < 1000; index++) {
      const read = async () => {
        reads.set(index, (reads.get(index) ?? 0) + 1);
        return undefined;
      };
      const watch = new MarketWatch(
        aMarket(),
        () => {},
        clockAt(NOON),
        read,
        () => {},
      );
      await watch.hand({ type: 'gap', reason: 'begin', at: new Date(NOON) });
      rounds.touch(watch);
    }
    const readSoFar = () => [...reads.values()].reduce((sum, times) => sum + times, 0);
    for (let seconds = 1; seconds <= 290; seconds++) {
      const before = readSoFar();
      vi.advanceTimersByTime(1000);
      await Promise.resolve();
      expect(readSoFar() - before).toBeLessThanOrEqual(8);
    }
    expect(reads.size).toBe(1000);
    expect(new Set(reads.values())).toEqual(new Set([2, 3]));
  });
});
