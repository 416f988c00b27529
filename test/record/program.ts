import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/build.js';
import { SHORT_LIVED } from '../support/processes.js';

/** The built program; `RECORD_PROGRAM` names another. */
const PROGRAM = process.env['RECORD_PROGRAM'] ?? join(ROOT, 'dist/server/main.js');
const PRELOADED = pathToFileURL(join(ROOT, 'test/record/fixed-time.mjs'));
/** The first moment of the tapes. */
export const BEGAN = Date.parse('2026-03-01T12:00:00.000Z');

type Variables = Readonly<Record<string, string>>;

/** What programs are given of the environment: where Node writes down what ran, if it is asked to. */
const inherited = (): Variables => {
  const { PATH = '', NODE_V8_COVERAGE } = process.env;
  return { PATH, ...(NODE_V8_COVERAGE !== undefined && { NODE_V8_COVERAGE }) };
};

const servers = new Set<ChildProcess>();
const folders: string[] = [];

/** Kills what still runs, and removes the folders. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...servers].map((server) => stop(server, 'SIGKILL')));
  kept.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A new temporary folder, removed when the test file is over. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-told-'));
  folders.push(folder);
  return folder;
}

/** The built server, for which time stands still unless it is told to pass. */
export interface StillServer {
  readonly url: string;
  /** All that it has written so far. */
  output(): string;
  /** Resolves once everything is done that needs no time to pass. */
  settled(): Promise<void>;
  /** Lets so many milliseconds pass, and resolves once everything that was due is done. */
  pass(ms: number): Promise<void>;
  /** The same as if the machine slept meanwhile: what was due is done once, at the end. Hours take no longer than a moment. */
  sleep(ms: number): Promise<void>;
  /** Sends a request, lets this time pass once it waits for that, and resolves with the answer. */
  passWhile<T>(ms: number, request: () => Promise<T>): Promise<T>;
  /** Ends it as an operator does, and resolves with its exit code. */
  stop(): Promise<number | null>;
}

const preloaded = (seed: string, at: number) => `--import=${PRELOADED.href}?${at}x${seed}`;

/** Starts the built server, whose clock stands at `at`, and waits until it listens. */
export async function startStill(env: Variables, { seed = 'server', at = BEGAN } = {}): Promise<StillServer> {
  const child = spawn(process.execPath, [...SHORT_LIVED, preloaded(seed, at), PROGRAM], {
    cwd: freshFolder(),
    env: {
      ...inherited(),
      TZ: 'UTC',
      HOME: freshFolder(),
      HOST: '127.0.0.1',
      PORT: '0',
      PAPER_LATENCY_MS: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  servers.add(child);
  let output = '';
  const heard = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
    child.once('exit', () => reject(new Error(`The server ended:\n${output}`)));
  });
  const url = await heard;
  const asked: ((arrived: number) => void)[] = [];
  child.on('message', ({ arrived }: { arrived: number }) => asked.shift()?.(arrived));
  const advance = (ms: number, isAsleep = false): Promise<number> =>
    new Promise((resolve) => {
      if (!child.connected) return resolve(0);
      asked.push(resolve);
      child.send({ advance: ms, isAsleep });
    });
  const passWhile: StillServer['passWhile'] = async (ms, request) => {
    const before = await advance(0);
    const answer = request();
    while ((await advance(0)) === before);
    await advance(ms);
    return answer;
  };
  await advance(0);
  return {
    url,
    passWhile,
    output: () => output,
    stop: () => stop(child, 'SIGTERM'),
    settled: async () => void (await advance(0)),
    pass: async (ms) => void (await advance(ms)),
    sleep: async (ms) => void (await advance(ms, true)),
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  servers.delete(child);
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

/** What a command wrote, and how it ended. */
export interface Told {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Processes that have loaded the program, by the database that their commands use. */
const kept = new Map<string, ChildProcess>();

/**
 * Runs a command as `command` does, but in a process that ran others before: to load the program takes most of the time of a command.
 * It has no input, and sits at no terminal.
 */
export async function keptCommand(
  args: readonly string[],
  run: { env?: Variables; seed: string; at: number },
): Promise<Told> {
  const { env = {}, at, seed } = run;
  // A copy with a fault is one file; and Node writes down what ran when a process ends by itself.
  if (process.env['RECORD_PROGRAM'] !== undefined || inherited()['NODE_V8_COVERAGE'] !== undefined)
    return command(args, run);
  const { DATABASE_URL: database = '' } = env;
  const child = kept.get(database) ?? startKept(database);
  kept.set(database, child);
  const variables = { ...inherited(), TZ: 'UTC', HOME: freshFolder(), COLUMNS: '100', ...env };
  child.send({ args, variables, cwd: env['HOME'] ?? freshFolder(), at, seed });
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error(`The process of commands ended at: ${args.join(' ')}`));
    child.once('exit', end).once('message', (told) => {
      child.off('exit', end);
      resolve(told as Told);
    });
  });
}

function startKept(database: string): ChildProcess {
  const child = spawn(process.execPath, [...SHORT_LIVED, join(ROOT, 'test/record/kept.mjs'), PROGRAM], {
    env: { ...inherited(), TZ: 'UTC', ...(database !== '' && { DATABASE_URL: database }) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  servers.add(child);
  return child;
}

/** Runs a command of the built program to its end, at the moment `at`. */
export async function command(
  args: readonly string[],
  {
    env = {},
    input = '',
    seed = 'command',
    at = BEGAN,
    program = PROGRAM,
  }: { env?: Variables; input?: string; seed?: string; at?: number; program?: string } = {},
): Promise<Told> {
  const child = spawn(process.execPath, [...SHORT_LIVED, preloaded(seed, at), program, ...args], {
    cwd: env['HOME'] ?? freshFolder(),
    env: { ...inherited(), TZ: 'UTC', HOME: freshFolder(), COLUMNS: '100', ...env },
    stdio: 'pipe',
  });
  servers.add(child);
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const parts: string[] = [];
    stream.setEncoding('utf8').on('data', (text: string) => parts.push(text));
    return parts;
  }) as [string[], string[]];
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  servers.delete(child);
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}
