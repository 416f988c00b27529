import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { EVENTS, ORDERS, PORTFOLIO } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { Client } from '../support/http.js';
import { type Running, type RunningServer, startProgram, startServer } from '../support/processes.js';
import { until } from './trading.js';

const ACCOUNTS = ['alice', 'bob'] as const;
const CLIENT = join(ROOT, 'test/support/log-client.mjs');

interface Logged {
  readonly seq: string;
  readonly type: string;
  readonly data: {
    readonly event: { readonly data: { readonly shares: string } };
    readonly order: { readonly id: string };
  };
}

/** A server that can be killed and comes back at its address. */
async function server(database: string, kept: boolean) {
  const env = { DATABASE_URL: database, PORT: `${await freePort()}`, LOG_LEVEL: 'warn', PAPER_BALANCE_USDC: '1000000' };
  let running: RunningServer = await startServer({ env });
  return {
    url: running.url,
    kept,
    async dies(): Promise<void> {
      await running.kill('SIGKILL');
      running = await startServer({ env });
    },
  };
}

/** A client that can be killed and comes back with nothing but its file. */
async function client(role: 'read' | 'write', url: string, account: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'stakeport-log-')), 'seen');
  const start = async (): Promise<Running> => {
    const program = startProgram(process.execPath, { args: [CLIENT, role, url, account, file] });
    await program.says(/running/);
    return program;
  };
  let running = await start();
  return {
    role,
    account,
    seen: (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    ends: () => running.kill('SIGKILL'),
    async dies(): Promise<void> {
      await running.kill('SIGKILL');
      running = await start();
    },
  };
}

/** Every event of an account, read once from the start. */
async function wholeLog(api: Client): Promise<readonly Logged[]> {
  const all: Logged[] = [];
  for (let after = ''; ; ) {
    const page = (await api.get(`${EVENTS}?limit=100${after}`)).json<{
      data: Logged[];
      next_after: string;
      head: string;
    }>();
    all.push(...page.data);
    if (page.next_after === page.head) return all;
    after = `&after=${page.next_after}`;
  }
}

async function orderIds(api: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = (await api.get(`${ORDERS}?limit=100${cursor}`)).json<{
      data: { id: string }[];
      next_cursor: string | null;
    }>();
    ids.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) return ids;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const stores = [
  ['memory', async () => [await server('memory:', false)]],
  ['SQLite', async () => [await server(freshSqliteFile().url, true)]],
  [
    'two servers on one Postgres',
    async () => {
      const { url } = await freshPostgres();
      return [await server(url, true), await server(url, true)];
    },
  ],
] as const;

const ending: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ending.splice(0).map((end) => end())));

describe.each(stores)('on %s, four writers and four readers that are killed and come back', (_, open) => {
  test('see every event of their account once, in order, and none of another; its fills are the portfolio', {
    timeout: 120_000,
  }, async () => {
    const servers = await open();
    const at = (n: number) => servers[n % servers.length]?.url ?? '';
    const pairs = ACCOUNTS.flatMap((account) => [0, 1].map((n) => [account, at(n)] as const));
    const writers = await Promise.all(pairs.map(([account, url]) => client('write', url, account)));
    const readers = await Promise.all(pairs.map(([account, url]) => client('read', url, account)));
    ending.push(...[...writers, ...readers].map((one) => one.ends));
    for (const [round, victim] of [...readers, ...writers].entries()) {
      const before = readers.map(({ seen }) => seen().length);
      await victim.dies();
      const host = servers[round % servers.length];
      if (host?.kept && round % 2 === 0) await host.dies();
      await until(async () => readers.every(({ seen }, n) => seen().length > (before[n] ?? 0)));
    }
    await Promise.all(writers.map((writer) => writer.ends()));
    for (const account of ACCOUNTS) {
      const api = new Client(at(0), { 'x-dev-user': account });
      const own = readers.filter((reader) => reader.account === account);
      // An order that was on its way when its client was killed may still come.
      let log = await wholeLog(api);
      await until(async () => {
        const settled = log.length;
        log = await wholeLog(api);
        return log.length === settled && own.every(({ seen }) => seen().length >= settled);
      });
      for (const { seen } of own)
        expect(seen().map((line) => line.split(' ')[0])).toEqual(log.map((__, index) => `${index + 1}`));
      const [one, two] = own.map(({ seen }) => seen());
      expect(one).toEqual(two);
      const requested = log.filter(({ type }) => type === 'order.requested').map(({ data }) => data.order.id);
      expect(requested.toSorted()).toEqual((await orderIds(api)).toSorted());
      const fills = log.filter(({ type }) => type === 'order.fill').map(({ data }) => Number(data.event.data.shares));
      const held = (await api.get(PORTFOLIO)).json<{ positions: { shares: string }[] }>().positions;
      expect(held.map(({ shares }) => Number(shares))).toEqual([fills.reduce((sum, shares) => sum + shares, 0)]);
    }
  });
});
