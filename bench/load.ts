import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { perRequest, processorTime, type ThreadTimes } from './processor-time.js';

/** Requests of one kind, in a closed loop: each connection sends its next one when the one before is answered. */
export interface Requests {
  /** The servers; connections are dealt out in turn. */
  readonly urls: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly method: 'GET' | 'POST';
  /** One is drawn for each request. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Draws the account for each request from this many, in dev mode. */
  readonly accounts?: number;
  /** Whether all requests of an account go to the same server, as a load balancer can route them. */
  readonly isRouted?: boolean;
  /** Whether each request has an idempotency key of its own. */
  readonly newKeys?: boolean;
}

/** What the clients saw; times are in milliseconds. */
export interface Answered {
  readonly answered: number;
  /** Answers other than 2xx. */
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** How much of one processor the clients took; above 0.9 they are what is measured. */
  readonly busy: number;
}

/** A server under load, or several that share the work. */
export interface Target {
  readonly name: string;
  readonly urls: readonly string[];
  readonly pids: readonly number[];
}

/** What one slice of load measured: what the clients saw, and microseconds of processor time a request. */
export interface Slice extends Answered {
  readonly micros: ThreadTimes;
}

/** Clients in a process of their own, so that their work is not counted as the server's. */
export class Load {
  /** The most that the clients took of one processor. */
  busiest = 0;
  readonly #child: ChildProcess;

  constructor(
    /** The processes of the database now, if there is one beside the servers. */
    private readonly databasePids: () => Promise<readonly number[]> = async () => [],
  ) {
    this.#child = fork(new URL('./programs/load.ts', import.meta.url), [], { execArgv: ['--import', 'tsx'] });
  }

  /** Loads the target for some seconds. @throws when a connection broke */
  async slice(target: Target, requests: Omit<Requests, 'urls'>): Promise<Slice> {
    const before = await processorTime(target.pids, await this.databasePids());
    this.#child.send({ ...requests, urls: target.urls });
    const [result] = (await once(this.#child, 'message')) as [Answered | { error: string }];
    if ('error' in result) throw new Error(`${target.name}: ${result.error}`);
    const after = await processorTime(target.pids, await this.databasePids());
    this.busiest = Math.max(this.busiest, result.busy);
    return { ...result, micros: perRequest(before, after, result.answered + result.failed) };
  }

  /** A sentence on how much of a processor the clients took. */
  get said(): string {
    const taken = `The clients took at most ${(100 * this.busiest).toFixed(0)} % of one processor.`;
    return this.busiest < 0.9 ? taken : `${taken} They were the limit: the fastest server could do more.`;
  }

  stop(): void {
    this.#child.disconnect();
  }
}
