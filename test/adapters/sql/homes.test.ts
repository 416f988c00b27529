import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import type { HomeFound, Store } from '../../../src/adapters/sql/store.js';
import { ALICE, aStrategy, BOB } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { Operator } from './postgres-operator.js';

let database: FreshPostgres;
let operator: Operator;
beforeEach(async () => {
  database = await freshPostgres();
  await (await openSqlLedger(database.url)).close();
  operator = await Operator.at(database.url);
});
afterEach(async () => {
  await operator.close();
  await database.drop();
});

const LEASE_MS = 5000;

describe('the home of an account', () => {
  let servers: [Store, Store];
  beforeEach(async () => {
    servers = [await openDatabase(database.url), await openDatabase(database.url)];
  });
  afterEach(() => Promise.all(servers.map((server) => server.close())));

  const claim = async (server: 0 | 1, ...accounts: (typeof ALICE)[]): Promise<readonly HomeFound[]> =>
    (await servers[server].guarded?.claimHomes?.(accounts)) ?? [];
  /** As if so much time had passed. */
  const later = (ms: number) =>
    operator.run(`update account_homes set expires_at = expires_at - ${ms}, visited_until = visited_until - ${ms}`);

  it('is the server that asked first, for as long as it goes on', async () => {
    const [found] = await claim(0, ALICE);
    expect(found).toMatchObject({ account: ALICE, isOwn: true, visitedMs: 0 });
    expect(found?.lastsMs).toBeGreaterThan(LEASE_MS - 2000);
    for (const _ of [1, 2, 3]) {
      await later(LEASE_MS - 1000);
      expect(await claim(0, ALICE)).toMatchObject([{ isOwn: true }]);
      expect(await claim(1, ALICE, BOB)).toMatchObject([
        { account: ALICE, isOwn: false },
        { account: BOB, isOwn: true },
      ]);
    }
  });

  it('learns that another server writes the account, and when that is over', async () => {
    await claim(0, ALICE);
    await claim(1, ALICE);
    const [visited] = await claim(0, ALICE);
    expect(visited?.visitedMs).toBeGreaterThan(LEASE_MS - 2000);
    await later(LEASE_MS);
    expect(await claim(0, ALICE)).toMatchObject([{ isOwn: true, visitedMs: 0 }]);
  });

  it('is another server once it is over, and nobody remembers who wrote before', async () => {
    await claim(0, ALICE);
    await claim(1, ALICE);
    await later(LEASE_MS);
    expect(await claim(1, ALICE)).toMatchObject([{ account: ALICE, isOwn: true, visitedMs: 0 }]);
    expect(await claim(0, ALICE)).toMatchObject([{ isOwn: false }]);
  });
});

describe('a server', () => {
  let ledgers: SqlLedger[] = [];
  const opened = async (exclusive = true): Promise<SqlLedger> => {
    const ledger = await openSqlLedger(database.url, { exclusive, storeCheck: true });
    ledgers.push(ledger);
    return ledger;
  };
  afterEach(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    ledgers = [];
  });

  const write = (ledger: SqlLedger) =>
    ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] }));
  const homes = async (): Promise<unknown[]> =>
    (await operator.rows('select account, server from account_homes')).map((row) => Object.values(row));

  it('becomes the home of what it writes; a program beside it does not', async () => {
    await write(await opened(false));
    const server = await opened();
    await write(server);
    await expect.poll(homes).toEqual([[ALICE, expect.any(String)]]);
    const found = await homes();
    await write(await opened(false));
    await write(server);
    expect(await homes()).toEqual(found);
  });

  it('that writes an account which another one left becomes its home within the lease', async () => {
    const [left, next] = [await opened(), await opened()];
    await write(left);
    await expect.poll(homes).toHaveLength(1);
    const before = await homes();
    const begun = performance.now();
    for (let now = before; JSON.stringify(now) === JSON.stringify(before); now = await homes()) await write(next);
    // The lease, and what passes until the home is asked for again.
    expect(performance.now() - begun).toBeLessThan(LEASE_MS + 5000);
  });

  it('collides no more with another one that writes the same account, once both know it', async () => {
    const both = [await opened(), await opened()];
    for (const until = performance.now() + 3000; performance.now() < until; )
      await Promise.all(both.map((ledger) => write(ledger)));
    const collisions = () => both.map((ledger) => ledger.collisions());
    const before = collisions();
    expect(Math.max(...before)).toBeLessThan(4);
    for (const until = performance.now() + 2000; performance.now() < until; )
      await Promise.all(both.map((ledger) => write(ledger)));
    expect(collisions()).toEqual(before);
  });
});
