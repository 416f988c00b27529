import { expect, it } from 'vitest';
import { repeat } from '../../../src/server/background/repeat.js';
import { ManualTimeline } from '../../support/scripted-market.js';

it('what is repeated from the start comes at once, and then each time so long after the last one ended', async () => {
  const timeline = new ManualTimeline();
  const began = timeline.now().getTime();
  const [late, soon]: [number[], number[]] = [[], []];
  const noted = (moments: number[]) => async () => void moments.push(timeline.now().getTime() - began);
  const ends = [repeat(timeline, 1000, noted(late)), repeat(timeline, 1000, noted(soon), 0)];
  await timeline.pass(2500);
  for (const end of ends) end();
  await timeline.pass(2500);
  expect([late, soon]).toEqual([
    [1000, 2000],
    [0, 1000, 2000],
  ]);
});
