import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { stakeport } from '../e2e/command-line.js';
import { ORDER, ORDERS } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { freshPostgres } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';

const ROLES = ['owner', 'server', 'reader'] as const;
type Role = (typeof ROLES)[number];

const passwordOf = (role: Role): string => `${role}-of-this-test`;

/** deploy/roles.sql as psql would read it. */
function statements(): string {
  const lines = readFileSync(join(ROOT, 'deploy/roles.sql'), 'utf8').split('\n');
  const sql = lines.filter((line) => !line.startsWith('\\')).join('\n');
  return ROLES.reduce((text, role) => text.replaceAll(`:'${role}_password'`, `'${passwordOf(role)}'`), sql);
}

let url = '';
let drop = async () => {};

async function asSuperuser(sql: string, connectionString = url): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function environmentOf(role: Role): { env: Record<string, string> } {
  const own = new URL(url);
  own.username = `stakeport_${role}`;
  own.password = passwordOf(role);
  return { env: { DATABASE_URL: own.href, LOG_LEVEL: 'error' } };
}

beforeAll(async () => {
  ({ url, drop } = await freshPostgres());
  await asSuperuser(statements());
});

afterAll(async () => {
  await drop();
  await asSuperuser(`drop role ${ROLES.map((role) => `stakeport_${role}`).join(', ')}`, inject('postgresUrl'));
});

test('under deploy/roles.sql the owner creates tables, servers write, and audits read', async () => {
  const unmade = await stakeport(environmentOf('server'), 'migrate');
  expect(unmade).toMatchObject({ code: 78, output: expect.stringContaining('permission denied') });
  expect(await stakeport(environmentOf('owner'), 'migrate')).toMatchObject({ code: 0 });

  const server = await startServer(environmentOf('server'));
  expect((await new Client(server.url).post(ORDERS, ORDER)).status).toBe(201);
  const dropped = asSuperuser('set role stakeport_server; drop table orders');
  await expect(dropped).rejects.toThrow('must be owner of table orders');
  await server.kill('SIGTERM');

  const audit = await stakeport(environmentOf('reader'), 'audit');
  expect(audit).toMatchObject({ code: 0, output: expect.stringContaining('orders 1') });
  const written = asSuperuser('set role stakeport_reader; delete from orders');
  await expect(written).rejects.toThrow('permission denied for table orders');
  expect(server.output()).not.toContain('"level":50');
});
