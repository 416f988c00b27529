import { createHmac, createPublicKey, KeyObject, randomBytes, sign as signBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { AUDIENCE, CountingServer, claims, ISSUER, type SigningKey, signingKey } from '../adapters/auth/issuer.js';
import { ORDER, ORDERS, STRATEGIES, STRATEGY, WEBHOOKS } from '../support/app.js';
import { type BadRequest, badRequests, sendRow, type Words } from '../support/bad-requests.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client, type Reply } from '../support/http.js';
import { type RunningServer, startServer } from '../support/processes.js';
import { createKey } from './command-line.js';

const encoded = (part: object | string) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

function signed(key: SigningKey, header: object, payload: object | string): string {
  const text = `${encoded({ alg: 'RS256', typ: 'at+jwt', kid: key.kid, ...header })}.${encoded(payload)}`;
  const signature = signBytes('sha256', Buffer.from(text), KeyObject.from(key.privateKey));
  return `${text}.${signature.toString('base64url')}`;
}

/** A token that is good, and one for each way of making one that only looks so. `theirs` is not the issuer's key. */
function tokens(ours: SigningKey, theirs: SigningKey, attackerUrl: string): Record<string, string> {
  const good = signed(ours, {}, claims());
  const { exp, ...noExp } = claims();
  const { sub: _, ...noSub } = claims();
  return {
    GOOD: good,
    JWT_ALG_NONE: `${encoded({ alg: 'none', typ: 'at+jwt', kid: ours.kid })}.${encoded(claims())}.`,
    JWT_HS256_WITH_RSA_PUB: confused(ours),
    JWT_NO_EXP: signed(ours, {}, noExp),
    JWT_JKU: signed(theirs, { jku: attackerUrl }, claims()),
    JWT_EMBEDDED_JWK: signed(theirs, { kid: ours.kid, jwk: theirs.jwk }, claims()),
    JWT_KID_PATH: signed(theirs, { kid: '../../dev/null' }, claims()),
    JWT_KID_UNKNOWN: signed(theirs, {}, claims()),
    JWT_CRIT: signed(ours, { crit: ['unheard-of'], 'unheard-of': true }, claims()),
    JWT_BAD_SIG: good.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    JWT_NO_SUB: signed(ours, {}, noSub),
    JWT_EXP_STRING: signed(ours, {}, { ...claims(), exp: String(exp) }),
    JWT_EXP_HUGE: signed(ours, {}, { ...claims(), exp: 1e308 }),
    JWT_PAYLOAD_ARRAY: signed(ours, {}, [claims()]),
  };
}

/** Signed with the public key as if it were a shared secret. */
function confused({ kid, privateKey }: SigningKey): string {
  const secret = createPublicKey(KeyObject.from(privateKey)).export({ format: 'pem', type: 'spki' });
  const text = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid })}.${encoded(claims())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const SECRETS_KEY = randomBytes(32).toString('base64');
const LEAKS = /\bat .*\.[jt]s:\d|SELECT |INSERT |UPDATE |sqlite|postgres|knex|valibot|node_modules|\/src\/|\/dist\//i;
const USED_KEY = 'placed-an-order';

/** A server, two accounts on it, and what the rows' words stand for. */
interface Fixture {
  readonly alice: Client;
  readonly bob: Client;
  readonly words: Words;
}

async function fixture(alice: Client, bob: Client, words: Words): Promise<Fixture> {
  const [ours, theirs] = [await alice.post(STRATEGIES, STRATEGY), await bob.post(STRATEGIES, STRATEGY)];
  const [a, b] = [ours.json<{ id: string }>().id, theirs.json<{ id: string }>().id];
  // The rows' own order, so that a row can repeat it in other digits.
  await alice.post(ORDERS, { ...ORDER, side: 'BUY' }, { 'idempotency-key': USED_KEY });
  const fixed = { MARKET: ORDER.market_id, STRATEGY: JSON.stringify(STRATEGY), USED_KEY };
  return { alice, bob, words: { ...fixed, SID_A: a, SID_B: b, SID_A_UPPER: a.toUpperCase(), ...words } };
}

/** Everything that a request could have changed: a line for each record, with its version. */
async function records({ alice, bob }: Fixture): Promise<string[]> {
  const lists = [alice.get(`${STRATEGIES}?limit=100`), bob.get(`${STRATEGIES}?limit=100`)];
  const orders = [alice.get(`${ORDERS}?limit=100`), bob.get(`${ORDERS}?limit=100`)];
  const pages = await Promise.all([...lists, ...orders, alice.get(WEBHOOKS), bob.get(WEBHOOKS)]);
  return pages.flatMap((page) => page.json<{ data: { id: string; version?: number }[] }>().data).map(named);
}

const named = ({ id, version }: { id: string; version?: number }) => (version === undefined ? id : `${id} v${version}`);

const GAINS = { none: [], 'one order': ['order'], 'one strategy': ['strategy v1'], 'one change': ['strategy'] };

function gains(before: readonly string[], after: readonly string[]): string[] {
  const fresh = after.filter((record) => !before.includes(record));
  return fresh.map((record) => (/ v1$/.test(record) ? 'strategy v1' : record.includes(' v') ? 'strategy' : 'order'));
}

async function check(row: BadRequest, { alice, bob, words }: Fixture): Promise<void> {
  const tag = await alice.get(`${STRATEGIES}/${words['SID_A']}`);
  const before = await records({ alice, bob, words });
  const costBefore = await costOf(alice);
  const bare = new Client(alice.url);
  const reply = await sendRow(row, bare, { ...words, ETAG_A: tag.headers.etag ?? '' });
  bare.close();
  const { status, problem, side_effects, max_cpu_ms, max_rss_growth_mb } = row.expect;
  expect(reply.status, reply.text).toBe(status);
  if (problem !== null) checkProblem(row, reply);
  const cost = await costOf(alice);
  expect(cost.cpuMs - costBefore.cpuMs).toBeLessThan(max_cpu_ms);
  expect(gains(before, await records({ alice, bob, words }))).toEqual(GAINS[side_effects]);
  if (max_rss_growth_mb !== undefined) expect(cost.residentMb).toBeLessThan(costBefore.residentMb + max_rss_growth_mb);
}

function checkProblem({ expect: { problem, status, pointer, resp_header } }: BadRequest, reply: Reply): void {
  expect(reply.headers['content-type']).toBe('application/problem+json');
  expect(reply.text).not.toMatch(LEAKS);
  const body = reply.json<{ type: string; status: number; instance: string; errors?: { pointer: string }[] }>();
  expect(body).toMatchObject({ type: `/problems/${problem}`, status, instance: reply.headers['x-request-id'] });
  if (pointer !== undefined) expect(body.errors?.map((error) => error.pointer)).toContain(pointer);
  if (resp_header !== undefined) expect(reply.headers).toHaveProperty(resp_header);
}

/** What the server has worked since its start, and its memory. */
async function costOf(client: Client): Promise<{ readonly cpuMs: number; readonly residentMb: number }> {
  const { text } = await client.get('/metrics');
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuMs: figure('process_cpu_seconds_total') * 1000,
    residentMb: figure('process_resident_memory_bytes') / 2 ** 20,
  };
}

/** A row that takes the five seconds which a server gives the headers of a request. */
const WAITS = 'RAW-020';
const rows = (...modes: readonly BadRequest['mode'][]) => badRequests(...modes).filter(({ id }) => id !== WAITS);
/** Both servers, as they are started below. */
const sets: Fixture[] = [];

describe('on a development server', () => {
  let set: Fixture;

  beforeAll(async () => {
    const server = await startServer({ env: { DATABASE_URL: 'memory:', LOG_LEVEL: 'error', SECRETS_KEY } });
    const client = new Client(server.url);
    const aside = { AUTH_A: 'Bearer of-no-meaning-here', KEY_A: 'of-no-meaning-here' };
    set = await fixture(client, client.as({ 'x-dev-user': 'bob' }), aside);
    sets.push(set);
  });

  test.each(rows('any', 'dev'))('$id: $why', (row) => check(row, set));
});

describe('on a server in production, with keys and access tokens', () => {
  const file = freshSqliteFile();
  let [issuer, attacker]: (CountingServer | undefined)[] = [];
  let server: RunningServer;
  let set: Fixture;
  let forged: Record<string, string>;

  beforeAll(async () => {
    [issuer, attacker] = [await CountingServer.start(), await CountingServer.start()];
    const [ours, theirs] = [await signingKey('RS256', 'ours'), await signingKey('RS256', 'theirs')];
    issuer.serve(ours);
    attacker.serve(theirs);
    forged = tokens(ours, theirs, attacker.url.href);
    const keys = { DATABASE_URL: file.url, KEY_PEPPER: 'a pepper for tests alone' };
    const jwt = { JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, JWT_JWKS_URL: issuer.url.href };
    server = await startServer({
      env: { NODE_ENV: 'production', AUTH_MODE: 'keys+jwt', LOG_LEVEL: 'error', SECRETS_KEY, ...keys, ...jwt },
    });
    const all = AUTH_SCOPES.filter((scope) => scope !== 'admin').join(',');
    const make = async (account: string, scopes: string) => createKey({ env: keys }, account, scopes);
    const [a, b] = [await make('alice', all), await make('bob', all)];
    const client = new Client(server.url);
    set = await fixture(
      client.as({ authorization: `Bearer ${a.key}` }),
      client.as({ authorization: `Bearer ${b.key}` }),
      {
        ...forged,
        AUTH_A: `Bearer ${a.key}`,
        KEY_A: a.key,
        KEY_A_UPPER: a.key.toUpperCase(),
        KEYID_A: a.id,
        AUTH_RO: `Bearer ${(await make('alice', 'strategies:read,orders:read')).key}`,
        AUTH_PAPER: `Bearer ${(await make('alice', 'orders:paper')).key}`,
        AUTH_LIVE: `Bearer ${(await make('alice', 'orders:live')).key}`,
        AUTH_LIVE_NO_OPTIN: `Bearer ${(await make('carol', 'orders:live')).key}`,
      },
    );
    sets.push(set);
  });

  afterAll(async () => {
    await Promise.all([issuer?.stop(), attacker?.stop()]);
    file.remove();
  });

  test.each(rows('any', 'prod', 'prod-live-disabled'))('$id: $why', (row) => check(row, set));

  test.each(badRequests('any').filter(({ id }) => id === WAITS))('on either server, $id: $why', async (row) => {
    expect(sets).toHaveLength(2);
    await Promise.all(sets.map((set) => check(row, set)));
  });

  test('a genuine token is accepted, unlike the forged ones', async () => {
    const reply = await new Client(server.url).post(ORDERS, ORDER, { authorization: `Bearer ${forged['GOOD']}` });
    expect(reply.status, reply.text).toBe(201);
  });

  test('no address that a token names is ever asked', () => {
    expect(attacker?.requests).toBe(0);
  });
});
