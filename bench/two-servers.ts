import { type Running, stakeport, start } from './contenders.js';
import { atLeast } from './figures.js';
import { Load, type Target } from './load.js';
import { benchPostgres } from './postgres.js';
import { type Part, table } from './rounds.js';
import { compared, LOAD_HEAD, type Loaded, loadCells, ORDER, underLoad } from './under-load.js';

const ACCOUNTS = [64, 1];

/** Orders to one server, and to two on the same Postgres; the account of each order is drawn, so both serve all accounts. */
export const twoServers: Part = async (options) => {
  const database = await benchPostgres();
  const load = new Load(() => database.pids());
  const servers: Running[] = [];
  try {
    const shared = await database.database();
    for (const name of ['one', 'two']) servers.push(await start(stakeport(name, shared)));
    const loaded = ACCOUNTS.flatMap((accounts) => [
      loadedBy(servers.slice(0, 1), 'one server', accounts),
      loadedBy(servers, 'two servers', accounts),
    ]);
    const slices = await underLoad(load, loaded, options);
    const first = slices(loaded[0]?.name ?? '');
    const rows = loaded.map(({ name }) => [name, ...loadCells(slices(name), first)]);
    const figures = ACCOUNTS.map((accounts) =>
      compared(
        `two servers on one Postgres, ${accountsOf(accounts)}, × one`,
        accounts === 1 ? null : atLeast(1.4),
        slices(named('two servers', accounts)),
        slices(named('one server', accounts)),
      ),
    );
    const title = `Two servers on one Postgres: ${options.connections} connections in all. ${load.said}`;
    return { text: `${title}\n\n${table(['', ...LOAD_HEAD], rows)}`, figures };
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await database.stop();
  }
};

const accountsOf = (accounts: number): string => (accounts === 1 ? '1 account' : `${accounts} accounts`);
const named = (what: string, accounts: number): string => `${what}, ${accountsOf(accounts)}`;

function loadedBy(servers: readonly Running[], what: string, accounts: number): Loaded {
  const name = named(what, accounts);
  const target: Target = {
    name,
    urls: servers.flatMap(({ urls }) => urls),
    pids: servers.flatMap(({ pids }) => pids),
  };
  return { name, target, requests: { ...ORDER, accounts } };
}
