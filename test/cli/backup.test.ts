import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { EXIT } from '../../src/server/failures/exit.js';
import { freshSqliteFile } from '../support/databases.js';
import { inEnvironment, stakeport } from './in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function books(): Promise<string> {
  const { url } = freshSqliteFile();
  await (await openSqlLedger(url)).close();
  return url;
}

test('a backup is a private new file with instructions to check it', async () => {
  inEnvironment({ DATABASE_URL: await books() });
  const path = join(folder, 'copy.db');
  const { code, printed } = await stakeport('backup', path);
  expect([code, printed]).toEqual([0, expect.stringContaining(`DATABASE_URL=sqlite:${path} stakeport audit`)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an existing file is never overwritten, and nothing is left behind', async () => {
  inEnvironment({ DATABASE_URL: await books() });
  const path = join(folder, 'older.db');
  writeFileSync(path, 'an older backup');
  const { code, error } = await stakeport('backup', path);
  expect([code, error]).toEqual([EXIT.config, expect.stringContaining(`${path} exists already. No copy was made.`)]);
  expect(statSync(path).size).toBe('an older backup'.length);
  expect(readdirSync(folder)).not.toContain('older.db.part');
});

test.each([
  ['a folder that does not exist', async () => ({ DATABASE_URL: await books() }), 'missing/copy.db', 'ENOENT'],
  ['a database on Postgres', async () => ({ DATABASE_URL: 'postgres://localhost:1/books' }), 'copy-2.db', 'pg_dump'],
  ['a database that is not there', async () => ({ DATABASE_URL: 'sqlite:nowhere.db' }), 'copy-3.db', 'does not exist'],
])('%s is refused with what to do', async (_, env, name, meant) => {
  inEnvironment(await env());
  const { code, error } = await stakeport('backup', join(folder, name));
  expect([code, error]).toEqual([EXIT.config, expect.stringContaining(meant)]);
});
