import { describe, expect, it } from 'vitest';
import { openTape, type TapeLine } from '../../../src/adapters/tape/index.js';
import type { VenueName } from '../../../src/core/ids.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import type { Market, OutcomeSide } from '../../../src/core/market/market.js';
import { aMatch, ends, inTime, KICK_OFF, says, shows } from '../../support/match-day.js';
import { alive, level, line, pastNoon, tape } from './tapes.js';

const HOUR = 3600;
const GAME = aMatch('a1');
const ONE = 1_000_000n;

/** What an outcome of the game closed at, once a tape of these lines was played. */
async function closeAfter(lines: readonly TapeLine[], outcome: OutcomeSide = 'YES', market: Market = GAME) {
  const player = await openTape(tape(...lines));
  await player.play();
  const { id: marketId, startsAt } = market;
  return player.closeOf({ venue: player.venue, marketId, outcome, firstFillAt: player.began, startsAt });
}

/** The lines, with a sign of life every ten seconds until after the start. */
const untilAfter = (...lines: readonly TapeLine[]) => inTime([says(GAME, 0), ...lines], HOUR + 20);

describe('What a market of a tape closed at', () => {
  it('is the middle of its last book before the start, for each outcome', async () => {
    const lines = untilAfter(shows(GAME, 10, '0.5', '0.52'), shows(GAME, HOUR, '0.7', '0.72'));
    expect(await closeAfter(lines)).toEqual({ price: 510_000n, fair: { n: 510_000n, d: ONE } });
    expect(await closeAfter(lines, 'NO')).toEqual({ price: 490_000n, fair: { n: 490_000n, d: ONE } });
  });

  it('is none where nothing was heard up to the start', async () => {
    const first = [says(GAME, 0), shows(GAME, 10, '0.5', '0.52')];
    expect(await closeAfter([...first, alive((HOUR + 1) * 1000)])).toBe('gap');
  });

  it.each([
    ['one side', [line(20_000, { type: 'book', bids: [level('0.5', '9')], asks: [] }, GAME)], 'one_sided'],
    ['no price', [line(20_000, { type: 'book', bids: [], asks: [] }, GAME)], 'no_book'],
    ['a wide spread', [shows(GAME, 20, '0.45', '0.51')], 'wide_spread'],
    ['a market that ended', [ends(GAME, 20, YES_WON)], 'no_book'],
    ['a gap', [line(20_000, { type: 'gap', reason: 'no connection' }, GAME)], 'gap'],
    ['no start', [says(GAME, 20, { startsAt: null })], 'not_started'],
  ] as const)('is none with %s', async (_, lines, reason) => {
    expect(await closeAfter(untilAfter(shows(GAME, 10, '0.5', '0.52'), ...lines))).toBe(reason);
  });

  it('follows a start that moves before it passes, and not after that', async () => {
    const [earlier, later] = [pastNoon(60_000), new Date(KICK_OFF.getTime() + 10_000)];
    const books = [
      shows(GAME, 30, '0.4', '0.42'),
      shows(GAME, 90, '0.5', '0.52'),
      shows(GAME, HOUR + 5, '0.6', '0.62'),
    ];
    const closeWith = (...moves: readonly TapeLine[]) => closeAfter(untilAfter(...books, ...moves));
    expect(await closeWith(says(GAME, 40, { startsAt: earlier }))).toMatchObject({ price: 410_000n });
    expect(await closeWith(says(GAME, 100, { startsAt: later }))).toMatchObject({ price: 610_000n });
    expect(await closeWith(says(GAME, HOUR + 1, { startsAt: later }))).toMatchObject({ price: 510_000n });
  });

  it('is fair by the sum of an exclusive set, where each has one', async () => {
    const set = ['home', 'draw', 'away'].map((name) => aMatch(name, { exclusiveSet: 'game' }));
    const [home, draw, away] = set as [Market, Market, Market];
    const lines = [
      ...set.map((market) => says(market, 0)),
      shows(home, 10, '0.49', '0.51'),
      shows(draw, 10, '0.29', '0.31'),
    ];
    const whole = inTime([...lines, shows(away, 10, '0.24', '0.26')], HOUR + 20);
    expect(await closeAfter(whole, 'YES', home)).toEqual({ price: 500_000n, fair: { n: 500_000n, d: 1_050_000n } });
    expect(await closeAfter(whole, 'NO', draw)).toEqual({ price: 700_000n, fair: { n: 750_000n, d: 1_050_000n } });
    const part = inTime([...lines, shows(away, 10, '0.2', '0.3')], HOUR + 20);
    expect(await closeAfter(part, 'YES', home)).toEqual({ price: 500_000n, fair: { n: 500_000n, d: ONE } });
  });

  it('is not known of other markets, nor before the start', async () => {
    const early = inTime([says(GAME, 0), shows(GAME, 10, '0.5', '0.52')], 60);
    expect(await closeAfter(early)).toBe('not_started');
    expect(await closeAfter(early, 'YES', aMatch('another'))).toBe('not_started');
    const player = await openTape(tape(...untilAfter(shows(GAME, 10, '0.5', '0.52'))));
    await player.play();
    const bet = { marketId: GAME.id, outcome: 'YES', firstFillAt: player.began, startsAt: KICK_OFF } as const;
    const elsewhere = { ...bet, venue: 'elsewhere' as VenueName };
    expect(player.closeOf(elsewhere)).toBe('not_started');
  });
});
