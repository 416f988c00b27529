import { expect, test } from 'vitest';
import { SharedWork } from '../../../src/core/concurrency/shared-work.js';

/** Work that ends when the test says so, and the names of what was begun. */
function fixture() {
  const work = new SharedWork();
  const began: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const ask = (lane: string, name: string) =>
    work.do(lane, name, () => {
      const nth = began.push(`${lane} ${name}`);
      return new Promise<number>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve(nth) : reject(error)));
      });
    });
  return { ask, began, ends };
}

test('work of one lane runs one after another, beside another lane', async () => {
  const { ask, began, ends } = fixture();
  const asked = [ask('a', 'x'), ask('a', 'y'), ask('a', 'z'), ask('b', 'x')];
  expect(began).toEqual(['a x', 'b x']);
  ends[0]?.();
  await asked[0];
  await expect.poll(() => began).toEqual(['a x', 'b x', 'a y']);
});

test('work is shared by those who ask before it begins', async () => {
  const { ask, began, ends } = fixture();
  const first = ask('a', 'x');
  const [second, third] = [ask('a', 'x'), ask('a', 'x')];
  ends[0]?.();
  await first;
  await expect.poll(() => began).toHaveLength(2);
  const fourth = ask('a', 'x');
  ends[1]?.();
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 2]);
  await expect.poll(() => began).toHaveLength(3);
  ends[2]?.();
  expect(await fourth).toBe(3);
});

test('a failure ends its own work alone', async () => {
  const { ask, began, ends } = fixture();
  const first = ask('a', 'x');
  const second = ask('a', 'x');
  ends[0]?.(new Error('first'));
  await expect(first).rejects.toThrow('first');
  await expect.poll(() => began).toHaveLength(2);
  ends[1]?.();
  expect(await second).toBe(2);
});
