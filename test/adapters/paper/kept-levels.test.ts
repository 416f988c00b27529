import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { LevelChange } from '../../../src/core/market/event.js';
import { price, shares } from '../../support/builders.js';
import { fixture } from './book-fixture.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a paper exchange retains none of the level changes it received', async () => {
  const { place, source } = fixture();
  await place();
  const received: WeakRef<LevelChange>[] = [];
  for (let count = 0; count < 1000; count++) {
    const change: LevelChange = { side: 'asks', price: price('0.6'), shares: shares(`${count + 1}`) };
    received.push(new WeakRef(change));
    await source.tell({ type: 'levels', changes: [change] });
  }
  // A reference that was made in this turn holds its object until the next one.
  await new Promise(setImmediate);
  collectGarbage();
  expect(received.filter((change) => change.deref() !== undefined).length).toBeLessThan(10);
});
