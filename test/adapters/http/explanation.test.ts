import { expect, test } from 'vitest';
import { STRATEGIES, STRATEGY, startApp } from '../../support/app.js';

const ASK = `${STRATEGIES}/validate`;

test('explaining a strategy states its warnings and defaults, and creates nothing', async () => {
  const app = await startApp({ authenticator: 'keys' });
  const reader = await app.keyed('alice', 'strategies:read');
  const rules = { filter: { min_odds: 1.5 }, sizing: { method: 'flat', value: 60 }, outcome: { role: 'home' } };
  const said = await reader.post(ASK, { ...STRATEGY, rules, automation: 'auto' });
  expect(said.status).toBe(200);
  const { data, warnings, rules: shown } = said.json<{ data: object[]; warnings: object[]; rules: object }>();
  expect(data).toContainEqual({ pointer: '/rules/outcome', sentence: 'Bets for the home team.' });
  expect(data).toContainEqual({
    pointer: '/rules/limits/event_loss',
    sentence: 'Never with more than 50 USDC to lose in one event.',
  });
  expect(data).toContainEqual({ pointer: '/automation', sentence: 'Orders by itself.' });
  expect(warnings).toEqual([
    { pointer: '/rules/sizing/value', detail: 'is 60, above the stake_cap of 50: bets are made smaller' },
    { pointer: '/rules/sizing/value', detail: 'is 60, above limits/event_loss, which is 50: bets are made smaller' },
  ]);
  expect(shown).toMatchObject({ ...rules, phase: 'pre', limits: { max_bets_per_day: 100 } });
  expect((await reader.get(STRATEGIES)).json()['data']).toEqual([]);
});

test('What a creation would refuse is refused, at the same place', async () => {
  const { client } = await startApp();
  const refused = await client.post(ASK, { ...STRATEGY, automation: 'auto' });
  expect([refused.status, refused.json<{ errors: object[] }>().errors]).toMatchObject([
    422,
    [{ pointer: '/rules/outcome' }],
  ]);
});

test('A strategy that could be made before says what it did before', async () => {
  const { client } = await startApp();
  const said = (await client.post(ASK, STRATEGY)).json<{ rules: object; warnings: object[] }>();
  expect(said).toMatchObject({ warnings: [], rules: { version: 1, ...STRATEGY.rules } });
  expect(Object.keys(said.rules)).toEqual(['version', 'match', 'filter', 'sizing']);
});
