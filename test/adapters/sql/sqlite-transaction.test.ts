import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { SnapshotLoader } from '../../../src/adapters/sql/snapshot-loader.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { ALICE, usdc } from '../../support/builders.js';
import { freshSqliteFile } from '../../support/databases.js';

const PAPER = { paper: true, venue: null };

describe('a group on SQLite beside another program that writes', () => {
  const file = freshSqliteFile();
  let [store, beside]: [Store, SqlLedger] = [] as never;
  beforeEach(async () => {
    beside = await openSqlLedger(file.url);
    store = await openDatabase(file.url);
  });
  afterEach(async () => {
    await store.close();
    await beside.close();
    file.remove();
  });

  const deposit = (cash: string) =>
    beside.write({ account: ALICE }, () => ({
      result: null,
      balances: [{ ...PAPER, account: ALICE, cash: usdc(cash), reserved: usdc('0'), outstanding: 0n as never }],
    }));

  it('reads all that it decides on as of one moment', async () => {
    await deposit('1');
    const loader = new SnapshotLoader(store.dialect);
    const seen: (bigint | undefined)[][] = [];
    await store.transaction(async (tx) => {
      const look = async () => (await loader.load(tx, [{ account: ALICE }])).balances.get({ ...PAPER, account: ALICE });
      const first = await look();
      if (seen.length === 0) {
        seen.push([]);
        await deposit('2');
      }
      seen.push([first?.cash, (await look())?.cash]);
    });
    expect(seen).toEqual([[], [usdc('2'), usdc('2')]]);
  });
});
