import { expect, test } from 'vitest';
import { systemClock, uuidV7 } from '../../../src/adapters/system/system.js';
import { startApp } from '../../support/app.js';
import { ALICE, anOrderContext, aStrategy, usdc } from '../../support/builders.js';

const RULES = { match: {}, filter: {}, sizing: { method: 'flat', value: 1 } };
const STRATEGY = { name: 'One', sport: 'soccer', rules: RULES, bankroll_cap: 10, stake_cap: 5 };

test('a key that exceeds its changes per minute alone gets 429', async () => {
  const app = await startApp({ authenticator: 'keys', writesPerMinute: 3 });
  const [alice, other, bob] = await Promise.all(
    ['alice', 'alice', 'bob'].map((name) => app.keyed(name, 'strategies:write', 'strategies:read', 'risk:write')),
  );
  const make = (client: typeof alice) => client?.post('/v1/strategies', STRATEGY);
  const made = await Promise.all([make(alice), make(alice), make(alice)]);
  expect(made.map((reply) => reply?.status)).toEqual([201, 201, 201]);
  const refused = await make(alice);
  expect([refused?.status, refused?.json()['type']]).toEqual([429, '/problems/too-many-writes']);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await make(other))?.status).toBe(201);
  expect((await make(bob))?.status).toBe(201);
  const id = made[0]?.json()['id'];
  // What stops something always passes.
  expect((await alice?.post(`/v1/strategies/${id}/pause`, undefined))?.status).toBe(200);
  expect((await alice?.get('/v1/strategies'))?.status).toBe(200);
});

test('one automated strategy too many is 409, and nothing is stored', async () => {
  const usual = anOrderContext({ clock: systemClock, ids: uuidV7, openingCash: usdc('1000') });
  const context = { ...usual, automatedPerAccount: 1 };
  const app = await startApp({ authenticator: 'keys', context });
  const alice = await app.keyed('alice', 'strategies:write', 'strategies:read');
  const bob = await app.keyed('bob', 'strategies:write');
  const plain = { ...STRATEGY, rules: { ...RULES, outcome: 'each' } };
  const automated = { ...plain, automation: 'auto' };
  expect((await alice.post('/v1/strategies', automated)).status).toBe(201);
  const off = (await alice.post('/v1/strategies', plain)).json<{ id: string }>().id;
  const asked = [
    await alice.post('/v1/strategies', automated),
    await alice.patch(`/v1/strategies/${off}`, { automation: 'approve' }),
  ];
  expect(asked.map((reply) => [reply.status, reply.json()['type']])).toEqual(
    asked.map(() => [409, '/problems/too-many-automated']),
  );
  const { data } = (await alice.get('/v1/strategies')).json<{ data: { automation: string; version: number }[] }>();
  expect(data.map(({ automation, version }) => [automation, version])).toEqual([
    ['off', 1],
    ['auto', 1],
  ]);
  expect((await bob.post('/v1/strategies', automated)).status).toBe(201);
});

test('one strategy version too many is 409, but pausing still works', async () => {
  const app = await startApp({ authenticator: 'keys' });
  const alice = await app.keyed('alice', 'strategies:write', 'strategies:read');
  const strategy = aStrategy({ version: 1000 });
  await app.ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
  const one = `/v1/strategies/${strategy.id}`;
  const refused = await alice.patch(one, { name: 'Another' });
  expect([refused.status, refused.json()['type']]).toEqual([409, '/problems/too-many-versions']);
  expect((await alice.get(one)).json()).toMatchObject({ version: 1000, name: strategy.name });
  expect((await alice.post(`${one}/pause`, undefined)).json()).toMatchObject({ version: 1001 });
  const resumed = await alice.post(`${one}/resume`, undefined);
  expect([resumed.status, resumed.json()['type']]).toEqual([409, '/problems/too-many-versions']);
  expect((await alice.delete(one)).status).toBe(200);
});
