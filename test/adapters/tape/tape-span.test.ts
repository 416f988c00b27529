import { expect, it } from 'vitest';
import { openTape } from '../../../src/adapters/tape/index.js';
import { type Played, playedParts } from '../../../src/adapters/tape/tape-span.js';
import { alive, book, brief, described, line, RAIN, SNOW, START, tape } from './tapes.js';

/** All that is played of these tapes. */
async function playedOf(...paths: string[]): Promise<readonly Played[]> {
  const played: Played[] = [];
  for await (const part of playedParts(paths)) played.push(...part);
  return played;
}

const seconds = ({ at }: { at: Date }) => (at.getTime() - START) / 1000;

it('several tapes are played in one order of time', async () => {
  const first = tape(line(0, described(RAIN)), line(20_000, book('0.4', '0.5')));
  const second = tape(line(10_000, described(SNOW), SNOW), line(20_000, book('0.3', '0.4'), SNOW));
  const played = await playedOf(first, second);
  expect(played.map((one) => [seconds(one), 'marketId' in one && one.marketId])).toEqual([
    [0, RAIN.id],
    [10, SNOW.id],
    [20, RAIN.id],
    [20, SNOW.id],
  ]);
});

it('a tape that is silent is a hole in its markets alone', async () => {
  const first = tape(line(0, described(RAIN)), line(5000, book('0.4', '0.5')));
  const second = tape(line(0, described(SNOW), SNOW), alive(25_000), line(50_000, book('0.3', '0.4'), SNOW));
  const holes = (await playedOf(first, second)).filter(({ type }) => type === 'hole');
  expect(holes).toEqual([{ type: 'hole', at: new Date(START + 35_000), markets: [RAIN.id] }]);
});

it('a change of a market that is not asked for says only that time went on', async () => {
  const shown = [line(5000, book('0.4', '0.5')), line(6000, book('0.3', '0.4'), SNOW), line(7000, book('0.5', '0.6'))];
  const path = tape(line(0, described(RAIN)), line(1000, described(SNOW), SNOW), ...shown);
  const played: Played[] = [];
  for await (const part of playedParts([path], { markets: new Set([RAIN.id]) })) played.push(...part);
  expect(played.map((one) => [seconds(one), 'marketId' in one ? one.marketId : one.type])).toEqual([
    [0, RAIN.id],
    [1, SNOW.id],
    [5, RAIN.id],
    [6, 'alive'],
    [7, RAIN.id],
  ]);
});

it('a market of two tapes is one, with a gap between them', async () => {
  const morning = tape(line(0, described(RAIN)), line(1000, book('0.4', '0.5')));
  const evening = tape(line(600_000, described(RAIN)), line(600_000, book('0.6', '0.7')));
  const time = await openTape([evening, morning]);
  const events: string[] = [];
  await time.follow(RAIN, (event) => void events.push(brief(event)));
  await time.play();
  expect([time.index.markets.length, events]).toEqual([
    1,
    ['0 gap', '0 market', '1000 book', '31000 gap', '600000 market', '600000 book', '600000 gap'],
  ]);
});

it('work of each second rests in a silent night and is done before it ends', async () => {
  const night = 8 * 3_600_000;
  const time = await openTape(tape(line(0, described(RAIN)), line(night + 500, book('0.4', '0.5'))));
  const runs: number[] = [];
  time.every(1000, async () => void runs.push(time.now().getTime() - START));
  await time.play();
  expect(runs.length).toBeLessThan(300);
  expect(runs.filter((at) => at <= night).at(-1)).toBe(night);
});

it('work that is not needed at its moment waits for one at which it is', async () => {
  const lines = [line(0, described(RAIN)), line(1500, book('0.4', '0.5')), line(4500, book('0.3', '0.4')), alive(9000)];
  const time = await openTape(tape(...lines));
  const seconds: number[] = [];
  let isNew = false;
  await time.follow(RAIN, ({ type }) => {
    if (type === 'book') isNew = true;
  });
  const needed = () => isNew;
  time.every(
    1000,
    async () => {
      seconds.push((time.now().getTime() - START) / 1000);
      isNew = false;
    },
    needed,
  );
  await time.play();
  expect(seconds).toEqual([2, 5]);
});
