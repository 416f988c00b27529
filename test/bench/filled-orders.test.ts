import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import type { AccountId } from '../../src/core/ids.js';
import { audited } from '../support/audited.js';
import { ROOT } from '../support/build.js';
import { freshSqliteFile } from '../support/databases.js';

const file = freshSqliteFile();
afterEach(file.remove);

it('orders in the read benchmark are as consistent as placed ones', async () => {
  const program = join(ROOT, 'bench/programs/fill-orders.ts');
  const child = fork(program, [file.path, '1000'], { cwd: ROOT, execArgv: ['--import', 'tsx'] });
  const exited = once(child, 'exit');
  await Promise.race([once(child, 'message'), exited]);
  if (child.connected) child.disconnect();
  await exited;
  const ledger = await openSqlLedger(file.url);
  try {
    const [books, ...others] = await audited(ledger);
    expect(books).toMatchObject({ account: 'dev', orders: 1000, findings: [] });
    expect(others).toEqual([]);
    const denied = await ledger.listOrders('dev' as AccountId, { status: 'denied' }, { limit: 100 });
    expect(denied).toHaveLength(20);
  } finally {
    await ledger.close();
  }
});
