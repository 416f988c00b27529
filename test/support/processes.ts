import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { afterEachFile } from './after-file.js';
import { ROOT } from './build.js';

/** How a program ended: by itself with a code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs in a process of its own, killed when the test file is over. */
export interface Running {
  readonly pid: number;
  /** Everything it has written so far, to both of its outputs. */
  output(): string;
  /** Resolves with the first match. Fails when the program ends, or is silent for `withinMs`, before it. */
  says(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  /** Sends the signal and resolves when the program is gone. */
  kill(signal: NodeJS.Signals): Promise<Ending>;
  readonly ended: Promise<Ending>;
}

/** A program that listens. */
export interface RunningServer extends Running {
  /** Where it answers, such as `http://127.0.0.1:40123`. */
  readonly url: string;
}

/** The inputs of a program. */
export interface Start {
  readonly args?: readonly string[];
  /** Added to `PATH` and `HOME`; nothing else is inherited. For `startServer`, `SERVER_PROGRAM` names another program file. */
  readonly env?: Readonly<Record<string, string>>;
  /** A new temporary folder unless named. */
  readonly cwd?: string;
  /** The destination of both outputs: a descriptor, or pipes that are never read. Read by `output` when absent. */
  readonly outputs?: number | 'unread';
}

/**
 * What lives for seconds is not optimised: V8 would compile the parser of HTTP that undici carries a second time, a fifth of the processor
 * time that a server or a command takes in all.
 */
export const SHORT_LIVED: readonly string[] = ['--liftoff-only'];

const LISTENING = /listening.*?(https?:\/\/[^\s"',]+:\d+)/i;
const children = new Set<ChildProcess>();
const folders: string[] = [];

afterEachFile(async () => {
  await Promise.all([...children].map((child) => end(child, 'SIGKILL')));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

// A worker that is stopped in the middle of a file takes its children with it.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts the built server, on a free port unless `env` names one, and waits until it listens. */
export async function startServer(start: Start = {}): Promise<RunningServer> {
  const failure = inject('buildFailure');
  if (failure !== '') throw new Error(`dist/ is not built:\n${failure}`);
  const { SERVER_PROGRAM: program = SERVER, ...env } = { HOST: '127.0.0.1', PORT: '0', ...start.env };
  return listening(startProgram(process.execPath, { ...start, args: [program, ...(start.args ?? [])], env }));
}

/** The built server's program file. */
export const SERVER = join(ROOT, 'dist/server/main.js');

/** The file of a program that only tests start: see bundle-programs.mjs. */
export const testProgram = (name: string): string => join(ROOT, `dist/.cache/tested/${name}.js`);

/** Waits until the program has said where it listens. */
export async function listening(program: Running): Promise<RunningServer> {
  const [, url = ''] = await program.says(LISTENING);
  return { ...program, url };
}

/** Starts any program. */
export function startProgram(command: string, start: Start = {}): Running {
  const { args = [], env = {}, cwd = freshFolder(), outputs } = start;
  const { PATH = '', HOME = '' } = process.env;
  const to = typeof outputs === 'number' ? outputs : 'pipe';
  const own = command === process.execPath ? SHORT_LIVED : [];
  const child = spawn(command, [...own, ...args], { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', to, to] });
  children.add(child);
  let output = '';
  for (const stream of outputs === undefined ? [child.stdout, child.stderr] : []) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = endOf(child);
  return {
    pid: child.pid ?? 0,
    output: () => output,
    says: (pattern, withinMs = 60_000) => said(child, () => output, pattern, withinMs),
    kill: (signal) => end(child, signal),
    ended,
  };
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-run-'));
  folders.push(folder);
  return folder;
}

async function endOf(child: ChildProcess): Promise<Ending> {
  // `close` and not `exit`: by then all output has been read.
  const [code, signal] = await once(child, 'close');
  children.delete(child);
  return { code, signal };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<Ending> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return { code: exitCode, signal: signalCode };
  const closed = once(child, 'close');
  child.kill(signal);
  const [code, endSignal] = await closed;
  return { code, signal: endSignal };
}

function said(child: ChildProcess, output: () => string, pattern: RegExp, withinMs: number): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => finish(() => reject(new Error(`${reason} before ${pattern}:\n${output()}`)));
    const onEnd = () => fail('The program ended');
    const timer = setTimeout(() => fail(`Nothing came for ${withinMs} ms`), withinMs);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.stderr?.off('data', look);
      child.off('close', onEnd);
      settle();
    };
    const look = () => {
      const match = pattern.exec(output());
      if (match !== null) finish(() => resolve(match));
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', onEnd);
    look();
    if (child.exitCode !== null || child.signalCode !== null) onEnd();
  });
}
