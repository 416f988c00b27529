import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import type { OrderId } from '../../../src/core/ids.js';
import type { Usdc } from '../../../src/core/money.js';
import { ALICE, History, newOrderId, shares, usdc } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { Operator } from './postgres-operator.js';
import { type PostgresProxy, startProxy } from './postgres-proxy.js';

let database: FreshPostgres;
let operator: Operator;
beforeEach(async () => {
  database = await freshPostgres();
  operator = await Operator.at(database.url);
});
afterEach(async () => {
  await operator.close();
  await database.drop();
});

describe('a broken wire to Postgres', () => {
  let proxy: PostgresProxy;
  let ledger: SqlLedger;
  beforeEach(async () => {
    proxy = await startProxy(database.url);
    ledger = await openSqlLedger(proxy.url);
    await ledger.write({ account: ALICE }, () => ({ result: null, balances: [balance('100')] }));
  });
  afterEach(async () => {
    await ledger.close();
    await proxy.close();
  });

  it('half way through a write has it run again, and stored once', async () => {
    await operator.lockAlice(ledger);
    const order = spendOne();
    await expect.poll(operator.waiting).toBe(1);
    proxy.cut();
    await operator.run('rollback');
    expect(await ledger.findOrder(ALICE, await order)).toBeDefined();
    expect(await cash()).toBe(usdc('99'));
  });

  it('that loses a COMMIT’s answer still reports its true outcome', async () => {
    const before = proxy.commits();
    proxy.fate('arrives, and its answer is lost');
    const id = await spendOne();
    expect(proxy.commits()).toBe(before + 1);
    expect(await ledger.findOrder(ALICE, id)).toBeDefined();
    expect(await cash()).toBe(usdc('99'));
  });

  it('that loses a COMMIT has the write run again, and stored once', async () => {
    const before = proxy.commits();
    proxy.fate('is lost on the way');
    const id = await spendOne();
    expect(proxy.commits()).toBe(before + 2);
    expect(await ledger.findOrder(ALICE, id)).toBeDefined();
    expect(await cash()).toBe(usdc('99'));
  });

  it('that delivers an abandoned group stores nothing of it', async () => {
    proxy.fate('arrives only once it is released');
    await spendOne();
    await proxy.release();
    expect(await cash()).toBe(usdc('99'));
    expect(await ledger.listOrders(ALICE, {}, { limit: 100 })).toHaveLength(1);
  });

  it('loses nothing, over many writes and many cuts', async () => {
    const fates = ['passes', 'is lost on the way', 'arrives, and its answer is lost'] as const;
    for (let n = 0; n < 30; n += 1) {
      proxy.fate(fates[n % fates.length] ?? 'passes');
      await spendOne();
    }
    expect(await cash()).toBe(usdc('70'));
    expect(await ledger.listOrders(ALICE, {}, { limit: 100 })).toHaveLength(30);
  });

  /** Puts an order on record and takes 1 USDC: money that a repetition would take twice. */
  function spendOne(): Promise<OrderId> {
    const id = newOrderId();
    const { order, events } = new History(undefined, null, undefined, id);
    return ledger.write({ account: ALICE }, (now) => {
      const held = now.balance(PAPER_CASH) ?? balance('0');
      const less = { ...held, cash: (held.cash - usdc('1')) as Usdc };
      return { result: id, orders: [order], events, balances: [less] };
    });
  }

  const cash = () => ledger.write({ account: ALICE }, (now) => ({ result: now.balance(PAPER_CASH)?.cash }));
});

const balance = (cash: string) => ({
  account: ALICE,
  ...PAPER_CASH,
  cash: usdc(cash),
  reserved: usdc('0'),
  outstanding: shares('0'),
});
