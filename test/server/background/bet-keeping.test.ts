import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { AccountId } from '../../../src/core/ids.js';
import { KeepAllBets } from '../../../src/core/usecases/bets/background/keep-all-bets.js';
import { BetKeeping } from '../../../src/server/background/bet-keeping.js';
import { createLogger } from '../../../src/server/http/log.js';
import { ALICE, BOB, usdc } from '../../support/builders.js';
import { Trading } from '../../support/trading.js';

const ALL = { limit: 10 };

/** A ledger with an order of Alice, and a server's part that makes bets of it, each turn at the call of the test. */
async function fixture() {
  const ledger = new MemoryLedger();
  const trading = new Trading(ledger);
  await trading.place();
  const counted = { turns: 0, writes: 1 };
  const keepAll = {
    execute: (mayGoOn?: () => boolean) => {
      counted.turns += 1;
      return trading.use.bets.keepAll.execute(mayGoOn);
    },
  };
  const keeping = new BetKeeping(keepAll, () => counted.writes, createLogger('silent'));
  const bets = async (account = ALICE) => (await ledger.bets.list(account, {}, ALL)).length;
  return { ledger, trading, counted, keeping, bets };
}

/** So many turns in a row. */
const turns = async (keeping: BetKeeping, count: number) => {
  for (let turn = 0; turn < count; turn += 1) await keeping.look();
};

test('a server makes bets of orders by itself until it is closed', async () => {
  const { trading, keeping, bets } = await fixture();
  keeping.start();
  await expect.poll(() => bets()).toBe(1);
  await keeping.close();
  await trading.place({ outcome: 'NO' });
  await keeping.look();
  expect(await bets()).toBe(1);
});

test('a server looks again after a turn without a write, and once in sixty quiet turns', async () => {
  const { trading, counted, keeping, bets } = await fixture();
  await turns(keeping, 6);
  expect([await bets(), counted.turns]).toEqual([1, 1]);
  await trading.place({ outcome: 'NO' });
  await turns(keeping, 54);
  expect([await bets(), counted.turns]).toEqual([1, 1]);
  await keeping.look();
  expect([await bets(), counted.turns]).toEqual([2, 2]);
  await trading.place({ outcome: 'YES', size: usdc('3') });
  counted.writes += 1;
  await keeping.look();
  expect(counted.turns).toBe(2);
  await keeping.look();
  expect(counted.turns).toBe(3);
  expect(await trading.ledger.bets.behind(ALL)).toEqual([]);
});

test('while orders come in every turn, bets wait for the fifth', async () => {
  const { trading, counted, keeping, bets } = await fixture();
  await keeping.look();
  for (let turn = 0; turn < 4; turn += 1) {
    await trading.place({ outcome: 'NO', size: usdc('1') });
    counted.writes += 1;
    await keeping.look();
  }
  expect(await bets()).toBe(1);
  counted.writes += 1;
  await keeping.look();
  expect(await bets()).toBe(2);
});

test('bets of more events than one step takes are made in the next turns', async () => {
  const { ledger, trading, counted, keeping } = await fixture();
  for (let n = 0; n < 501; n += 1) await trading.place({ outcome: 'NO', size: usdc('1') });
  counted.writes += 1;
  await keeping.look();
  counted.writes += 1;
  expect(await ledger.bets.behind(ALL)).toEqual([ALICE]);
  await keeping.look();
  expect(await ledger.bets.behind(ALL)).toEqual([]);
});

test('an account whose bets cannot be made does not keep those of others', async () => {
  const { ledger, trading } = await fixture();
  await trading.place({ account: BOB });
  const step = async (account: AccountId) => {
    if (account === ALICE) throw new RangeError('no');
    return trading.use.bets.keep.step(account);
  };
  const all = new KeepAllBets(ledger, { step });
  const { isDone, failures } = await all.execute();
  expect([isDone, failures.map(({ account }) => account)]).toEqual([false, [ALICE]]);
  expect(await ledger.bets.behind(ALL)).toEqual([ALICE]);
  expect(await all.execute(() => false)).toEqual({ isDone: false, failures: [] });
});
