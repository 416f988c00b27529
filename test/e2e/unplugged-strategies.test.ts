import { describe, expect, it } from 'vitest';
import { alive, level, line, pastNoon, tape } from '../adapters/tape/tapes.js';
import { aMatch, inTime, KICK_OFF, says, shows } from '../support/match-day.js';
import { playStrategies, type Traded } from '../support/traded-tape.js';

const GAME = aMatch('game');
const HOMES: Traded = {
  name: 'homes at two to one',
  rules: {
    outcome: { index: 0 },
    filter: { minOdds: 2 },
    sizing: { method: 'flat', value: 10 },
    limits: { maxBetsPerOutcome: 5, cooldown: '10s' },
  },
};

/** The bid and the offer moved to here from 0.55 and 0.57, without word of the rest of the book. */
const changes = (second: number, bid: string, ask: string) => {
  const moved = (side: 'bids' | 'asks', from: string, to: string) => [
    { side, ...level(from, '0') },
    { side, ...level(to, '1000') },
  ];
  const all = [...moved('bids', '0.55', bid), ...moved('asks', '0.57', ask)];
  return line(second * 1000, { type: 'levels', changes: all }, GAME);
};
const gap = (second: number) => line(second * 1000, { type: 'gap', reason: 'the stream broke' }, GAME);

/** The seconds after noon at which bets were decided. */
const seconds = (bets: readonly { readonly at: Date }[]) =>
  bets.map(({ at }) => (at.getTime() - pastNoon(0).getTime()) / 1000);

describe('Market data that is unplugged and plugged in again', () => {
  it('nothing is bet on old prices; trading resumes with a full book', async () => {
    const lines = [
      says(GAME, 0),
      shows(GAME, 5, '0.55', '0.57'),
      gap(20),
      // These would do, but what else is in the book is not known.
      changes(30, '0.43', '0.45'),
      changes(40, '0.42', '0.44'),
      shows(GAME, 60, '0.47', '0.49'),
      shows(GAME, 70, '0.55', '0.57'),
    ];
    const { bets, looks, faults } = await playStrategies(tape(...inTime(lines, 90)), [HOMES]);
    expect(faults).toEqual([]);
    expect(seconds(bets)).toEqual([60]);
    expect(seconds(looks.filter(({ verdict }) => verdict === 'bet'))).toEqual([60]);
  });

  it('a recording that stops for a while is a gap too', async () => {
    const before = [says(GAME, 0), shows(GAME, 5, '0.55', '0.57'), alive(10_000)];
    const after = [changes(100, '0.43', '0.45'), alive(110_000), shows(GAME, 120, '0.47', '0.49'), alive(130_000)];
    const { bets } = await playStrategies(tape(...before, ...after), [HOMES]);
    expect(seconds(bets)).toEqual([120]);
  });

  it('a postponed game reopens nothing: neither past bets nor early ones', async () => {
    const later = { startsAt: new Date(KICK_OFF.getTime() + 3_600_000) };
    const early: Traded = {
      name: 'the last hour',
      bankrollCap: 1000,
      rules: { ...HOMES.rules, window: { from: '-1h' }, limits: { maxBetsPerOutcome: 1 } },
    };
    const lines = [
      says(GAME, 0),
      shows(GAME, 5, '0.47', '0.49'),
      shows(GAME, 20, '0.55', '0.57'),
      says(GAME, 30, later),
      shows(GAME, 40, '0.47', '0.49'),
      shows(GAME, 50, '0.55', '0.57'),
      // It is moved back, so that its window is open once more.
      says(GAME, 60),
      shows(GAME, 70, '0.47', '0.49'),
    ];
    const { bets, looks } = await playStrategies(tape(...inTime(lines, 90)), [early]);
    expect(seconds(bets)).toEqual([5]);
    expect(new Set(looks.filter(({ at }) => at > pastNoon(39_000)).map(({ code }) => code))).not.toContain(null);
  });
});
