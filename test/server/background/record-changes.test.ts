import { expect, it } from 'vitest';
import { openTape } from '../../../src/adapters/tape/index.js';
import { recordChanges } from '../../../src/server/background/record-changes.js';
import { alive, tape } from '../../adapters/tape/tapes.js';
import { ManualTimeline } from '../../support/scripted-market.js';

it('on a tape a reader has news only after this process writes', async () => {
  let writes = 0;
  const played = await openTape(tape(alive(0)));
  const [first, second] = [recordChanges(played, () => writes)(), recordChanges(played, () => writes)()];
  expect([first(), first(), second()]).toEqual([true, false, true]);
  writes += 1;
  expect([first(), first(), second()]).toEqual([true, false, true]);
  const always = recordChanges(new ManualTimeline(), () => 0)();
  expect([always(), always()]).toEqual([true, true]);
});
