import { expect, it } from 'vitest';
import { openTape } from '../../../src/adapters/tape/index.js';
import { isOnGrid, type Market, withGrid } from '../../../src/core/market/market.js';
import { price } from '../../../src/core/money.js';
import { anOpenMarket } from '../../core/matching/view.js';
import { described, line, pastNoon, tape } from './tapes.js';

it('orders follow price bands as a market gains or loses them', () => {
  const banded = withGrid(anOpenMarket(), {
    tick: price('0.01'),
    bands: [{ from: price('0.9'), step: price('0.001') }],
  });
  const offered = (market: Market) =>
    ['0.5', '0.505', '0.905'].filter((at) => market.terms !== null && isOnGrid(market.terms, price(at)));
  expect(offered(banded)).toEqual(['0.5', '0.905']);
  expect(offered(withGrid(banded, { tick: price('0.005') }))).toEqual(['0.5', '0.505', '0.905']);
  expect(offered(withGrid(banded, { tick: price('0.01') }))).toEqual(['0.5']);
});

it('a market of a tape holds orders to the tape’s last tick', async () => {
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
