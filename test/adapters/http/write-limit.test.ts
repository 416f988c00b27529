import { expect, test } from 'vitest';
import { startApp } from '../../support/app.js';

const RULES = { match: {}, filter: {}, sizing: { method: 'flat', value: 1 } };
const STRATEGY = { name: 'One', sport: 'soccer', rules: RULES, bankroll_cap: 10, stake_cap: 5 };

test('a key changes so many things in a minute: one more is a 429, for it alone, and nothing is put on record', async () => {
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
