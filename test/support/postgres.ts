import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { findPrograms, type Owner, unprivilegedOwner } from './postgres-programs.js';

/** A running Postgres: one that was named, or one of this run's own. */
export interface TestPostgres {
  /** A superuser's connection. */
  readonly url: string;
  /** Ends the server and removes its files; leaves a server that was named alone. */
  stop(): Promise<void>;
}

const USER = 'stakeport';
const READY = 'database system is ready to accept connections';

/**
 * Runs Postgres until standard input ends, because its parent closed it or was killed; then stops the server, and removes
 * its folder. Standard error is the server's alone, so its end shows that the server is gone.
 */
const KEEPER = `folder=$1; shift
"$@" & server=$!
exec 2> /dev/null
cat > /dev/null
kill -INT $server
wait $server
rm -rf "$folder"`;

/** Speed instead of durability: nothing in a test outlives the run. A measurement wants the real thing. */
const VOLATILE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** Memory and connections alone: the planner, JIT and autovacuum are as they come. */
const SETTINGS = ['max_wal_size=4GB', 'max_connections=200', 'shared_buffers=64MB'];

/**
 * Uses the server at `named`, else starts one on a free port of 127.0.0.1; `durable` syncs its commits to the disk.
 * @throws Error when there is no Postgres here, or it does not start.
 */
export async function startPostgres(named: string | undefined, durable = false): Promise<TestPostgres> {
  if (named !== undefined && named !== '') return { url: named, stop: async () => {} };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOwn(durable ? SETTINGS : [...VOLATILE, ...SETTINGS]);
    } catch (error) {
      // Another process took the free port between the moment it was found and the moment Postgres bound it.
      if (attempt === 3 || !String(error).includes('Address already in use')) throw error;
    }
  }
}

async function startOwn(settings: readonly string[]): Promise<TestPostgres> {
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  try {
    const bin = await findPrograms(folder, owner);
    initialise(bin, folder, owner);
    return await launch(bin, folder, owner, settings);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function initialise(bin: string, folder: string, owner: Owner): void {
  const flags = ['--no-sync', '--no-instructions', '-A', 'trust', '--locale=C', '--encoding=UTF8', '-U', USER];
  execFileSync(join(bin, 'initdb'), [...flags, '-D', join(folder, 'data')], { ...owner, cwd: folder, stdio: 'pipe' });
}

async function launch(bin: string, folder: string, owner: Owner, settings: readonly string[]): Promise<TestPostgres> {
  const port = await freePort();
  const where = ['-D', join(folder, 'data'), '-h', '127.0.0.1', '-p', String(port), '-k', folder];
  const server = [join(bin, 'postgres'), ...where, ...settings.flatMap((setting) => ['-c', setting])];
  const keeper = spawn('sh', ['-c', KEEPER, 'keeper', folder, ...server], {
    ...owner,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // An interrupt at the terminal is for this process; the keeper notices its end.
    detached: true,
  });
  await untilReady(keeper);
  return { url: `postgres://${USER}@127.0.0.1:${port}/postgres`, stop: () => stop(keeper) };
}

async function untilReady(keeper: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    keeper.once('error', reject);
    keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      // Kept reading after the start: a full pipe would block the server.
      if (said.length < 10_000) said += text;
      if (said.includes(READY)) resolve();
    });
    keeper.stderr?.once('end', () => reject(new Error(`Postgres did not start:\n${said}`)));
  }).catch(async (error) => {
    await stop(keeper);
    throw error;
  });
}

async function stop(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.pid === undefined) return;
  const ended = once(keeper, 'exit');
  keeper.stdin?.end();
  await ended;
}
