import { existsSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ORDERS } from '../support/app.js';
import { Client } from '../support/http.js';
import { oldSqliteFile } from '../support/old-databases.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';

const PORT = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info' };

test('a server that finds a database of an older version copies it, says where to, and goes on with what is in it', async () => {
  const file = await oldSqliteFile('d6bed80');
  const env = { ...PORT, DATABASE_URL: file.url };
  const first = await startServer({ env });
  const copy = /"copiedTo":"([^"]+)".*brought up to date; its file was copied before/;
  const told = (await first.says(copy))[1] ?? '';
  expect(told).toBe(`${file.path}.before-009`);
  expect(existsSync(told)).toBe(true);
  const alice = new Client(first.url, { 'x-dev-user': 'alice' });
  const placed = await alice.post(ORDERS, { market_id: 'will-it-rain', token: 'YES', price: 0.5, size_usdc: 10 });
  expect([placed.status, placed.json()['status']]).toEqual([201, 'filled']);
  expect((await first.kill('SIGTERM')).code).toBe(0);
  const second = await startServer({ env });
  expect(second.output()).not.toMatch(copy);
  await second.kill('SIGTERM');
  // As it was: whoever goes back to the older version puts it in its place.
  const again = await startServer({ env: { ...env, DATABASE_URL: `sqlite:${told}` } });
  await again.says(copy);
  await again.kill('SIGTERM');
  file.remove();
});

test('a server does not start on a database of an older version that it cannot copy', async () => {
  const file = await oldSqliteFile('d6bed80');
  mkdirSync(`${file.path}.before-009.part`);
  const refused = startProgram(process.execPath, { args: [SERVER], env: { ...PORT, DATABASE_URL: file.url } });
  expect(await refused.ended).toEqual({ code: 78, signal: null });
  expect(refused.output()).toMatch(
    /cannot be copied to .*before-009 before it is brought up to date .* Nothing was changed/,
  );
  file.remove();
});
