import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '../../src/server/failures/exit.js';
import { stakeport } from '../e2e/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-env-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('settings come from the named files unless they are set already', async () => {
  const first = fileWith('first.env', 'DATABASE_URL="sqlite:of-the-first.db"\n');
  const second = fileWith('second.env', 'DATABASE_URL=sqlite:of-the-second.db\n');
  const files = ['--env-file', first, `--env-file=${second}`];
  const fromFile = await stakeport({}, ...files, 'audit');
  expect(fromFile).toMatchObject({ code: EXIT.config, output: expect.stringContaining('of-the-first.db') });
  const fromShell = await stakeport({ env: { DATABASE_URL: 'sqlite:of-the-shell.db' } }, ...files, 'audit');
  expect(fromShell).toMatchObject({ code: EXIT.config, output: expect.stringContaining('of-the-shell.db') });
});

test('a server reads its settings from the file too', async () => {
  const path = fileWith('server.env', 'DATABASE_URL=memory:\nHOST=not a host\n');
  const { code, output } = await stakeport({}, '--env-file', path);
  expect([code, output]).toEqual([EXIT.config, expect.stringContaining('HOST')]);
});

test.each([
  // Node itself looks for the file first, and ends with 9.
  ['a file that is missing', [9, EXIT.config], ['--env-file', join(folder, 'missing.env'), 'audit'], 'missing.env'],
  ['a folder', [9, EXIT.config], ['--env-file', folder, 'audit'], folder],
  ['no file', [EXIT.usage], ['--env-file'], '--env-file takes a file. See stakeport --help'],
])('%s is reported, and no command is run', async (_, codes, args, words) => {
  const { code, output } = await stakeport({}, ...args);
  expect(codes).toContain(code);
  expect(output).toContain(words);
  expect(output.trim().split('\n')).toHaveLength(1);
});
