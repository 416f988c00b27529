import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server under measurement: how it is started, and with what environment. */
export interface Contender {
  readonly name: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One that is running. */
export interface Running {
  readonly name: string;
  readonly url: string;
  /** From the start of the process to its first 200. */
  readonly startMs: number;
  rssMb(): Promise<number>;
  stop(): Promise<void>;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const STAKEPORT = join(HERE, '../dist/server/main.js');
const QUIET = { LOG_LEVEL: 'info', AUTH_MODE: 'dev', PAPER_BALANCE_USDC: '900000000' };

/** The bare upper limit, and the service on each store. */
export async function contenders(postgresUrl: string): Promise<{ all: Contender[]; cleanUp(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  const stakeport = (store: string, url: string) => ({
    name: `stakeport, ${store}`,
    script: STAKEPORT,
    env: { ...QUIET, DATABASE_URL: url },
  });
  const all = [
    { name: 'bare node:http', script: join(HERE, 'servers/bare-http.mjs'), env: {} },
    stakeport('memory', 'memory:'),
    stakeport('SQLite FULL', `sqlite:${join(folder, 'bench.db')}`),
    {
      name: 'one insert each, Postgres',
      script: join(HERE, 'servers/insert-each.mjs'),
      env: { DATABASE_URL: postgresUrl },
    },
    stakeport('Postgres', postgresUrl),
  ];
  return { all, cleanUp: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts a contender on a free port and waits for its first 200. */
export async function start({ name, script, env }: Contender): Promise<Running> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(`${url}/healthz`, child);
  const startMs = performance.now() - began;
  return { name, url, startMs, rssMb: () => rssMb(child), stop: () => stop(child) };
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${url} did not start`);
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((next) => setImmediate(next));
  }
}

async function rssMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((stopped) => {
    child.once('exit', () => stopped());
    child.kill('SIGTERM');
  });
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
