import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import type { Ledger } from '../../../src/ports/ledger.js';
import { ALICE, newOrderId } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';

let database: FreshPostgres;
let client: pg.Client;
beforeAll(async () => {
  database = await freshPostgres();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function put(ledger: Ledger, jobs: number): Promise<void> {
  for (let n = 0; n < jobs; n += 1) {
    const job = { account: ALICE, orderId: newOrderId(), fence: 1, inMs: 0 };
    await ledger.write({ account: ALICE }, () => ({ result: null, jobs: [job] }));
  }
}

describe('Jobs that Postgres hands out', () => {
  it.each([0, 1, 2, 5])('are as many as were asked for, where statistics know of %i', async (known) => {
    const ledger = await openSqlLedger(database.url);
    await client.query('delete from order_jobs');
    await put(ledger, known);
    await client.query('vacuum analyze order_jobs');
    await put(ledger, 5 - known);
    const claimed = [];
    for (const limit of [2, 1, 2, 9]) claimed.push((await ledger.claimJobs(limit, 3_600_000)).length);
    await ledger.close();
    expect(claimed).toEqual([2, 1, 2, 0]);
  });
});
