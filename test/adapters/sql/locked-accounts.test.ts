import { expect, it } from 'vitest';
import { LockedAccounts } from '../../../src/adapters/sql/locked-accounts.js';
import { ALICE, BOB } from '../../support/builders.js';

const writeOf = (account: typeof ALICE) => ({ scope: { account }, decide() {}, answer() {}, fail() {} });

it('accounts that another server wrote take locks, and others do not', () => {
  const locks = new LockedAccounts();
  locks.collided([ALICE], [ALICE]);
  expect([ALICE, BOB].map((account) => locks.has({ account }))).toEqual([true, false]);
  expect(locks.has({ account: BOB, logs: [ALICE] })).toBe(true);
});

it('all accounts of a group take locks after one of them collided', () => {
  const locks = new LockedAccounts();
  locks.collided([ALICE], [ALICE, BOB]);
  expect([ALICE, BOB].map((account) => locks.has({ account }))).toEqual([true, true]);
  expect(locks.collisions).toBe(1);
});

it('an account takes locks until its waiting writes are all answered', () => {
  const locks = new LockedAccounts();
  for (const _ of [1, 2]) locks.waits(writeOf(ALICE));
  locks.answered(writeOf(ALICE));
  expect(locks.has({ account: ALICE })).toBe(true);
  locks.answered(writeOf(ALICE));
  expect(locks.has({ account: ALICE })).toBe(false);
});
