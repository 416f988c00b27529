import { afterEach, describe, expect, test } from 'vitest';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import { described, level, line, listed, tape } from '../adapters/tape/tapes.js';
import { anOpenMarket } from '../core/matching/view.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { runs } from '../support/runs.js';
import { atRest, type Logged, logClient, logServer, portfolioBy } from './log-clients.js';
import { until } from './paper-servers.js';
import { allOrders } from './trading.js';

const ACCOUNTS = ['alice', 'bob'] as const;
/** How many clients of each kind there are, all of whom are killed in one of the rounds. */
const EACH = 8;
/** Clients of streams: few, because each is a process. */
const FOLLOWERS = Math.min(20, runs(4));
const ROUNDS = runs(4);
/** In a soak they are ten thousand in all. */
const EACH_SEES = runs(250);

/** Markets in which much is bid and offered, and of which all but two have a result, one every three seconds as they are played. */
const { terms } = anOpenMarket();
const GAMES = [...'abcdefghijkl'].map((name) => listed(name, { terms }));

function onTape(): Readonly<Record<string, string>> {
  const [bids, asks] = [[level('0.49', '1000000')], [level('0.51', '1000000')]];
  const lines: TapeLine[] = GAMES.map((game) => line(0, described(game), game));
  for (let ms = 1; ms < 3_600_000; ms += 10_000)
    lines.push(...GAMES.map((game) => line(ms, { type: 'book', bids, asks }, game)));
  for (const [n, game] of GAMES.slice(2).entries())
    lines.push(line(30_000 * (n + 1), described({ ...game, status: 'resolved', payout: YES_WON }), game));
  const inTime = lines.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return { MARKET_DATA: `tape:${tape(...inTime)}`, TAPE_SPEED: '10', PAPER_LATENCY_MS: '0' };
}

const GAME_IDS = [GAMES.map(({ id }) => id).join(',')];
const ENDS = ['order.cancelled', 'order.settled'];

const stores = [
  ['memory', { markets: GAME_IDS, ends: ENDS }, async () => [await logServer('memory:', false, onTape())]],
  ['SQLite', { markets: GAME_IDS, ends: ENDS }, async () => [await logServer(freshSqliteFile().url, true, onTape())]],
  [
    'two servers on one Postgres',
    // Orders meet a book at one of them alone; without one they are filled at both.
    { markets: [], ends: [] },
    async () => {
      const { url } = await freshPostgres();
      return [await logServer(url, true), await logServer(url, true)];
    },
  ],
] as const;

const ending: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ending.splice(0).map((end) => end())));

/** Clients of a kind, half of them for each account, spread over the servers. */
function clients(
  role: 'read' | 'follow' | 'write',
  urls: readonly string[],
  markets: readonly string[],
  count: number = EACH,
) {
  const places = ACCOUNTS.flatMap((account) => Array.from({ length: count / 2 }, (_, n) => ({ account, n })));
  return Promise.all(
    places.map(async ({ account, n }) => {
      const one = await logClient(role, urls[n % urls.length] ?? '', account, markets);
      ending.push(one.ends);
      return one;
    }),
  );
}

describe.each(stores)(
  'on %s, eight writers, and readers of pages and of streams, that are killed and come back',
  (_, told, open) => {
    test('see each event of their own account exactly once, in order', {
      timeout: runs(600_000),
    }, async () => {
      const servers = await open();
      const urls = servers.map(({ url }) => url);
      const [writers, pagers, followers] = await Promise.all([
        clients('write', urls, told.markets),
        clients('read', urls, told.markets),
        clients('follow', urls, told.markets, FOLLOWERS),
      ]);
      const readers = [...pagers, ...followers];
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = readers.map(({ seen }) => seen().length);
        const victims = [...readers, ...writers].filter((__, n) => n % 4 === round % 4);
        const host = servers[round % servers.length];
        await Promise.all([...victims, ...(host?.kept ? [host] : [])].map((one) => one.dies()));
        await until(async () => readers.every(({ seen }, n) => seen().length > (before[n] ?? 0)));
      }
      await until(async () => readers.every(({ seen }) => seen().length >= EACH_SEES));
      await until(async () =>
        readers.every(({ seen }) => told.ends.every((type) => seen().some((line) => line.endsWith(type)))),
      );
      await Promise.all(writers.map((writer) => writer.ends()));
      for (const account of ACCOUNTS) {
        const own = readers.filter((reader) => reader.account === account).map(({ seen }) => seen);
        const api = new Client(urls[0] ?? '', { 'x-dev-user': account });
        const { log, held, cash } = await atRest(api, (last) =>
          own.every((seen) => seen().at(-1)?.startsWith(`${last} `)),
        );
        expect(log.map(({ seq }) => seq)).toEqual(log.map((__, index) => `${index + 1}`));
        for (const seen of own) expect(seen()).toEqual(log.map(({ seq, id, type }) => `${seq} ${id} ${type}`));
        const ids = ordersIn(log, 'requested').map(({ id }) => id);
        expect(ids.toSorted()).toEqual((await allOrders(api)).toSorted());
        const summed = portfolioBy(log);
        expect(sharesIn(held)).toEqual(sharesIn(summed.held));
        expect(cash).toBeCloseTo(summed.cash, 6);
        expect(new Set(ordersIn(log, 'fill').map(({ side }) => side))).toEqual(new Set(['BUY', 'SELL']));
      }
    });
  },
);

const ordersIn = (log: readonly Logged[], event: string) =>
  log.filter(({ type }) => type === `order.${event}`).map(({ data }) => data.order);

/** What is held, to the millionth, and without what was sold again. */
const sharesIn = (held: ReadonlyMap<string, number>): string[] =>
  [...held].flatMap(([name, shares]) => (Math.abs(shares) < 1e-7 ? [] : [`${name} ${shares.toFixed(6)}`])).toSorted();
