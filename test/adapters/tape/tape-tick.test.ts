import { expect, it } from 'vitest';
import { openTape } from '../../../src/adapters/tape/index.js';
import { price } from '../../../src/core/money.js';
import { anOpenMarket } from '../../core/matching/scene.js';
import { described, line, pastNoon, tape } from './tapes.js';

it('a market of a tape has the last tick of the tape, which an order is held to', async () => {
  const market = anOpenMarket();
  const change = { type: 'tick', tick: price('0.001') } as const;
  const path = tape(line(0, described(market), market), line(10, change, market), { at: pastNoon(20), type: 'alive' });
  const player = await openTape(path, { speed: 'max' });
  const ticks: unknown[] = [];
  for (const ms of [5, 15]) {
    player.at(pastNoon(ms), async () => void ticks.push((await player.find(market.id))?.terms?.tick));
  }
  await player.start();
  await player.ended;
  player.stop();
  expect(ticks).toEqual([price('0.01'), price('0.001')]);
});
