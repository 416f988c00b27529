import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { command } from '../cli/in-process.js';
import { STRATEGIES } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';
import { message } from '../support/wire.js';
import { createKey } from './command-line.js';

const PEPPER = { KEY_PEPPER: 'a pepper for tests alone' };

describe('A database in which credentials count', () => {
  async function refused(url: string, words: string, mode: Readonly<Record<string, string>> = {}): Promise<void> {
    const program = startProgram(process.execPath, { args: [SERVER], env: { DATABASE_URL: url, PORT: '0', ...mode } });
    expect((await program.ended).code).toBe(78);
    expect(program.output()).toContain(`stakeport cannot start: The database holds ${words}, and AUTH_MODE=dev`);
    expect(program.output()).not.toContain('listening');
  }

  async function started(url: string): Promise<void> {
    const server = await startServer({ env: { DATABASE_URL: url } });
    expect((await new Client(server.url).get(STRATEGIES)).status).toBe(200);
    await server.kill('SIGTERM');
  }

  test('is refused by a server without authentication until its keys are revoked', async () => {
    const { url } = freshSqliteFile();
    const env = { DATABASE_URL: url, ...PEPPER };
    const keys = [await createKey({ env }, 'alice', 'orders:read'), await createKey({ env }, 'bob', 'admin')];
    await refused(url, '2 API keys that can be used');
    for (const { id } of keys) expect((await command(env, 'keys', 'revoke', id)).code).toBe(0);
    await started(url);
  });

  test('is refused by a server without authentication while live trading is enabled', async () => {
    const { url } = freshSqliteFile();
    const env = { DATABASE_URL: url };
    await command(env, 'accounts', 'enable-live', 'alice');
    await refused(url, '1 account enabled for live trading', { AUTH_MODE: 'dev' });
    expect((await command(env, 'audit')).code).toBe(0);
    expect((await command(env, 'accounts', 'disable-live', 'alice')).code).toBe(0);
    await started(url);
  });
});

test('ALLOWED_HOSTS restricts the host names of a server with authentication', async () => {
  const start = async (settings: Record<string, string>) => {
    const env = { DATABASE_URL: freshSqliteFile().url, AUTH_MODE: 'keys', ...PEPPER, ...settings };
    return new Client((await startServer({ env })).url);
  };
  const open = await start({});
  const named = await start({ ALLOWED_HOSTS: 'api.example.org, 192.0.2.1' });
  const statusOf = async (client: Client, host: string) => (await client.get('/healthz', { host })).status;
  expect(await statusOf(open, 'evil.example')).toBe(200);
  expect(await statusOf(named, 'api.example.org')).toBe(200);
  expect(await statusOf(named, 'evil.example')).toBe(421);
});

test('A client that disconnects during its response leaves no log line', async () => {
  const server = await startServer({ env: { DATABASE_URL: 'memory:', LOG_LEVEL: 'error' } });
  const { hostname, port } = new URL(server.url);
  const client = connect(Number(port), hostname);
  client.on('error', () => {}).write(message('GET /docs/swagger-ui-bundle.js').repeat(40));
  client.once('data', () => client.resetAndDestroy());
  await new Promise((resolve) => client.once('close', resolve));
  expect((await new Client(server.url).get('/healthz')).status).toBe(200);
  await server.kill('SIGTERM');
  expect(server.output()).not.toMatch(/ECONNRESET|EPIPE|Error/);
});
