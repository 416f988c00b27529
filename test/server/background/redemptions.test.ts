import { pino } from 'pino';
import { expect, it } from 'vitest';
import { StorageUnavailable } from '../../../src/core/errors.js';
import { redeemEvery } from '../../../src/server/background/live-venues.js';
import { ManualTimeline } from '../../support/scripted-market.js';

it('redemptions are checked at start and every five minutes despite failures', async () => {
  const timeline = new ManualTimeline();
  const began = timeline.now().getTime();
  const looks: number[] = [];
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(line) });
  const execute = async () => {
    looks.push((timeline.now().getTime() - began) / 60_000);
    if (looks.length === 2) throw new StorageUnavailable();
    return looks.length === 3 ? 2 : 0;
  };
  const end = redeemEvery(timeline, { execute }, logger);
  await timeline.pass(11 * 60_000);
  end();
  await timeline.pass(11 * 60_000);
  expect(looks).toEqual([0, 5, 10]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, err: { type: 'StorageUnavailable' } },
    { level: 30, positions: 2 },
  ]);
});
