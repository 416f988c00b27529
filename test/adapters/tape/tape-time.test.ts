import { afterEach, describe, expect, it, vi } from 'vitest';
import { openTape } from '../../../src/adapters/tape/tape-market-data.js';
import { alive, book, brief, described, line, pastNoon, RAIN, START, tape, trade } from './tapes.js';

const LINES = [line(0, described(RAIN)), line(0, book('0.5', '0.6')), line(1000, trade('1')), line(3000, trade('2'))];

afterEach(() => vi.useRealTimers());

/** Plays with a wall clock that only the test advances. */
async function paced(speed: number, path = tape(...LINES)) {
  const player = await openTape(path, { speed });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const seen: string[] = [];
  const time = () => player.now().getTime() - START;
  await player.follow(RAIN, (event) => void seen.push(brief(event)));
  /** Lets the tape proceed to where it waits for the wall clock. */
  const settled = async (timers = 1) => {
    while (vi.getTimerCount() < timers) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number, timers = 1) => {
    await vi.advanceTimersByTimeAsync(ms);
    await settled(timers);
  };
  return { player, seen, time, settled, pass };
}

describe('The time of a tape', () => {
  it('goes on smoothly between events, at the speed asked for', async () => {
    const { player, seen, time, settled, pass } = await paced(2);
    await player.start();
    await settled();
    expect(seen).toEqual(['0 gap', '0 market', '0 book']);
    await pass(250);
    expect(time()).toBe(500);
    await pass(249);
    expect([time(), seen.length]).toEqual([998, 3]);
    await pass(1);
    expect([time(), seen.at(-1)]).toEqual([1000, '1000 trade']);
    await pass(500);
    expect(time()).toBe(2000);
    player.stop();
    await player.ended;
    expect(time()).toBe(2000);
  });

  it('runs a task on time, even one added while waiting', async () => {
    const { player, time, settled, pass } = await paced(1);
    const ran: string[] = [];
    await player.start();
    await settled();
    await pass(1500);
    player.at(pastNoon(2000), () => void ran.push(`at ${time()}`));
    player.at(pastNoon(100), () => void ran.push(`late at ${time()}`));
    const callOff = player.at(pastNoon(1900), () => void ran.push('called off'));
    callOff();
    await pass(0);
    expect(ran).toEqual(['late at 1500']);
    await pass(500);
    expect(ran).toEqual(['late at 1500', 'at 2000']);
    player.stop();
  });

  it('does not wait up to the resume point, only after it', async () => {
    const { player, seen, time, settled, pass } = await paced(1);
    const ran: number[] = [];
    player.at(pastNoon(500), () => void ran.push(time()));
    player.at(pastNoon(2500), () => void ran.push(time()));
    void player.start(pastNoon(2000));
    await settled();
    expect([seen.at(-1), ran, time()]).toEqual(['1000 trade', [500], 2000]);
    await pass(500);
    expect([seen.at(-1), ran, time()]).toEqual(['1000 trade', [500, 2500], 2500]);
    player.stop();
  });

  it('goes on with the wall clock after the end, at any speed', async () => {
    const { player, seen, time, settled } = await paced(100, tape(...LINES, alive(4000)));
    const ran: number[] = [];
    player.at(pastNoon(6000), () => void ran.push(time()));
    await player.start();
    await settled();
    await vi.advanceTimersByTimeAsync(40);
    await player.ended;
    await settled();
    expect([seen.at(-1), time()]).toEqual(['4000 gap', 4000]);
    await vi.advanceTimersByTimeAsync(1999);
    expect([time(), ran]).toEqual([5999, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran).toEqual([6000]);
    player.stop();
  });

  it('at full speed runs remaining tasks in order, then uses wall time', async () => {
    const player = await openTape(tape(...LINES), { speed: 'max' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name} at ${player.now().getTime() - START}`);
    player.at(pastNoon(9000), note('last'));
    player.at(pastNoon(5000), () => {
      note('first')();
      player.at(pastNoon(6000), note('second'));
      player.at(pastNoon(10_000), note('later'));
    });
    await player.start();
    await player.ended;
    expect(ran).toEqual(['first at 5000', 'second at 6000', 'last at 9000']);
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1000);
    expect(ran.at(-1)).toBe('later at 10000');
    player.stop();
  });

  it('orders tasks by time, after simultaneous events, then as requested', async () => {
    const player = await openTape(tape(...LINES), { speed: 'max' });
    const order: string[] = [];
    await player.follow(RAIN, (event) => void order.push(brief(event)));
    for (const [ms, name] of [
      [3000, 'c'],
      [1000, 'a'],
      [999, 'x'],
      [1000, 'b'],
      [-5, 'early'],
    ] as const) {
      player.at(pastNoon(ms), () => void order.push(`${player.now().getTime() - START} ${name}`));
    }
    await player.start();
    await player.ended;
    expect(order).toEqual([
      '0 gap',
      '0 early',
      '0 market',
      '0 book',
      '999 x',
      '1000 trade',
      '1000 a',
      '1000 b',
      '3000 trade',
      '3000 c',
      '3000 gap',
    ]);
  });

  it('needs a moment for a task', async () => {
    const player = await openTape(tape(...LINES), { speed: 'max' });
    expect(() => player.at(new Date(Number.NaN), () => {})).toThrow(RangeError);
  });
});
