import { describe, expect, it } from 'vitest';
import { AccountHomes } from '../../../src/adapters/sql/account-homes.js';
import { LockedAccounts } from '../../../src/adapters/sql/locked-accounts.js';
import type { HomeFound } from '../../../src/adapters/sql/store.js';
import { ALICE, BOB } from '../../support/builders.js';

const writeOf = (account: typeof ALICE) => ({ scope: { account }, decide() {}, answer() {}, fail() {} });

it('accounts that another server wrote take locks, and others do not', () => {
  const locks = new LockedAccounts();
  locks.collided([ALICE], [ALICE]);
  expect([ALICE, BOB].map((account) => locks.has({ account }))).toEqual([true, false]);
  expect(locks.has({ account: BOB, logs: [ALICE] })).toBe(true);
});

describe('the homes of accounts', () => {
  const HERE = { isOwn: true, lastsMs: 60_000, visitedMs: 0 };
  const VISITED = { ...HERE, visitedMs: 60_000 };
  const ELSEWHERE = { isOwn: false, lastsMs: 60_000, visitedMs: 0 };

  /** Locks once the homes of Alice and Bob were claimed, with this answer. */
  async function knowing(found: Omit<HomeFound, 'account'>, before = (_: LockedAccounts) => {}) {
    const homes = new AccountHomes(async (accounts) => accounts.map((account) => ({ account, ...found })), 0);
    const locks = new LockedAccounts(homes);
    before(locks);
    for (const account of [ALICE, BOB]) locks.has({ account });
    while (homes.of(BOB) === 'unknown') await new Promise((resume) => setTimeout(resume, 5));
    return locks;
  }
  const locked = (locks: LockedAccounts) => [ALICE, BOB].map((account) => locks.has({ account }));
  const collide = (locks: LockedAccounts) => locks.collided([ALICE], [ALICE, BOB]);

  it('make those that another server writes take locks before anything collides', async () => {
    expect(locked(await knowing(HERE))).toEqual([false, false]);
    expect(locked(await knowing(VISITED))).toEqual([true, true]);
    expect(locked(await knowing(ELSEWHERE))).toEqual([true, true]);
  });

  it('keep the others of a group that collided from taking locks where they are here alone', async () => {
    const locks = await knowing(HERE);
    collide(locks);
    expect(locked(locks)).toEqual([true, false]);
    expect(locks.collisions).toBe(1);
  });

  it('end the time of locks once who wrote an account writes it no more, and no other', async () => {
    expect(locked(await knowing(HERE, collide))).toEqual([true, true]);
    const found = { ...VISITED, visitedMs: 300 };
    // So often that they would take locks for minutes.
    const locks = await knowing(found, (own) => {
      for (const _ of [1, 2, 3, 4]) collide(own);
    });
    expect(locked(locks)).toEqual([true, true]);
    found.visitedMs = 0;
    const begun = performance.now();
    await expect.poll(() => locked(locks), { timeout: 10_000 }).toEqual([false, false]);
    expect(performance.now() - begun).toBeGreaterThan(300);
  });

  it('change nothing while nobody answers', async () => {
    let isAsked = false;
    const homes = new AccountHomes(async () => {
      isAsked = true;
      throw new Error('no answer');
    });
    const locks = new LockedAccounts(homes);
    while (!isAsked) {
      expect(locked(locks)).toEqual([false, false]);
      await new Promise((resume) => setTimeout(resume, 5));
    }
    collide(locks);
    expect(locked(locks)).toEqual([true, true]);
    await locks.end();
  });
});

it('an account takes locks until all of its writes that wait for them are answered', () => {
  const locks = new LockedAccounts();
  for (const _ of [1, 2]) locks.waits(writeOf(ALICE));
  locks.answered(writeOf(ALICE));
  expect(locks.has({ account: ALICE })).toBe(true);
  locks.answered(writeOf(ALICE));
  expect(locks.has({ account: ALICE })).toBe(false);
});
