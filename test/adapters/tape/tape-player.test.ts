import { describe, expect, it } from 'vitest';
import { indexTape } from '../../../src/adapters/tape/tape-index.js';
import { openTape, TapeMarketData } from '../../../src/adapters/tape/tape-market-data.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { MarketEvent } from '../../../src/core/market/event.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import type { Market } from '../../../src/core/market/market.js';
import {
  alive,
  book,
  brief,
  described,
  fileOf,
  freshPath,
  HEADER,
  level,
  line,
  listed,
  packed,
  pastNoon,
  RAIN,
  SNOW,
  START,
  tape,
  trade,
} from './tapes.js';

const fastest = (path: string) => openTape(path, { speed: 'max' });
const BEGIN = [line(0, described(RAIN)), line(0, book('0.5', '0.6'))];

/** Records everything that a tape does, with the tape's own time. */
function diary(player: TapeMarketData) {
  const entries: string[] = [];
  const write = (what: string) => void entries.push(`${player.now().getTime() - START}: ${what}`);
  const follow = (market: Market = RAIN) => player.follow(market, (event) => write(`${market.slug} ${brief(event)}`));
  const task = (ms: number, name: string) => player.at(pastNoon(ms), () => write(name));
  return { entries, write, follow, task };
}

describe('A tape that is played', () => {
  it('waits at its first moment and lists its markets until started', async () => {
    const player = await fastest(tape(alive(5), line(9, described(RAIN)), line(20, book('0.5', '0.6'))));
    expect(player.now()).toEqual(pastNoon(5));
    expect(await player.find(RAIN.id)).toEqual(RAIN);
    expect(await player.book(RAIN)).toEqual({ bids: [], asks: [], at: pastNoon(5), fresh: false });
    expect(player.index).toMatchObject({
      header: { venue: 'test' },
      began: pastNoon(5),
      ended: pastNoon(20),
      lines: 3,
    });
  });

  it.each(['max', 1_000_000, 40] as const)(
    'delivers each event at its time, repeatably, at speed %s',
    async (speed) => {
      const lines = [
        ...BEGIN,
        line(0, described(SNOW), SNOW),
        line(300, trade('1')),
        line(300, book('0.2', '0.3'), SNOW),
        line(301, { type: 'levels', changes: [{ side: 'bids', ...level('0.4', '0') }] }),
        line(2000, { type: 'tick', tick: level('0.1', '0').price }),
      ];
      const path = tape(...lines);
      const play = async () => {
        const player = await openTape(path, { speed });
        const { entries, follow, task } = diary(player);
        await follow(RAIN);
        await follow(SNOW);
        task(300, 'task');
        task(700, 'task');
        await player.start();
        await player.ended;
        player.stop();
        return entries;
      };
      const entries = await play();
      expect(await play()).toEqual(entries);
      expect(entries).toEqual([
        '0: rain-slug 0 gap',
        '0: snowfall-slug 0 gap',
        '0: rain-slug 0 market',
        '0: rain-slug 0 book',
        '0: snowfall-slug 0 market',
        '300: rain-slug 300 trade',
        '300: snowfall-slug 300 book',
        '300: task',
        '301: rain-slug 301 levels',
        '700: task',
        '2000: rain-slug 2000 tick',
        '2000: rain-slug 2000 gap',
        '2000: snowfall-slug 2000 gap',
      ]);
    },
  );

  it('has the book and the newest metadata of its current time', async () => {
    const won: Market = { ...RAIN, status: 'resolved', payout: YES_WON, slug: 'it-rained' };
    const player = await fastest(
      tape(
        ...BEGIN,
        line(9, { type: 'levels', changes: [{ side: 'asks', ...level('0.55', '7') }] }),
        line(10, described(won)),
      ),
    );
    const seen: unknown[] = [];
    player.at(pastNoon(9), async () => void seen.push(await player.book(RAIN), (await player.find(RAIN.id))?.status));
    await player.start();
    await player.ended;
    expect(seen).toEqual([
      { bids: [level('0.5', '10')], asks: [level('0.55', '7'), level('0.6', '20')], at: pastNoon(9), fresh: true },
      'open',
    ]);
    expect(await player.find('it-rained' as MarketId)).toEqual(won);
    expect(await player.find((RAIN.venueId ?? '') as MarketId)).toEqual(won);
    expect(await player.find('nothing' as MarketId)).toBeUndefined();
    expect(await player.book(listed('nothing'))).toBeUndefined();
    expect((await player.book(RAIN))?.fresh).toBe(false);
  });

  it('gives a late follower the book, or a gap without one', async () => {
    const player = await fastest(
      tape(...BEGIN, line(5, trade('1')), line(7, { type: 'gap', reason: 'lost' }), alive(9)),
    );
    const seen: MarketEvent[] = [];
    for (const ms of [4, 8]) {
      player.at(pastNoon(ms), async () => {
        const following = await player.follow(RAIN, (event) => void seen.push(event));
        player.at(pastNoon(ms + 2), () => following.stop());
      });
    }
    await player.start();
    await player.ended;
    expect(seen).toEqual([
      { ...book('0.5', '0.6'), at: pastNoon(0) },
      { ...trade('1'), at: pastNoon(5) },
      { type: 'gap', reason: 'lost', at: pastNoon(8) },
      { type: 'gap', reason: 'the tape has ended', at: pastNoon(9) },
    ]);
  });

  it.each([
    ['by itself', {}],
    ['in a backtest', { isAlone: true }],
  ])('runs the tasks of its last moment before its last gap, %s', async (_, span) => {
    const path = tape(...BEGIN, line(5, book('0.4', '0.5')));
    const player = new TapeMarketData([path], await indexTape(path), 'max', span);
    const seen: string[] = [];
    await player.follow(RAIN, (event) => void seen.push(brief(event)));
    player.at(pastNoon(5), async () => void seen.push(`fresh ${(await player.book(RAIN))?.fresh}`));
    await player.play();
    expect(seen.slice(-3)).toEqual(['5 book', 'fresh true', '5 gap']);
  });

  it('has a gap in every market after 30 unrecorded seconds', async () => {
    const player = await fastest(
      tape(...BEGIN, alive(30_000), line(60_001, trade('1')), line(60_002, book('0.1', '0.2')), alive(60_003)),
    );
    const { entries, follow } = diary(player);
    const fresh: unknown[] = [];
    for (const ms of [60_001, 60_002])
      player.at(pastNoon(ms), async () => void fresh.push((await player.book(RAIN))?.fresh));
    await follow();
    await player.start();
    await player.ended;
    expect(entries.slice(3, 6)).toEqual([
      '60000: rain-slug 60000 gap',
      '60001: rain-slug 60001 trade',
      '60002: rain-slug 60002 book',
    ]);
    expect(fresh).toEqual([false, true]);
  });

  it('lists its markets by what is asked, a page at a time', async () => {
    const markets = ['a', 'bb', 'ccc'].map((name) => listed(name, { sport: name === 'bb' ? 'tennis' : 'soccer' }));
    const player = await fastest(tape(...markets.map((market) => line(0, described(market)))));
    const [first, , third] = markets;
    const page = await player.search({ sport: 'Soccer' }, { limit: 1 });
    expect(page).toEqual({ items: [first], next: first?.id });
    expect(await player.search({ sport: 'Soccer' }, { limit: 1, after: page.next ?? '' })).toEqual({
      items: [third],
      next: null,
    });
    expect(await player.search({ status: 'resolved' }, { limit: 9 })).toEqual({ items: [], next: null });
  });

  it('knows the sports of its markets, where they have any', async () => {
    const tennis = { ...SNOW, sport: 'tennis' };
    const player = await fastest(tape(...BEGIN, line(0, described(tennis), tennis)));
    expect(player.sports()).toEqual(['tennis']);
    expect((await fastest(tape(...BEGIN))).sports()).toBeNull();
  });

  it('waits for each listener and task before it goes on', async () => {
    const player = await fastest(tape(...BEGIN, line(5, trade('1'))));
    const entries: string[] = [];
    const slowly = async (name: string) => {
      entries.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      entries.push(`${name} ends`);
    };
    await player.follow(RAIN, ({ type }) => (type === 'trade' || type === 'book' ? slowly(type) : undefined));
    player.at(pastNoon(3), () => slowly('task'));
    await player.start();
    await player.ended;
    expect(entries).toEqual(['book begins', 'book ends', 'task begins', 'task ends', 'trade begins', 'trade ends']);
  });

  it('does not block the process at full speed', async () => {
    const player = await fastest(tape(...BEGIN, ...Array.from({ length: 2000 }, (_, ms) => line(ms, trade('1')))));
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (player.now() < pastNoon(1999)) setImmediate(turn);
    };
    await player.start();
    setImmediate(turn);
    await player.ended;
    expect(turns).toBeGreaterThan(20);
  });

  it('stops at once, and time with it', async () => {
    const player = await fastest(tape(...BEGIN, line(5, trade('1')), line(6, trade('2'))));
    const { entries, follow, task } = diary(player);
    await follow();
    player.at(pastNoon(5), () => player.stop());
    task(5, 'too late');
    await player.start();
    await player.ended;
    expect(entries.at(-1)).toBe('5: rain-slug 5 trade');
    expect(player.now()).toEqual(pastNoon(5));
  });

  it('ends with what a listener throws', async () => {
    const player = await fastest(tape(...BEGIN, line(5, trade('1'))));
    await player.follow(RAIN, ({ type }) => {
      if (type === 'book') throw new Error('no room');
    });
    await player.start();
    await expect(player.ended).rejects.toThrow('no room');
  });

  it('plays a packed tape, and one that was cut', async () => {
    const whole = packed(...BEGIN, line(5, trade('1')));
    const player = await fastest(fileOf(whole.subarray(0, whole.length - 9), '.gz'));
    await player.start();
    await player.ended;
    expect((await player.book(RAIN))?.bids).toEqual([level('0.5', '10')]);
  });

  it('is refused before anything of it is played', async () => {
    await expect(fastest(fileOf(`${HEADER}\nrain\n`))).rejects.toThrow('line 2 of the tape: is not JSON');
    await expect(fastest(freshPath())).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(openTape(tape(), { speed: 0 })).rejects.toThrow(RangeError);
  });
});
