import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { startApp, THIS } from '../../support/app.js';

const SERVERS = '/v1/admin/servers';
const LONG = 60_000;
const self = { id: THIS.owner, version: '0.0.0', runs_strategies: false, holds: [], is_answering: true };

test('servers on a store are listed with versions and exclusive duties', async () => {
  const ledger = new MemoryLedger();
  const app = await startApp({ ledger });
  const servers = async () => (await app.client.get(SERVERS)).json()['data'];
  expect(await servers()).toEqual([self]);
  const other = { owner: 'other-machine:7:cd', version: '0.2.0', automates: true };
  for (const program of [other, THIS]) await ledger.leases.announce(program, LONG);
  await ledger.leases.claim('paper', other.owner, LONG);
  await ledger.leases.claim('delivery', THIS.owner, LONG);
  expect(await servers()).toEqual([
    { id: other.owner, version: '0.2.0', runs_strategies: true, holds: ['paper'], is_answering: false },
    { ...self, holds: ['delivery'] },
  ]);
  await ledger.leases.leave(other);
  expect(await servers()).toEqual([{ ...self, holds: ['delivery'] }]);
});

test('only an administrator can list servers', async () => {
  const app = await startApp({ authenticator: 'keys' });
  const [trader, operator] = [await app.keyed('trader', 'orders:read'), await app.keyed('operator', 'admin')];
  const refused = await trader.get(SERVERS);
  expect([refused.status, refused.json()['type']]).toEqual([403, '/problems/insufficient-scope']);
  expect((await operator.get(SERVERS)).json()['data']).toEqual([self]);
});
