import { expect, test } from 'vitest';
import { STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import { anOrderContext } from '../../support/builders.js';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const RULES =
  '{"version":1,"match":{"sport":"soccer","market":"moneyline","league":"EPL"},"filter":{"min_odds":1.5,"max_odds":3,' +
  '"side":"BACK"},"sizing":{"method":"fixed_fraction","value":0.02}}';
const LEAST =
  '{"version":1,"match":{"sport":"soccer"},"filter":{"side":"BACK"},"sizing":{"method":"kelly","value":0.25}}';
const NOON = '"created_at":"2026-03-01T12:00:00.000Z","updated_at":"2026-03-01T12:00:00.000Z"';
const strategy = (rules: string, version: number) =>
  `{"id":"<id>","name":"Home favourites","sport":"soccer","rules":${rules},"bankroll_cap":"1000","stake_cap":"50",` +
  `"is_paused":false,"paper_only":true,${NOON},"version":${version},"archived_at":null,"warnings":[]}`;
const event = (seq: number, type: string, rules: string, version: number) =>
  `{"id":"<id>","seq":"${seq}","type":"${type}","at":"<at>",` +
  `"text":"Strategy Home favourites v${version}: ${type.slice('strategy.'.length)}",` +
  `"data":{"strategy":${strategy(rules, version)}}}`;

test('A strategy without new settings is answered byte for byte as before', async () => {
  const { client } = await startApp({ context: anOrderContext() });
  const said = async (reply: Promise<{ readonly text: string }>) => (await reply).text.replaceAll(UUID, '<id>');
  const created = await client.post(STRATEGIES, STRATEGY, { 'idempotency-key': 'one' });
  expect(created.text.replaceAll(UUID, '<id>')).toBe(strategy(RULES, 1));
  const path = `${STRATEGIES}/${created.json<{ id: string }>().id}`;
  expect(await said(client.post(STRATEGIES, STRATEGY, { 'idempotency-key': 'one' }))).toBe(strategy(RULES, 1));
  expect(await said(client.get(path))).toBe(strategy(RULES, 1));
  expect(await said(client.send('PATCH', path, { body: { rules: STRATEGY.rules } }))).toBe(strategy(RULES, 1));
  const rules = { sizing: { method: 'kelly', value: '0.250' } };
  expect(await said(client.send('PATCH', path, { body: { rules } }))).toBe(strategy(LEAST, 2));
  expect(await said(client.get(STRATEGIES))).toBe(`{"data":[${strategy(LEAST, 2)}],"next_cursor":null}`);
  expect(await said(client.get(`${path}/versions`))).toBe(
    `{"data":[${strategy(LEAST, 2)},${strategy(RULES, 1)}],"next_cursor":null}`,
  );
  const log = (await said(client.get('/v1/events'))).replaceAll(/"at":"[^"]+"/g, '"at":"<at>"');
  expect(log).toBe(
    `{"data":[${event(1, 'strategy.created', RULES, 1)},${event(2, 'strategy.changed', LEAST, 2)}],"next_after":"2","next_before":null,"head":"2"}`,
  );
});

test('Members that say what holds anyway change nothing', async () => {
  const { client } = await startApp({ context: anOrderContext() });
  const body = { ...STRATEGY, automation: 'off', automation_paper: true };
  const first = await client.post(STRATEGIES, STRATEGY, { 'idempotency-key': 'one' });
  expect(first.text.replaceAll(UUID, '<id>')).toBe(strategy(RULES, 1));
  const again = await client.post(STRATEGIES, body, { 'idempotency-key': 'one' });
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  const listed = { ...STRATEGY, rules: { ...STRATEGY.rules, match: { market: ['moneyline'], league: ['EPL'] } } };
  expect((await client.post(STRATEGIES, listed)).text.replaceAll(UUID, '<id>')).toBe(strategy(RULES, 1));
});
