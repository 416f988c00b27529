import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oldSqliteFile } from '../support/old-databases.js';
import { SERVER, startProgram } from '../support/processes.js';

test('a server refuses a database from before the first release', async () => {
  const file = await oldSqliteFile();
  const before = readFileSync(file.path);
  const env = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', DATABASE_URL: file.url };
  const refused = startProgram(process.execPath, { args: [SERVER], env });
  expect(await refused.ended).toEqual({ code: 78, signal: null });
  expect(refused.output()).toMatch(/made before its first release.*keep the books with `stakeport backup`/);
  expect(readFileSync(file.path)).toEqual(before);
  file.remove();
});
