import { expect, it } from 'vitest';
import { openTape } from '../../../src/adapters/tape/tape-market-data.js';
import { book, brief, described, line, pastNoon, RAIN, START, tape } from './tapes.js';

it('a tape has a gap in place of a crossed whole book', async () => {
  const lines = [
    line(0, described(RAIN)),
    line(0, book('0.5', '0.6')),
    line(10, book('0.6', '0.6')),
    line(20, book('0.7', '0.6')),
    line(30, book('0.5', '0.6')),
  ];
  const player = await openTape(tape(...lines), { speed: 'max' });
  const entries: string[] = [];
  await player.follow(RAIN, (event) => void entries.push(brief(event)));
  player.at(pastNoon(25), async () => {
    entries.push(`${player.now().getTime() - START} fresh: ${(await player.book(RAIN))?.fresh}`);
  });
  await player.start();
  await player.ended;
  expect(entries).toEqual(['0 gap', '0 market', '0 book', '10 gap', '20 gap', '25 fresh: false', '30 book', '30 gap']);
});
