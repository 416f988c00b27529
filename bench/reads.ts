import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, stakeport, start, withoutStore } from './contenders.js';
import { atLeast, type Figure } from './figures.js';
import { filled } from './filled-file.js';
import { Load } from './load.js';
import { type Part, table, whole } from './rounds.js';
import { compared, LOAD_HEAD, type Loaded, loadCells, underLoad } from './under-load.js';

const LIST = '/v1/exchange/orders';
/** Beside a page of orders; all bets are open, so each is shown at its mark. */
const BETS = 'a page of bets';
/** The fewest that the program makes. */
const STAGED = 1000;
const SAMPLES = 5000;

/** An order by its id and pages of 50, from many orders of one account on SQLite, and from a server without a store; a page of bets. */
export const reads: Part = async (options) => {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  const load = new Load();
  const servers: Running[] = [];
  try {
    const began = performance.now();
    const [strategy = ''] = await filled(join(folder, 'many.db'), options.orders);
    const filling = ((performance.now() - began) / 1000).toFixed(0);
    await filled(join(folder, 'few.db'), STAGED);
    servers.push(await start(stakeport('many', `sqlite:${join(folder, 'many.db')}`)));
    servers.push(await start(withoutStore(`sqlite:${join(folder, 'few.db')}`)));
    const [many, few] = servers;
    if (many === undefined || few === undefined) throw new Error('the servers did not start');
    const paths = await samples(many.urls[0] ?? '', options.orders);
    const loaded = [
      reading('by id, without a store', few, [`${LIST}/${paths[0]}`]),
      reading(
        'by id',
        many,
        paths.map((id) => `${LIST}/${id}`),
      ),
      reading('a page, without a store', few, [`${LIST}?limit=50`]),
      ...Object.entries(pages(strategy)).map(([name, query]) => reading(name, many, [`${LIST}?limit=50${query}`])),
      reading(BETS, many, ['/v1/bets?limit=50']),
    ];
    const slices = await underLoad(load, loaded, options);
    const baseOf = (name: string) => {
      if (name === BETS) return slices('a page');
      return slices(name.startsWith('by id') ? 'by id, without a store' : 'a page, without a store');
    };
    const rows = loaded.map(({ name }) => [name, ...loadCells(slices(name), baseOf(name))]);
    const title = `Reads from ${whole(options.orders)} orders, filled in ${filling} s: ${options.connections} connections. ${load.said}`;
    const figures = loaded
      .filter(({ name }) => !name.endsWith('without a store'))
      .map(({ name }) =>
        compared(
          `${name}, from ${whole(options.orders)} orders, × ${name === BETS ? 'a page of orders' : 'without a store'}`,
          aimOf(name),
          slices(name),
          baseOf(name),
        ),
      );
    return { text: `${title}\n\n${table(['read', ...LOAD_HEAD], rows)}`, figures };
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};

/** A bet is written in half as many bytes again as an order. */
const aimOf = (name: string): Figure['aim'] => atLeast(name === BETS ? 0.65 : 0.6);

/** Queries of a list: by each filter, and by several. */
const pages = (strategy: string): Readonly<Record<string, string>> => ({
  'a page': '',
  'a page by market': '&market_id=m7',
  'a page by status, few': '&status=denied',
  'a page by market and status': '&market_id=m7&status=filled',
  'a page by strategy and status': `&strategy_id=${strategy}&status=filled`,
  'a page by strategy, status, paper and day': `&strategy_id=${strategy}&status=filled&paper=true&placed_after=2020-01-01T00:00:00Z`,
});

function reading(name: string, target: Running, paths: readonly string[]): Loaded {
  return { name, target, requests: { method: 'GET', paths } };
}

/** Ids of orders from all over the list. */
async function samples(url: string, orders: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; page < SAMPLES / 50; page++) {
    const after = new Date(Date.now() - Math.floor(Math.random() * orders)).toISOString();
    const answer = await fetch(`${url}${LIST}?limit=50&placed_before=${after}`);
    const { data } = (await answer.json()) as { data: { id: string }[] };
    ids.push(...data.map(({ id }) => id));
  }
  return ids;
}
