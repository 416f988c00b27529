import { expect, test } from 'vitest';
import { FairPlaces, FairQueue } from '../../../src/core/concurrency/fair-places.js';
import type { AccountId } from '../../../src/core/ids.js';

const account = (name: string) => name as AccountId;
const [A, B, C] = [account('a'), account('b'), account('c')];

test('the last quarter of places is kept for accounts that hold none', () => {
  const places = new FairPlaces(8);
  const taken = Array.from({ length: 8 }, () => places.take(A));
  expect(taken.filter(Boolean)).toHaveLength(6);
  const others = [B, B, C, account('d')].map((one) => places.take(one));
  expect(others).toEqual([true, false, true, false]);
});

test('waiting work is served per account in rotation, urgent first', () => {
  const places = new FairPlaces<string>(8);
  for (const one of ['a1', 'a2', 'a3']) places.wait(A, one);
  for (const one of ['b1', 'b2', 'b3']) places.wait(B, one);
  places.wait(C, 'c1', true);
  places.wait(A, 'a4', true);
  places.forget(B, 'b2');
  const served = Array.from({ length: 8 }, () => places.next());
  expect(served).toEqual(['c1', 'a4', 'a1', 'b1', 'a2', 'b3', 'a3', undefined]);
});

test('a place goes to the next account in turn after each answer', async () => {
  const turns = new FairQueue(4);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const begin = async (who: AccountId) => {
    const end = await turns.take(who);
    began.push(who);
    ends.push(end);
  };
  const work = [A, A, A, A, A, A, B, B, C, C].map(begin);
  await expect.poll(() => began).toEqual(['a', 'a', 'a', 'b']);
  for (let answers = 0; answers < work.length; answers += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  await Promise.all(work);
  expect(began.slice(4)).toEqual(['c', 'a', 'b', 'c', 'a', 'a']);
});
