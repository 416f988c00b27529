import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { command } from '../cli/in-process.js';
import { ORDER, ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { EventReader } from '../support/event-reader.js';
import { Client } from '../support/http.js';
import { type RunningServer, startServer } from '../support/processes.js';
import { message, Wire } from '../support/wire.js';
import { createKey, stakeport } from './command-line.js';
import { operationsOf } from './operations.js';
import { until } from './trading.js';

const PEPPER = 'canary-pepper-for-tests-alone';
const KEYS = '/v1/admin/keys';
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const file = freshSqliteFile();
const env = { DATABASE_URL: file.url, KEY_PEPPER: PEPPER };

let server: RunningServer;
let anyone: Client;

beforeAll(async () => {
  server = await startServer({ env: { ...env, AUTH_MODE: 'keys', LOG_LEVEL: 'trace', SECRETS_KEY } });
  anyone = new Client(server.url);
});

/** What a browser sends once it has logged in with the key. */
async function sessionOf(key: string): Promise<string> {
  const { status, headers } = await holding(key).post('/v1/session');
  expect(status).toBe(201);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

const holding = (key: string) => anyone.as({ authorization: `Bearer ${key}` });

describe('the command line, beside a running server', () => {
  test('creates an instantly working key, limited to its account and scopes', async () => {
    const made = await createKey({ env }, 'alice', 'orders:paper,orders:read');
    expect(made).toEqual({
      id: expect.any(String),
      key: expect.any(String),
      account: 'alice',
      scopes: ['orders:read', 'orders:paper'],
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
    });
    expect(made.key).toMatch(new RegExp(`^sp_${made.id}_[A-Za-z0-9_-]{43}$`));
    expect((await holding(made.key).post(ORDERS, ORDER)).status).toBe(201);
    expect((await holding(made.key).post(STRATEGIES, STRATEGY)).status).toBe(403);
  });

  test('lists keys without their secrets, newest first', async () => {
    const made = await createKey({ env }, 'carol', 'orders:read', '--expires', '90d');
    const { code, output } = await command(env, 'keys', 'list', '--json');
    expect(code).toBe(0);
    const listed: { id: string; account: string; expires_at: string }[] = JSON.parse(output);
    expect(listed[0]).toMatchObject({ id: made.id, account: 'carol', revoked_at: null });
    expect(Date.parse(listed[0]?.expires_at ?? '')).toBeGreaterThan(Date.now() + 89 * 86_400_000);
    expect(output).not.toContain(made.key.slice(made.key.lastIndexOf('_', made.key.length - 43) + 1));
    expect(output).not.toMatch(/digest/);
  });

  test('revokes a key, which is refused within a second', async () => {
    const made = await createKey({ env }, 'alice', 'orders:read');
    expect((await holding(made.key).get(ORDERS)).status).toBe(200);
    // A leaked key is at hand as a whole, and nothing prints it again.
    const revoked = await command(env, 'keys', 'revoke', made.key);
    expect(revoked).toEqual({ code: 0, output: `Revoked ${made.id.slice(-8)}, a key of ${made.account}.\n` });
    const since = performance.now();
    // However slow the machine is, no request of later is accepted.
    await until(async () => performance.now() - since > 1000);
    const refused = await holding(made.key).get(ORDERS);
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ]);
  });

  test('revokes a key and its sessions within a second', async () => {
    const made = await createKey({ env }, 'alice', 'orders:read');
    const cookie = await sessionOf(made.key);
    const browser = anyone.as({ cookie, 'sec-fetch-site': 'same-origin' });
    expect((await browser.get(ORDERS)).status).toBe(200);
    await command(env, 'keys', 'revoke', made.id.slice(-8));
    const since = performance.now();
    await until(async () => performance.now() - since > 1000);
    expect((await browser.get(ORDERS)).status).toBe(401);
    expect((await browser.get('/v1/session')).status).toBe(401);
  });

  test('revokes a key and disables its webhooks unless asked to keep them', async () => {
    const made = await createKey({ env }, 'alice', 'orders:read,webhooks:write');
    const { id } = (await holding(made.key).post('/v1/webhooks', { url: 'https://hooks.example/' })).json<{
      id: string;
    }>();
    for (const [more, state] of [
      [['--keep-webhooks'], 'unverified'],
      [[], 'disabled'],
    ] as const) {
      const { code, output } = await command(env, 'keys', 'revoke', made.id, ...more);
      const line = `The webhook ${id.slice(-8)} to hooks.example, which it made, is ${state}.\n`;
      expect({ code, output }).toEqual({ code: 0, output: `Revoked ${made.id.slice(-8)}, a key of alice.\n${line}` });
    }
  });

  test('makes a key that expires', async () => {
    const made = await createKey({ env }, 'alice', 'orders:read', '--expires', '1s');
    await until(async () => (await holding(made.key).get(ORDERS)).status === 401);
  });

  test.each([
    ['keys', 'create', '--account', 'a b', '--scopes', 'orders:read'],
    ['keys', 'create', '--account', 'a', '--scopes', 'everything'],
    ['keys', 'create', '--account', 'a', '--scopes', 'orders:read', '--expires', 'soon'],
    ['keys', 'create', '--account', 'a'],
    ['keys', 'revoke', 'no-such-key'],
  ])('refuses %s %s %s %s %s %s %s in words', async (...args) => {
    const { code, output } = await stakeport({ env }, ...args.filter((arg) => arg !== undefined));
    expect(code).toBeGreaterThan(0);
    expect(output).toMatch(/\w/);
    expect(output).not.toMatch(/\n\s+at /);
  });

  test('makes keys that another pepper does not know', async () => {
    const other = await createKey({ env: { ...env, KEY_PEPPER: 'another pepper altogether' } }, 'alice', 'orders:read');
    expect((await holding(other.key).get(ORDERS)).status).toBe(401);
  });
});

describe('an operator, over HTTP', () => {
  test("creates, lists and revokes keys, showing the key's text only once", async () => {
    const operator = holding((await createKey({ env }, 'operator', 'admin')).key);
    const body = { account: 'dave', scopes: ['orders:read'], expires: '12h' };
    const made = await operator.post(KEYS, body, { 'idempotency-key': 'dave' });
    expect(made.status).toBe(201);
    const { key, id } = made.json<{ key: string; id: string }>();
    expect((await holding(key).get(ORDERS)).status).toBe(200);
    const again = await operator.post(KEYS, body, { 'idempotency-key': 'dave' });
    expect(again.json()).toEqual({ ...made.json(), key: null });
    expect((await operator.get(`${KEYS}?limit=1`)).json()).toMatchObject({ data: [{ id, account: 'dave' }] });
    const revoked = await operator.delete(`${KEYS}/${id}`);
    expect((await operator.delete(`${KEYS}/${id}`)).text).toBe(revoked.text);
    expect((await holding(key).get(ORDERS)).status).toBe(401);
    for (const unknown of ['no-such-key', '%00', 'x'.repeat(200)]) {
      expect((await operator.delete(`${KEYS}/${unknown}`)).status).toBe(404);
    }
  });
});

test('no secret is ever written to logs, the database or answers', async () => {
  const made = await createKey({ env }, 'alice', AUTH_SCOPES.join(','));
  const secret = made.key.slice(-43);
  const session = await sessionOf(made.key);
  const page = { cookie: session, 'sec-fetch-site': 'same-origin' };
  expect((await anyone.get(ORDERS, page)).status).toBe(200);
  const forged = `sp_${made.id}_${'canaryforged'.padEnd(43, 'x')}`;
  const document = (await anyone.get('/openapi.json')).json();
  const answers: string[] = [];
  for (const { method, path, body, responses } of operationsOf(document)) {
    for (const authorization of [
      `Bearer ${made.key}`,
      `Bearer ${forged}`,
      `Basic ${made.key}`,
      `Bearer  ${made.key}`,
    ]) {
      const headers = { authorization, 'idempotency-key': 'canary', 'if-match': '*' };
      if (responses['200']?.content['text/event-stream'] !== undefined) {
        const reader = await new EventReader(anyone, path, headers).until(
          (stream) => stream.hasEnded || stream.of('caught_up').length > 0,
        );
        answers.push(reader.text, JSON.stringify(reader.headers));
        reader.close();
        continue;
      }
      const reply = await anyone.send(method, path.replace(/\{\w+\}/, made.id), { headers, body: body && {} });
      answers.push(reply.text, JSON.stringify(reply.headers));
    }
  }
  const broken = await Wire.to(server.url);
  answers.push(
    await broken
      .send(message(`POST ${ORDERS}`, { authorization: `Bearer ${made.key}`, 'content-length': 'x' }))
      .closed(),
  );
  await server.kill('SIGTERM');
  const stored = readdirSync(dirname(file.path)).map((name) => readFileSync(join(dirname(file.path), name), 'latin1'));
  expect(server.output()).toMatch(/"route":"\/v1\/exchange\/orders"/);
  expect(stored.join()).toContain(made.id);
  for (const written of [server.output(), ...answers, ...stored]) {
    for (const word of [secret, session.slice(-43), PEPPER, 'canaryforged', 'Bearer sp_'])
      expect(written.includes(word), word).toBe(false);
  }
});
