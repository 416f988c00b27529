import { expect, it } from 'vitest';
import { openSqlLedger } from '../../../../src/adapters/sql/index.js';
import { ALICE } from '../../../support/builders.js';
import { EACH_DATABASE } from '../../../support/databases.js';
import { trading } from '../../../support/trading.js';
import { commanded, refusals } from './fixture.js';

it.each(EACH_DATABASE)('of two servers on one %s, one acts on a press', async (_, fresh) => {
  const { url, remove } = await fresh();
  const ledgers = [await openSqlLedger(url), await openSqlLedger(url)] as const;
  const [ledger] = ledgers;
  const [one, other] = await Promise.all(ledgers.map((own) => commanded(trading(own).ports)));
  await one?.says('halt');
  const data = one?.button('Halt now') ?? '';
  const hears = one?.hears ?? { token: '', channels: [] };
  const press = { kind: 'press', chatId: '-100', userId: 4711, id: '1', messageId: 1, others: [], data } as const;
  await Promise.all([one, other].map((program) => program?.answer.execute(hears, press)));
  expect(await ledger.log.list(ALICE, { types: ['trading.state'] }, { limit: 10 })).toHaveLength(1);
  expect(await refusals(ledger)).toMatchObject([{ said: 'halt', because: 'repeated' }]);
  await Promise.all(ledgers.map((own) => own.close()));
  await remove();
});
