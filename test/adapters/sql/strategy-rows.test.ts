import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

/** Rules as every version of the program has written them. */
const GIVEN =
  '{"version":1,"match":{"sport":"soccer","market":"moneyline","league":null},' +
  '"filter":{"minOdds":"1500000","maxOdds":null,"side":"LAY"},"sizing":{"method":"kelly","value":"250000"}}';

describe.each(EACH_DATABASE)('A strategy in %s', (_, fresh) => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function opened(): Promise<{ url: string; ledger: SqlLedger }> {
    const database = await fresh();
    const ledger = await openSqlLedger(database.url);
    closing.push(
      () => database.remove(),
      () => ledger.close(),
    );
    return { url: database.url, ledger };
  }

  async function run(url: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const store = await openDatabase(url);
    let rows: readonly Readonly<Record<string, unknown>>[] = [];
    await store.alone(async (ask) => {
      rows = await ask(statement);
    });
    await store.close();
    return rows;
  }

  const rules = {
    version: 1,
    match: { sport: 'soccer', market: 'moneyline', league: null },
    filter: { minOdds: 1_500_000n, maxOdds: null, side: 'LAY' },
    sizing: { method: 'kelly', value: 250_000n },
  } as const;

  it('is written as before while its rules use no new features', async () => {
    const { url, ledger } = await opened();
    const strategy = aStrategy({ rules });
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    expect(await run(url, 'select rules from strategies')).toEqual([{ rules: GIVEN }]);
  });

  it('is still read when written by an earlier version', async () => {
    const { url, ledger } = await opened();
    const strategy = aStrategy();
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    await run(url, `update strategies set rules = '${GIVEN}'`);
    expect((await ledger.findStrategy(ALICE, strategy.id))?.rules).toEqual(rules);
  });
});
