import { openSqlLedger } from '../dist/adapters/sql/index.js';
import { partitionByAccount } from '../test/support/partitioned.js';
import { type BenchPostgres, benchPostgres } from './bench-postgres.js';
import { type Running, stakeport, start } from './contenders.js';
import { atLeast } from './figures.js';
import { Load, type Target } from './load.js';
import { type Part, table } from './rounds.js';
import { compared, LOAD_HEAD, type Loaded, loadCells, ORDER, underLoad } from './under-load.js';

const ACCOUNTS = [64, 1];
const PARTITIONS = 16;
const DIVIDED = [
  { name: `tables in ${PARTITIONS} partitions by account`, withReferences: true },
  { name: `tables in ${PARTITIONS} partitions by account, without references`, withReferences: false },
];

const ROUTED = 'two servers, each account at one of them';

/**
 * Orders to one server, and to two on the same Postgres. The account of each order is drawn, so both serve all accounts, but
 * for one run in which requests are routed by account.
 */
export const twoServers: Part = async (options) => {
  const database = await benchPostgres();
  const load = new Load(() => database.pids());
  const servers: Running[] = [];
  try {
    const shared = await database.database();
    for (const name of ['one', 'two']) servers.push(await start(stakeport(name, shared)));
    const both = [...servers];
    for (const { name, withReferences } of DIVIDED)
      servers.push(await start(stakeport(name, await dividedDatabase(database, withReferences))));
    const loaded = [
      ...ACCOUNTS.flatMap((accounts) => [
        loadedBy(both.slice(0, 1), named('one server', accounts), accounts),
        loadedBy(both, named('two servers', accounts), accounts),
      ]),
      loadedBy(both, ROUTED, ACCOUNTS[0] ?? 1, true),
      ...DIVIDED.map(({ name }, index) => loadedBy(servers.slice(2 + index, 3 + index), name, ACCOUNTS[0] ?? 1)),
    ];
    const slices = await underLoad(load, loaded, options);
    const first = slices(loaded[0]?.name ?? '');
    const rows = loaded.map(({ name }) => [name, ...loadCells(slices(name), first)]);
    const figures = ACCOUNTS.map((accounts) =>
      compared(
        `two servers on one Postgres, ${accountsOf(accounts)}, × one`,
        null,
        slices(named('two servers', accounts)),
        slices(named('one server', accounts)),
      ),
    );
    const routed = `${ROUTED}, ${accountsOf(ACCOUNTS[0] ?? 1)}, × one`;
    const whole = slices(named('one server', ACCOUNTS[0] ?? 1));
    figures.push(compared(routed, atLeast(1.4), slices(ROUTED), whole));
    figures.push(...DIVIDED.map(({ name }) => compared(`${name}, × whole tables`, null, slices(name), whole)));
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

/** Tables as the migrations make them, then divided by account. */
async function dividedDatabase(postgres: BenchPostgres, withReferences: boolean): Promise<string> {
  const url = await postgres.database();
  const ledger = await openSqlLedger(url);
  await ledger.close();
  await partitionByAccount(url, PARTITIONS, withReferences);
  return url;
}

function loadedBy(servers: readonly Running[], name: string, accounts: number, isRouted = false): Loaded {
  const target: Target = {
    name,
    urls: servers.flatMap(({ urls }) => urls),
    pids: servers.flatMap(({ pids }) => pids),
  };
  return { name, target, requests: { ...ORDER, accounts, isRouted } };
}
