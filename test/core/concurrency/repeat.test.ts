import { expect, it } from 'vitest';
import { openTape } from '../../../src/adapters/tape/index.js';
import { repeat } from '../../../src/core/concurrency/repeat.js';
import { alive, pastNoon, tape } from '../../adapters/tape/tapes.js';
import { ManualTimeline } from '../../support/scripted-market.js';

it('a repeated task waits its interval after each run has ended', async () => {
  const timeline = new ManualTimeline();
  const began = timeline.now().getTime();
  const [late, soon]: [number[], number[]] = [[], []];
  const noted = (moments: number[]) => async () => void moments.push(timeline.now().getTime() - began);
  const ends = [repeat(timeline, 1000, noted(late)), repeat(timeline, 1000, noted(soon), { firstMs: 0 })];
  await timeline.pass(2500);
  for (const end of ends) end();
  await timeline.pass(2500);
  expect([late, soon]).toEqual([
    [1000, 2000],
    [0, 1000, 2000],
  ]);
});

it('in tape time a task runs on a grid from tape start', async () => {
  for (const speed of ['max', 5000] as const) {
    const played = await openTape(tape(alive(300), alive(9000)), { speed });
    const moments: number[] = [];
    played.at(pastNoon(1900), () => {
      repeat(played, 2000, async () => void moments.push(played.now().getTime() - pastNoon(300).getTime()));
    });
    played.at(pastNoon(8000), () => played.stop());
    await played.play();
    expect(moments).toEqual([2000, 4000, 6000]);
  }
});
