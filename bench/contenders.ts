import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.js';
import type { Target } from './load.js';

/** A server under measurement: how it is started, and with what environment. */
export interface Contender {
  readonly name: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One that is running. */
export interface Running extends Target {
  /** From the start of the process to its first 200. */
  readonly startMs: number;
  rssMb(): Promise<number>;
  stop(): Promise<void>;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const QUIET = { LOG_LEVEL: 'info', AUTH_MODE: 'dev', PAPER_BALANCE_USDC: '900000000', EQUITY_EVERY: 'off' };
const POLL_MS = 2;

/** The upper limit: parses and answers, and does nothing else. */
export const BARE: Contender = { name: 'bare node:http', script: join(HERE, 'servers/bare-http.mjs'), env: {} };

/** One insert for each request through Knex, into Postgres. */
export const insertEach = (url: string): Contender => ({
  name: 'Knex, one insert each, Postgres',
  script: join(HERE, 'servers/insert-each.mjs'),
  env: { DATABASE_URL: url },
});

/** One insert for each request by Fastify and better-sqlite3, which `installPeers` installs. */
export const fastify = (file: string): Contender => ({
  name: 'Fastify + better-sqlite3, one insert each',
  script: join(HERE, 'peers/fastify-better-sqlite3.mjs'),
  env: { DATABASE_FILE: file },
});

/** The service. */
export const stakeport = (name: string, url: string, env: Readonly<Record<string, string>> = {}): Contender => ({
  name: `stakeport, ${name}`,
  script: join(HERE, '../dist/server/main.js'),
  env: { ...QUIET, DATABASE_URL: url, ...env },
});

/** The service, with a ledger that answers reads of orders from memory. */
export const withoutStore = (url: string): Contender => ({
  ...stakeport('the same without a store', url),
  script: join(HERE, 'servers/without-store.mjs'),
});

/** Starts a contender on a free port and waits for its first 200. */
export async function start({ name, script, env }: Contender): Promise<Running> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(`${url}/healthz`, child, name);
  const startMs = performance.now() - began;
  const pids = child.pid === undefined ? [] : [child.pid];
  return { name, urls: [url], pids, startMs, rssMb: () => rssMb(child), stop: () => stop(child) };
}

async function firstAnswer(url: string, child: ChildProcess, name: string): Promise<void> {
  while ((await statusOf(url)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${name} did not start`);
    await delay(POLL_MS);
  }
}

const statusOf = (url: string): Promise<number> =>
  new Promise((answered) => {
    const request = get(url, { agent: false }, (answer) => {
      answer.resume();
      answered(answer.statusCode ?? 0);
    });
    request.once('error', () => answered(0));
  });

async function rssMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
