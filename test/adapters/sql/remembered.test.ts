import { describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { Remembered } from '../../../src/adapters/sql/remembered.js';
import type { AccountId } from '../../../src/core/ids.js';
import { newAccount, WorkingSet } from '../../../src/core/ledger/working-set.js';
import { ledgerHistories } from '../../contract/ledger-histories.js';
import { ledgerRaces } from '../../contract/ledger-races.js';
import { openedForEach } from '../../contract/opened.js';
import { freshSqliteFile } from '../../support/databases.js';
import { runs } from '../../support/runs.js';

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

  it('has a row as the decisions left it that were not stored when it was read', () => {
    const { accounts } = new Remembered(10);
    const decided = new WorkingSet();
    decided.accounts.put(accountOf(1).id, { ...accountOf(1), liveEnabled: true });
    accounts.read([keyOf(1)], [accountOf(1)], decided);
    expect(accounts.get(keyOf(1))).toEqual([{ ...accountOf(1), liveEnabled: true }]);
  });

  it('learns nothing of rows whose neighbours under the same key it does not know', () => {
    const { accounts } = new Remembered(10);
    const decided = new WorkingSet();
    decided.accounts.put(accountOf(1).id, accountOf(1));
    accounts.learn(decided);
    expect(accounts.get(keyOf(1))).toBeUndefined();
  });
});

describe.each([
  ['all that is needed', 20_000],
  ['hardly anything', 2],
])('a ledger that remembers %s, and compares it with the database after every group', (_, remembered) => {
  const opened = openedForEach(async () => {
    const file = freshSqliteFile();
    const limits = { together: 256, waiting: 10_000, remembered };
    const ledger = await openSqlLedger(file.url, { exclusive: true, storeCheck: true, limits });
    return { ledger, close: () => ledger.close().finally(file.remove) };
  });
  ledgerHistories(() => opened().ledger, runs(10));
  ledgerRaces(() => [opened().ledger]);
});
