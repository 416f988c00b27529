import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STRATEGIES } from '../support/app.js';
import { type FreshSqliteFile, freshSqliteFile } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { Client } from '../support/http.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';
import { placeOnce, until } from './trading.js';

const AT_ONCE = 100;

let file: FreshSqliteFile;
const open: number[] = [];

beforeEach(() => {
  file = freshSqliteFile();
});

afterEach(() => {
  for (const fd of open.splice(0)) closeSync(fd);
  file.remove();
});

/** A pipe with a name, so that both of its ends can be had here: one to write to, and one that reads. */
function pipe(): { writing: number; reading: number } {
  const path = join(dirname(file.path), 'pipe');
  execFileSync('mkfifo', [path]);
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(path, constants.O_WRONLY);
  open.push(writing);
  return { writing, reading };
}

function readerGone(): number {
  const { writing, reading } = pipe();
  closeSync(reading);
  return writing;
}

function readerAsleep(): number {
  const { writing, reading } = pipe();
  open.push(reading);
  const filling = openSync(`/proc/self/fd/${writing}`, constants.O_WRONLY | constants.O_NONBLOCK);
  const filled = () => writeSync(filling, 'x'.repeat(4096));
  expect(() => {
    while (filled() > 0);
  }).toThrow('EAGAIN');
  closeSync(filling);
  return writing;
}

function diskFull(): number {
  const writing = openSync('/dev/full', 'w');
  open.push(writing);
  return writing;
}

describe('A server whose output cannot be written', () => {
  test.each([
    ['its reader is gone', readerGone, 20],
    ['its reader reads nothing, from a pipe', readerAsleep, 20],
    ['its reader reads nothing, from a socket', () => 'unread' as const, 1500],
    ['the disk is full', diskFull, 20],
  ])('trades, stops on a signal, and frees its port and file: %s', async (_, outputs, requests) => {
    const PORT = `${await freePort()}`;
    const env = { DATABASE_URL: file.url, LOG_LEVEL: 'trace', HOST: '127.0.0.1', PORT };
    const server = startProgram(process.execPath, { args: [SERVER], env, outputs: outputs() });
    const client = new Client(`http://127.0.0.1:${PORT}`);
    await until(async () => (await client.get('/readyz')).status === 200);
    const list = () => client.get(STRATEGIES, { 'x-request-id': 'r'.repeat(64) });
    // So many at once: with all of them, a busy machine has no connection to the store for the last within two seconds.
    for (let sent = 0; sent < requests; sent += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests - sent) }, list));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect((await placeOnce(client, 'heard-by-nobody')).status).toBe(201);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const next = await startServer({ env });
    const again = await placeOnce(new Client(next.url), 'heard-by-nobody');
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  });

  test('exits with its error report without waiting for a reader', async () => {
    const fails = `data:text/javascript,process.on('SIGUSR2', () => { throw new Error('a mistake of ours'); })`;
    for (const outputs of [readerAsleep(), diskFull(), undefined]) {
      const PORT = `${await freePort()}`;
      const env = { DATABASE_URL: 'memory:', HOST: '127.0.0.1', PORT };
      const args = ['--import', fails, SERVER];
      const server = startProgram(process.execPath, { args, env, ...(outputs === undefined ? {} : { outputs }) });
      await until(async () => (await new Client(`http://127.0.0.1:${PORT}`).get('/healthz')).status === 200);
      expect(await server.kill('SIGUSR2')).toEqual({ code: 1, signal: null });
      if (outputs === undefined) expect(server.output()).toMatch(/"level":60.*a mistake of ours.*this must not happen/);
    }
  });
});

test('A command whose reader has read enough ends quietly', async () => {
  await (await startServer({ env: { DATABASE_URL: file.url } })).kill('SIGTERM');
  const errors = join(dirname(file.path), 'errors');
  const command = `{ "$@" 2>"${errors}"; echo $? > "${errors}.code"; } | true`;
  const env = { DATABASE_URL: file.url, KEY_PEPPER: 'a pepper for this test' };
  const args = ['-c', command, 'sh', process.execPath, SERVER, 'keys', 'list'];
  expect((await startProgram('sh', { args, env }).ended).code).toBe(0);
  expect([readFileSync(errors, 'utf8'), readFileSync(`${errors}.code`, 'utf8')]).toEqual(['', '0\n']);
});

test('A command whose output fails says that it may have taken effect', async () => {
  const env = { DATABASE_URL: file.url };
  const args = ['-c', '"$@" > /dev/full', 'sh', process.execPath, SERVER, 'accounts', 'enable-live', 'alice'];
  const program = startProgram('sh', { args, env });
  expect((await program.ended).code).toBe(69);
  expect(program.output()).toBe(
    'stakeport could not print all of its output (ENOSPC). The command may have taken effect: check before you repeat it.\n',
  );
});

test('A command in a removed folder reports it in one line', async () => {
  const args = ['-c', 'mkdir gone && cd gone && rmdir ../gone && "$@"', 'sh', process.execPath, SERVER, 'audit'];
  const program = startProgram('sh', { args });
  expect((await program.ended).code).toBe(78);
  expect(program.output()).toBe('The working directory no longer exists: change to one that does. Nothing was done.\n');
});
