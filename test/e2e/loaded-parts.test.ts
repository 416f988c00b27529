import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';

const ISSUER = { JWT_ISSUER: 'https://issuer.test', JWT_AUDIENCE: 'here', JWT_JWKS_URL: 'http://127.0.0.1:9/keys' };
const NOWHERE = 'http://127.0.0.1:9';
const POLYMARKET = {
  MARKET_DATA: 'polymarket',
  POLYMARKET_GAMMA_URL: NOWHERE,
  POLYMARKET_CLOB_URL: NOWHERE,
  POLYMARKET_WS_URL: 'ws://127.0.0.1:9',
};

/** What a configuration, or a command, uses or does not use, by the paths of its files. */
const PARTS = {
  polymarket: /adapters\/polymarket\/(websocket|market-data\/polymarket)/,
  wallet: /adapters\/polymarket\/(execution\/order-sender|signing\/signers)|\/(tiny-secp256k1|@noble\/hashes)\//,
  connections: /adapters\/transport\/(http-client|websocket)|\/node_modules\/(undici|ws)\//,
  // The words of an event are in the API, too.
  webhooks: /adapters\/(webhooks|telegram|ntfy)\/|core\/(message\/(?!event-words|message-text)|usecases\/endpoints\/)/,
  tape: /adapters\/tape\/tape-reader/,
  jwt: /adapters\/auth\/jwt|\/node_modules\/jose\//,
  commands: /\/cli\/(cli|keys|audit|api\/.*)\.|\/node_modules\/(commander|string-width|eventsource-parser)\//,
  sqlite: /adapters\/sql\/sqlite\.|\/node_modules\/sqlite3\//,
  postgres: /adapters\/sql\/postgres\.|\/node_modules\/pg\//,
  memory: /adapters\/memory\/memory-ledger/,
  queries: /\/node_modules\/knex\//,
  reference: /\/node_modules\/@valibot\/to-json-schema\//,
} as const;

/** What Node writes of a process that ends: each script, and what its source map says it was made of. */
interface Coverage {
  readonly result: readonly { readonly url: string }[];
  readonly 'source-map-cache'?: Readonly<Record<string, { readonly data: { readonly sources?: string[] } | null }>>;
}

const cleanings: (() => unknown)[] = [];

afterEach(async () => {
  for (const clean of cleanings.splice(0).reverse()) await clean();
});

/** The parts that a server has loaded once it is ready. */
async function partsOf(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-loaded-'));
  cleanings.push(() => rmSync(folder, { recursive: true }));
  const server = await startServer({ env: { ...env, NODE_V8_COVERAGE: folder } });
  expect((await new Client(server.url).get('/healthz')).status).toBe(200);
  expect((await server.kill('SIGTERM')).code).toBe(0);
  const files = filesIn(folder);
  expect(files.length).toBeGreaterThan(50);
  return partsAmong(files);
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => loadedIn(readFileSync(join(folder, name), 'utf8')));

function partsAmong(files: readonly string[]): readonly string[] {
  return Object.entries(PARTS).flatMap(([part, where]) => (files.some((file) => where.test(file)) ? [part] : []));
}

function loadedIn(text: string): readonly string[] {
  const { result, 'source-map-cache': maps = {} }: Coverage = JSON.parse(text);
  return [...result.map(({ url }) => url), ...Object.values(maps).flatMap(({ data }) => data?.sources ?? [])];
}

async function postgresUrl(): Promise<string> {
  const { url, drop } = await freshPostgres();
  cleanings.push(drop);
  return url;
}

function sqliteUrl(): string {
  const { url, remove } = freshSqliteFile();
  cleanings.push(remove);
  return url;
}

describe('A server loads what its configuration uses, and nothing else:', () => {
  it('paper in SQLite', async () => {
    expect(await partsOf({ DATABASE_URL: sqliteUrl() })).toEqual(['sqlite', 'queries']);
  });

  it('paper in memory', async () => {
    expect(await partsOf({ DATABASE_URL: 'memory:' })).toEqual(['memory']);
  });

  it('paper in Postgres', async () => {
    expect(await partsOf({ DATABASE_URL: await postgresUrl() })).toEqual(['postgres', 'queries']);
  });

  it('webhooks, where their secrets can be kept', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    expect(await partsOf({ DATABASE_URL: 'memory:', SECRETS_KEY })).toEqual(['connections', 'webhooks', 'memory']);
  });

  it('the books of a venue, and access tokens', async () => {
    const parts = await partsOf({ DATABASE_URL: 'memory:', ...POLYMARKET, AUTH_MODE: 'jwt', ...ISSUER });
    expect(parts).toEqual(['polymarket', 'connections', 'jwt', 'memory']);
  });
});

it('a command that asks a server loads none of it, and no other command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-loaded-'));
  cleanings.push(() => rmSync(folder, { recursive: true }));
  const env = { STAKEPORT_URL: NOWHERE, NODE_V8_COVERAGE: folder };
  const { code } = await startProgram(process.execPath, { args: [SERVER, 'orders'], env }).ended;
  expect(code).toBe(69);
  const files = filesIn(folder);
  expect(partsAmong(files)).toEqual(['connections', 'commands']);
  expect(
    files.filter((file) =>
      /\/(core\/usecases|backtest|adapters\/(http\/(?!csv)|import|paper))|cli\/(keys|accounts)\./.test(file),
    ),
  ).toEqual([]);
});
