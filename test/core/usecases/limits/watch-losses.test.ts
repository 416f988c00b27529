import { beforeEach, expect, test } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import type { AccountId } from '../../../../src/core/ids.js';
import { WatchLosses } from '../../../../src/core/usecases/limits/background/watch-losses.js';
import { ALICE, anOrderContext, BOB, clockAt, NOON, usdc } from '../../../support/builders.js';
import { Trading } from '../../../support/trading.js';

const ledger = new MemoryLedger();
const clock = clockAt(NOON);
const { use } = new Trading(ledger, { context: anOrderContext({ clock }) });

beforeEach(async () => {
  for (const account of [ALICE, BOB])
    await use.limits.change.execute({ account, change: { dailyLossUsdc: usdc('10') }, mayLoosen: true });
});

/** A watch of accounts that are measured when the test says so, and those that were begun with. */
function fixture() {
  const began: AccountId[] = [];
  const slow: (() => void)[] = [];
  const measure = {
    execute: async ({ account }: { readonly account: AccountId }) => {
      began.push(account);
      if (account === ALICE) await new Promise<void>((end) => slow.push(end));
      return true;
    },
  };
  const cancel = { execute: () => Promise.reject(new Error('nothing works')) };
  const watch = new WatchLosses(ledger, measure, cancel, clock);
  return { watch, began, slow };
}

test('an account that takes long delays the watch of no other one', async () => {
  const { watch, began } = fixture();
  void watch.execute();
  await expect.poll(() => began.filter((account) => account === BOB)).toHaveLength(2);
  const { underWay, unmarked } = await watch.execute();
  expect(began.filter((account) => account === BOB)).toHaveLength(4);
  expect([underWay.map(({ account }) => account), unmarked]).toEqual([[ALICE, ALICE], []]);
});

test('an account that takes long is watched again after it has ended', async () => {
  const { watch, began, slow } = fixture();
  const first = watch.execute();
  await expect.poll(() => slow).toHaveLength(2);
  await watch.execute();
  for (const end of slow.splice(0)) end();
  expect((await first).underWay).toEqual([]);
  void watch.execute();
  await expect.poll(() => began.filter((account) => account === ALICE)).toHaveLength(4);
});
