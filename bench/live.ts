import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Chain, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { KNOWN_ADDRESS } from '../test/adapters/polymarket/signing/known-address.js';
import { passes } from '../test/support/fake-venue/faults.js';
import { KNOWN_KEY } from '../test/support/fake-venue/plain-client.js';
import { FakeVenue } from '../test/support/fake-venue/venue.js';
import { DEPOSIT, deploymentOf, enrol, listedMarket, writeKey } from '../test/support/live-deployment.js';
import { startPostgres } from '../test/support/postgres.js';
import { only } from './figures.js';
import { type Contender, interleaved, median, type Part, ratio, table } from './rounds.js';

const ORDERS = 100;
/** Slower than the venue's limit of 40 a second; otherwise the wait for the limit would be measured. */
const PACE_MS = 28;
/** The minimum order of the venue: 5 shares at a cent. */
const MARKET = listedMarket('bench');
const ORDER = { market_id: MARKET.conditionId, token: 'YES', price: 0.01, size_usdc: 0.05, paper: false };
const OFFICIAL = 'the official client, in one process, nothing kept';
const SERVER = fileURLToPath(new URL('./programs/timed-server.mjs', import.meta.url));

/** The times of one order, in milliseconds. */
interface Took {
  /** From the request to its bytes at the venue. */
  readonly toVenue: number;
  /** From the request to its answer. */
  readonly answered: number;
  /** In the two writes that must be durable before a byte leaves; 0 if nothing is stored. */
  readonly commits: number;
}

/** The durable writes of a server for orders, in milliseconds each. */
interface Writes {
  /** Of the one that puts an order on record. */
  readonly intents: readonly number[];
  /** Two an order: that it is being sent, and its outcome. */
  readonly jobs: readonly number[];
}

/** Makes a venue for each contender, which notes when the last order arrived. */
class Arrivals {
  last = Number.NaN;

  private constructor(readonly venue: FakeVenue) {
    venue.always('POST /order', (call) => {
      this.last = performance.now();
      return passes()(call);
    });
  }

  static async start(): Promise<Arrivals> {
    const venue = await FakeVenue.start({ markets: [MARKET] });
    venue.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
    return new Arrivals(venue);
  }

  async timed(place: () => Promise<void>): Promise<Omit<Took, 'commits'>> {
    const began = performance.now();
    this.last = Number.NaN;
    await place();
    const took = { toVenue: this.last - began, answered: performance.now() - began };
    await delay(Math.max(PACE_MS - took.answered, 0));
    return took;
  }
}

/** One order after another over HTTP to a server in a process of its own, with the venue here. */
async function server(name: string, databaseUrl: string, keyPath: string) {
  const arrivals = await Arrivals.start();
  const key = await enrol(databaseUrl);
  const env = { HOST: '127.0.0.1', PORT: '0', ...deploymentOf({ databaseUrl, venue: arrivals.venue }, keyPath) };
  const child = fork(SERVER, [], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const url = await urlOf(child);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify(ORDER);
  const place = async () => {
    const answer = await fetch(`${url}/v1/exchange/orders`, { method: 'POST', headers, body });
    const { status, error } = (await answer.json()) as { status: string; error: string | null };
    if (status !== 'open') throw new Error(`${name}: ${answer.status} ${status} ${error}`);
  };
  const run = async (): Promise<Took[]> => {
    const took: Omit<Took, 'commits'>[] = [];
    await writesOf(child);
    for (let number = 0; number < ORDERS; number++) took.push(await arrivals.timed(place));
    const { intents, jobs } = await writesOf(child);
    if (intents.length !== ORDERS || jobs.length !== 2 * ORDERS) throw new Error(`${name}: not three writes an order`);
    return took.map((one, at) => ({ ...one, commits: (intents[at] ?? 0) + (jobs[2 * at] ?? 0) }));
  };
  const stop = async () => {
    await stopped(child);
    await arrivals.venue.close();
  };
  return { name, run, stop };
}

async function official() {
  const arrivals = await Arrivals.start();
  const { Wallet } = createRequire(import.meta.resolve('@polymarket/clob-client-v2'))('@ethersproject/wallet');
  const options = { host: arrivals.venue.clob.origin, chain: Chain.POLYGON, signer: new Wallet(KNOWN_KEY) };
  const creds = await new ClobClient(options).createOrDeriveApiKey();
  const client = new ClobClient({ ...options, creds });
  const wish = { tokenID: MARKET.tokens[0], side: Side.BUY, price: ORDER.price, size: 5 };
  const place = async () => {
    await client.createAndPostOrder(wish, { tickSize: '0.01', negRisk: false }, OrderType.GTC);
    if (Number.isNaN(arrivals.last)) throw new Error('the order of the official client did not arrive');
  };
  return {
    name: OFFICIAL,
    run: async () => {
      const took: Took[] = [];
      for (let number = 0; number < ORDERS; number++) took.push({ ...(await arrivals.timed(place)), commits: 0 });
      return took;
    },
    stop: () => arrivals.venue.close(),
  };
}

/** From a request for an order with real money to its bytes at the venue, and how much of that are the commits before. */
export const live: Part = async ({ rounds }) => {
  const postgres = await startPostgres(process.env['BENCH_POSTGRES_URL'], true);
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  const key = writeKey(join(folder, 'key'));
  const all: (Contender<Took[]> & { stop(): Promise<void> })[] = [];
  try {
    all.push(await official());
    all.push(await server('SQLite FULL', `sqlite:${join(folder, 'bench.db')}`, key));
    all.push(await server('Postgres', postgres.url, key));
    await interleaved(all, 1);
    const took = await interleaved(all, rounds);
    const base = took(OFFICIAL).map((round) => at(round, 'toVenue', 0.5));
    const rows = all.map(({ name }) => rowOf(name, took(name), base));
    const head = [
      '',
      'to the venue p50 ms',
      'p99 ms',
      'two commits p50 ms',
      'their share',
      'answered p50 ms',
      'x official',
    ];
    return only(
      `Live orders: from the request to the bytes at a venue on this machine, ${ORDERS} one after another a round\n\n${table(head, rows)}`,
    );
  } finally {
    for (const one of all) await one.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

function rowOf(name: string, rounds: readonly Took[][], base: readonly number[]): string[] {
  const of = (part: keyof Took, share: number) => rounds.map((round) => at(round, part, share));
  const toVenue = of('toVenue', 0.5);
  const commits = of('commits', 0.5);
  const ms = (numbers: readonly number[]) => median(numbers).toFixed(2);
  const share = `${(100 * ratio(commits, toVenue)).toFixed(0)} %`;
  return [
    name,
    ms(toVenue),
    ms(of('toVenue', 0.99)),
    ms(commits),
    share,
    ms(of('answered', 0.5)),
    ratio(toVenue, base).toFixed(2),
  ];
}

function at(round: readonly Took[], part: keyof Took, share: number): number {
  const sorted = round.map((one) => one[part]).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function writesOf(child: ChildProcess): Promise<Writes> {
  child.send('writes');
  const [writes] = (await once(child, 'message')) as [Writes];
  return writes;
}

/** The address that it prints. Later output is read too, so that it never waits for a full pipe. */
function urlOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /listening on (\S+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
