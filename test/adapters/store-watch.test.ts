import { afterEach, describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import type { DecisionNews } from '../../src/core/ledger/event-log.js';
import type { DatabaseErrorKind, StoreWatch, WholeStore } from '../../src/ports/ledger.js';
import { ALICE, aStrategy, usdc } from '../support/builders.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Trading } from '../support/trading.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Remembers what a store tells. */
class Heard implements StoreWatch {
  readonly news: DecisionNews[] = [];
  readonly groups: number[] = [];
  readonly errors: DatabaseErrorKind[] = [];

  get statuses(): readonly string[] {
    return this.news.flatMap(({ orders }) => orders.map(({ status, isNew }) => `${isNew ? 'new ' : ''}${status}`));
  }

  stored(news: DecisionNews): void {
    this.news.push(news);
  }

  written(): void {}

  committed(writes: number, ms: number): void {
    expect(ms).toBeGreaterThan(0);
    this.groups.push(writes);
  }

  failed(kind: DatabaseErrorKind): void {
    this.errors.push(kind);
  }
}

async function onSql(url: string, watch: StoreWatch): Promise<WholeStore> {
  const ledger = await openSqlLedger(url, { watch });
  ends.push(() => ledger.close());
  return ledger;
}

async function postgresUrl(): Promise<string> {
  const { url, drop } = await freshPostgres();
  ends.push(drop);
  return url;
}

const STORES: readonly [string, (watch: StoreWatch) => Promise<WholeStore>][] = [
  ['memory', async (watch) => new MemoryLedger(undefined, watch)],
  [
    'SQLite',
    (watch) => {
      const { url, remove } = freshSqliteFile();
      ends.push(remove);
      return onSql(url, watch);
    },
  ],
  ['Postgres', async (watch) => onSql(await postgresUrl(), watch)],
];

describe.each(STORES)('A store in %s tells', (name, open) => {
  test('of each stored order once, and of each later status change', async () => {
    const heard = new Heard();
    const ledger = await open(heard);
    const fixture = new Trading(ledger);
    const order = await fixture.place();
    expect(heard.statuses).toEqual(['new filled']);
    const settled = await fixture.book(order, (posting) => posting.record({ type: 'settled', returned: usdc('1') }));
    expect(heard.statuses).toEqual(['new filled', 'settled']);
    await fixture.book(settled, (posting) => posting.record({ type: 'amended', returned: usdc('2') }));
    expect(heard.statuses).toEqual(['new filled', 'settled']);
    const written = heard.groups.reduce((sum, writes) => sum + writes, 0);
    if (name === 'memory') expect(written).toBe(0);
    else expect(written).toBeGreaterThanOrEqual(3);
    expect(heard.errors).toEqual([]);
  });

  test('nothing of a write that put nothing on record', async () => {
    const heard = new Heard();
    const ledger = await open(heard);
    const refuse = () => {
      throw new RangeError('no');
    };
    await expect(ledger.write({ account: ALICE }, refuse)).rejects.toThrow(RangeError);
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] }));
    expect(heard.news).toEqual([]);
    expect(heard.errors).toEqual([]);
  });
});

test('a write is reported once by its server, and collisions as errors', async () => {
  const url = await postgresUrl();
  const both = [new Heard(), new Heard()] as const;
  const stages = [new Trading(await onSql(url, both[0])), new Trading(await onSql(url, both[1]))] as const;
  for (let n = 0; n < 40; n += 1) await Promise.all(stages.map((fixture) => fixture.place()));
  for (const { statuses } of both) expect(statuses).toHaveLength(40);
  const errors = both.flatMap((one) => one.errors);
  expect(errors.length).toBeGreaterThan(0);
  expect([...new Set(errors)]).toEqual(['conflict']);
});

test('a missing database is reported for reads as for writes', async () => {
  const { url, drop } = await freshPostgres();
  const heard = new Heard();
  const ledger = await onSql(url, heard);
  await drop();
  await expect(ledger.listBalances({ limit: 1 })).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(heard.errors).toEqual(['unavailable']);
  const write = ledger.write({ account: ALICE }, () => ({ result: null, strategies: [aStrategy()] }));
  await expect(write).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(heard.errors.length).toBeGreaterThan(1);
  expect(heard.groups).toEqual([]);
});
