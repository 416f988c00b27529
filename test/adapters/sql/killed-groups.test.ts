import { describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import type { AccountId, OrderId } from '../../../src/core/ids.js';
import { type Page, whole } from '../../../src/core/ledger/query.js';
import type { Order } from '../../../src/core/order/order.js';
import { found } from '../../support/audited.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { startProgram, testProgram } from '../../support/processes.js';

const POINTS = [
  ['before', 3],
  ['in', 4],
  ['during', 5],
  ['during', 9],
  ['after', 6],
] as const;

describe.concurrent('a server that is killed while groups overlap', () => {
  it.concurrent.each(
    EACH_DATABASE.flatMap(([name, fresh]) =>
      POINTS.filter(([point]) => name === 'SQLite' || point !== 'in').map((given) => [...given, name, fresh] as const),
    ),
  )('%s group %d’s statement on %s, keeps each answered order once', async (point, group, _, fresh) => {
    const database = await fresh();
    const program = startProgram(process.execPath, {
      args: [testProgram('killed-groups'), database.url, point, `${group}`],
    });
    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const answered = [...program.output().matchAll(/^placed (\S+)$/gm)].map(([, id]) => id);
    expect(answered.length).toBeGreaterThan(0);
    const ledger = await openSqlLedger(database.url, { exclusive: true });
    const orders: Order[] = [];
    for (const n of [0, 1, 2])
      orders.push(
        ...(await whole(
          (page: Page<OrderId>) => ledger.listOrders(`account-${n}` as AccountId, {}, page),
          ({ id }) => id,
        )),
      );
    const ids = orders.map(({ id }) => String(id));
    expect(answered.filter((id) => !ids.includes(String(id)))).toEqual([]);
    // What was stored and not answered is at most one group.
    expect(ids.length - answered.length).toBeLessThanOrEqual(24);
    expect(point === 'in' || point === 'before' ? ids.length : answered.length).toBe(answered.length);
    expect(await found(ledger)).toEqual([]);
    await ledger.close();
    await database.remove();
  });
});
