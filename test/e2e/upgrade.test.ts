import { existsSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Client } from '../support/http.js';
import { oldSqliteFile } from '../support/old-databases.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';

/** The database has an API key, so no caller is trusted without one. */
const ISSUER = { JWT_ISSUER: 'https://issuer.test', JWT_AUDIENCE: 'here', JWT_JWKS_URL: 'http://127.0.0.1:9/keys' };
const PORT = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', AUTH_MODE: 'jwt', ...ISSUER };

test('a server that finds a database of an older version copies it, says where to, and is ready', async () => {
  const file = await oldSqliteFile('d6bed80');
  const env = { ...PORT, DATABASE_URL: file.url };
  const first = await startServer({ env });
  const copy = /"copiedTo":"([^"]+)".*database was migrated; its file was copied first/;
  const copied = (await first.says(copy))[1] ?? '';
  expect(copied).toBe(`${file.path}.before-009`);
  expect(existsSync(copied)).toBe(true);
  expect((await new Client(first.url).get('/readyz')).status).toBe(200);
  expect((await first.kill('SIGTERM')).code).toBe(0);
  const second = await startServer({ env });
  expect(second.output()).not.toMatch(copy);
  await second.kill('SIGTERM');
  // Unchanged: to go back to the older version, put it in its place.
  const again = await startServer({ env: { ...env, DATABASE_URL: `sqlite:${copied}` } });
  await again.says(copy);
  await again.kill('SIGTERM');
  file.remove();
});

test('a server does not start on a database of an older version that it cannot copy', async () => {
  const file = await oldSqliteFile('d6bed80');
  mkdirSync(`${file.path}.before-009.part`);
  const refused = startProgram(process.execPath, { args: [SERVER], env: { ...PORT, DATABASE_URL: file.url } });
  expect(await refused.ended).toEqual({ code: 78, signal: null });
  expect(refused.output()).toMatch(/cannot be copied to .*before-009 before its migration .* Nothing was changed/);
  file.remove();
});
