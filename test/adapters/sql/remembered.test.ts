import { describe, expect, it } from 'vitest';
import { Remembered } from '../../../src/adapters/sql/remembered.js';
import type { AccountId } from '../../../src/core/ids.js';
import { newAccount, WorkingSet } from '../../../src/core/ledger/working-set.js';

const keyOf = (n: number) => JSON.stringify([`account-${n}`]);
const accountOf = (n: number) => newAccount(`account-${n}` as AccountId);

describe('what is remembered between groups', () => {
  it('does not grow with a million accounts, and has those used last', () => {
    const { accounts } = new Remembered(1000);
    for (let n = 0; n < 1_000_000; n++) accounts.read([keyOf(n)], [accountOf(n)], null);
    expect(accounts.all.size).toBeLessThanOrEqual(1001);
    expect([accounts.get(keyOf(0)), accounts.get(keyOf(999_999))]).toEqual([undefined, [accountOf(999_999)]]);
  });

  it('keeps what is used again and again', () => {
    const { accounts } = new Remembered(10);
    for (let n = 0; n < 1000; n++) {
      accounts.read([keyOf(n)], [accountOf(n)], null);
      expect(accounts.get(keyOf(0))).toEqual([accountOf(0)]);
    }
  });

  it('has a row as left by decisions not yet stored', () => {
    const { accounts } = new Remembered(10);
    const decided = new WorkingSet();
    decided.accounts.put(accountOf(1).id, { ...accountOf(1), liveEnabled: true });
    accounts.read([keyOf(1)], [accountOf(1)], decided);
    expect(accounts.get(keyOf(1))).toEqual([{ ...accountOf(1), liveEnabled: true }]);
  });

  it('learns no row without knowing the others under its key', () => {
    const { accounts } = new Remembered(10);
    const decided = new WorkingSet();
    decided.accounts.put(accountOf(1).id, accountOf(1));
    accounts.learn(decided);
    expect(accounts.get(keyOf(1))).toBeUndefined();
  });
});
