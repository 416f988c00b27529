import { type BenchPostgres, benchPostgres } from './bench-postgres.js';
import { BARE, insertEach, type Running, stakeport, start } from './contenders.js';
import { atLeast, COSTS, type Figure, LOG_BYTES } from './figures.js';
import { createKey, WITH_KEYS } from './keys.js';
import { Load } from './load.js';
import { type Part, type PartOptions, table } from './rounds.js';
import { compared, cost, LOAD_HEAD, type Loaded, loadCells, ORDER, type Slices, underLoad } from './under-load.js';

const EACH = insertEach('').name;
const PLAIN = 'Postgres';
const KEYED = 'Postgres, API keys, an idempotency key each';
const DEV = `stakeport, ${PLAIN}`;
const KEYS = `stakeport, ${KEYED}`;

/** Durable orders over HTTP on Postgres, with the processor time of its backends. */
export const postgres: Part = async (options) => {
  const database = await benchPostgres();
  const load = new Load(() => database.pids());
  const servers: Running[] = [];
  try {
    const withKeys = await database.database();
    const headers = await createKey(withKeys);
    const each = insertEach(await database.database());
    const plain = stakeport(PLAIN, await database.database());
    for (const contender of [BARE, each, plain, stakeport(KEYED, withKeys, WITH_KEYS)])
      servers.push(await start(contender));
    const loaded = servers.map((target): Loaded => {
      const requests = target.name === KEYS ? { ...ORDER, headers, newKeys: true } : ORDER;
      return { name: target.name, target, requests };
    });
    const slices = await underLoad(load, loaded, options);
    const rows = loaded.map(({ name }) => [name, ...loadCells(slices(name), slices(BARE.name))]);
    const title = `Orders over HTTP on Postgres: ${options.connections} connections. ${load.said}`;
    const dev = loaded.find(({ name }) => name === DEV);
    const log = await logOf(load, database, dev, options);
    return { text: `${title}\n\n${table(['server', ...LOAD_HEAD], rows)}`, figures: [...figuresOf(slices), log] };
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await database.stop();
  }
};

function figuresOf(slices: Slices): Figure[] {
  const dev = slices(DEV);
  return [
    compared('durable order, Postgres, × bare node:http', atLeast(0.2), dev, slices(BARE.name)),
    compared('durable order, Postgres, × one insert each by Knex', atLeast(1.2), dev, slices(EACH)),
    compared('API keys and idempotency keys, Postgres, × dev mode', null, slices(KEYS), dev),
    cost(COSTS.postgresMain, dev, 'main'),
    cost(COSTS.postgresOthers, dev, 'others'),
    cost(COSTS.postgresDatabase, dev, 'database'),
  ];
}

/** How much longer the log of Postgres is after one more slice. */
async function logOf(
  load: Load,
  database: BenchPostgres,
  dev: Loaded | undefined,
  { connections, seconds }: PartOptions,
): Promise<Figure> {
  const figure = { name: LOG_BYTES, unit: 'bytes', aim: null, byProcessorTime: [] };
  if (dev === undefined) return { ...figure, rounds: [] };
  const before = await database.logBytes();
  const { answered } = await load.slice(dev.target, { ...dev.requests, connections, seconds });
  return { ...figure, rounds: [((await database.logBytes()) - before) / answered] };
}
