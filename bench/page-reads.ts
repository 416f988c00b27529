import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, stakeport, start } from './contenders.js';
import { atMost, type Figure } from './figures.js';
import { filled } from './filled-file.js';
import { median, type Part, table, whole } from './rounds.js';

const ACCOUNT = { accept: 'application/json' };
const FEW = 1000;
const MANY = 100_000;
/** Of one request to one server, in a round. */
const TIMES = 5;
/** The median of a request that reads so little is mostly that of a moment of the machine. */
const MOST_GROWTH = 2;

/** The requests of a page of the dashboard, by what shows them. */
const requests = (strategy: string): Readonly<Record<string, readonly string[]>> => ({
  'the first screen': [
    '/v1/exchange/orders?limit=100',
    '/v1/exchange/orders?status=pending,unknown,delayed,open,partially_filled&limit=100',
    '/v1/strategies?limit=100',
    '/v1/approvals?limit=100',
    '/v1/trading/state',
    '/v1/alarms',
    '/v1/limits?paper=true',
    '/v1/events?before=head&limit=50',
    '/v1/portfolio?paper=true',
    '/v1/portfolio/history?paper=true&limit=100',
  ],
  orders: ['/v1/exchange/orders?limit=50&paper=true'],
  'orders by status': ['/v1/exchange/orders?limit=50&paper=true&status=denied'],
  'orders by strategy and day': [
    `/v1/exchange/orders?limit=50&paper=true&strategy_id=${strategy}&placed_after=2020-01-01T00:00:00Z`,
  ],
  bets: ['/v1/bets?limit=50&paper=true'],
  'bets by result': ['/v1/bets?limit=50&paper=true&result=won'],
  'bets of a strategy': [`/v1/bets?limit=50&paper=true&strategy_id=${strategy}`],
  decisions: [`/v1/strategies/${strategy}/decisions?limit=50`],
  'decisions: skips': [`/v1/strategies/${strategy}/decisions?limit=50&verdict=skip`],
  'decisions by market': [`/v1/strategies/${strategy}/decisions?limit=50&market_id=m7`],
  'why it did not bet': [`/v1/strategies/${strategy}/decisions/summary`],
  positions: ['/v1/portfolio?paper=true'],
  'positions of a strategy': [`/v1/portfolio?paper=true&strategy_id=${strategy}`],
  events: ['/v1/events?before=head&limit=50'],
  'results by strategy': ['/v1/results?by=strategy&paper=true&limit=100'],
  'plots of results': ['/v1/results/plots?paper=true'],
});

/** What the dashboard asks for, of an account with a thousand orders and decisions, and of one with a hundred thousand. */
export const pageReads: Part = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  const servers: Running[] = [];
  try {
    const sides: Side[] = [];
    for (const orders of [FEW, MANY]) {
      const path = join(folder, `${orders}.db`);
      const [strategy = ''] = await filled(path, orders, { decisions: true });
      const server = await start(stakeport(`${orders}`, `sqlite:${path}`));
      servers.push(server);
      sides.push({ url: server.urls[0] ?? '', asked: requests(strategy), first: new Map(), took: new Map() });
    }
    for (const side of sides) await ask(side, side.first, 1);
    for (let round = 0; round < rounds; round += 1)
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) await ask(side, side.took, TIMES);
    const [few, many] = sides;
    if (few === undefined || many === undefined) throw new Error('the servers did not start');
    const rows = Object.keys(many.asked).map((name) => {
      const [before, after] = [few, many].map(({ took }) => took.get(name) ?? []);
      const [small, large] = [median(before ?? []), median(after ?? [])];
      const first = many.first.get(name)?.[0] ?? Number.NaN;
      return { name, small, large, first, ratios: (after ?? []).map((ms, at) => ms / (before?.[at] ?? Number.NaN)) };
    });
    const shown = rows.map(({ name, small, large, first }) => [
      name,
      small.toFixed(1),
      large.toFixed(1),
      (large / small).toFixed(1),
      first.toFixed(0),
    ]);
    const head = ['page', `ms of ${whole(FEW)}`, `ms of ${whole(MANY)}`, '×', 'the first time, ms'];
    const figures = rows.map(
      ({ name, ratios }): Figure => ({
        name: `${name} on the page, ${whole(MANY)} orders and decisions × ${whole(FEW)}`,
        unit: '',
        aim: atMost(MOST_GROWTH),
        rounds: ratios,
        byProcessorTime: [],
      }),
    );
    const exported = await exports(servers[1]);
    const text = `What the page asks for, on SQLite\n\n${table(head, shown)}\n\n${exported}`;
    return { text, figures };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};

/** Each table of the larger account as one file: how long it takes, and by how much the memory of the server grows. */
async function exports(server: Running | undefined): Promise<string> {
  if (server === undefined) return '';
  const late = new Date(Date.now() - 65_000).toISOString();
  const rows: string[][] = [];
  for (const file of ['bets.csv', 'orders.csv', 'journal.csv', `journal.csv?from=${late}`]) {
    const before = await server.rssMb();
    const began = performance.now();
    const answer = await fetch(`${server.urls[0]}/v1/export/${file}`);
    let [bytes, most] = [0, before];
    for await (const piece of answer.body ?? []) {
      bytes += piece.length;
      most = Math.max(most, await server.rssMb());
    }
    const seconds = (performance.now() - began) / 1000;
    rows.push([
      file.split('=')[0] ?? file,
      `${seconds.toFixed(1)}`,
      (bytes / 1e6).toFixed(1),
      (most - before).toFixed(0),
    ]);
  }
  return table(['export', 's', 'MB', 'memory of the server, MB more'], rows);
}

interface Side {
  readonly url: string;
  readonly asked: ReturnType<typeof requests>;
  /** Milliseconds of the first time. */
  readonly first: Map<string, number[]>;
  /** Medians of rounds. */
  readonly took: Map<string, number[]>;
}

/** Asks for each page so often, and adds the median. */
async function ask({ url, asked }: Side, into: Map<string, number[]>, times: number): Promise<void> {
  for (const [name, paths] of Object.entries(asked)) {
    const took: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const began = performance.now();
      await Promise.all(paths.map((path) => read(`${url}${path}`)));
      took.push(performance.now() - began);
    }
    into.set(name, [...(into.get(name) ?? []), median(took)]);
  }
}

async function read(url: string): Promise<void> {
  const answer = await fetch(url, { headers: ACCOUNT });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
}
