import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountId, RulesDraft } from '../dist/index.js';
import { MemoryLedger } from '../dist/memory.js';
import { price, usdc } from '../test/support/builders.js';
import { freshSqliteFile } from '../test/support/databases.js';
import { FakePolymarketRest } from '../test/support/fake-polymarket/rest.js';
import { FakeMarketSocket } from '../test/support/fake-polymarket/socket.js';
import { type Running, stakeport, start } from './contenders.js';
import { aGame, bookAround, EngineFixture, flat, oddsAt } from './engine-fixture.js';
import { atMost, type Figure } from './figures.js';
import { booksOf, aGame as listedGame } from './generated-venue.js';
import { median, type Part, type PartOptions, ratio, table } from './rounds.js';
import { ORDER } from './under-load.js';

const SETTINGS = {
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_ALLOWED_PORTS: '1024-65535',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};
const [WEBHOOKS, STREAMS, PROBES, GUESSES] = [20, 64, 40, 32];
/** Fewer than one account may ask of the venue in ten seconds. */
const ASKED_ORDERS = 10;
/** How long a search of the venue takes for one page. */
const SEARCH_MS = 20;
const EVERYTHING = [
  'an order',
  'the message of a halt',
  'an event on a stream',
  'the first bet of a new strategy',
  'an order whose market the venue is asked for',
] as const;

type What = (typeof EVERYTHING)[number];
type Waits = Record<What, number>;

/** What a second tenant waits for, alone and beside a first one that does all it may: no place, search or stream is left to it alone. */
export const fairness: Part = async (options) => {
  const [alone, beside]: Waits[][] = [[], []];
  for (let round = 0; round < options.rounds; round += 1) {
    alone?.push(await waited(false));
    beside?.push(await waited(true));
  }
  return found(alone ?? [], beside ?? [], options);
};

function found(alone: readonly Waits[], beside: readonly Waits[], { rounds }: PartOptions) {
  const of = (waits: readonly Waits[], what: What) => waits.map((one) => one[what]);
  const figures: Figure[] = EVERYTHING.map((what) => ({
    name: `${what} of a second tenant, × alone`,
    unit: '',
    aim: atMost(2),
    byProcessorTime: [],
    rounds: of(beside, what).map((ms, round) => ms / (of(alone, what)[round] ?? Number.NaN)),
  }));
  const ms = (waits: readonly Waits[], what: What) => median(of(waits, what)).toFixed(1);
  const rows = EVERYTHING.map((what) => [
    what,
    ms(alone, what),
    ms(beside, what),
    ratio(of(beside, what), of(alone, what)).toFixed(2),
  ]);
  const title = `A second tenant beside one with ${WEBHOOKS} webhooks that do not answer, ${STREAMS} streams, changes and guesses of markets without a pause, and 20 strategies for 100 leagues each: ${rounds} rounds, ms.`;
  return { text: `${title}\n\n${table(['', 'alone', 'beside it', '×'], rows)}`, figures };
}

async function waited(isBeside: boolean): Promise<Waits> {
  const file = freshSqliteFile();
  const server = await start(stakeport('SQLite', file.url, SETTINGS));
  const ends: (() => unknown)[] = [];
  try {
    const second = tenant(server, 'second');
    await ready(second);
    const told = await receiver(second, 1);
    ends.push(told.close);
    if (isBeside) ends.push(await burden(tenant(server, 'first')));
    return {
      'an order': await medianOf(() => second.post('/v1/exchange/orders', JSON.parse(ORDER.body ?? ''))),
      'the message of a halt': await medianOf(() => halted(second, told), 10),
      'an event on a stream': await streamed(second),
      'the first bet of a new strategy': await firstBet(isBeside),
      'an order whose market the venue is asked for': await askedOrder(isBeside),
    };
  } finally {
    for (const end of ends.reverse()) await end();
    await server.stop();
    file.remove();
  }
}

type Tenant = ReturnType<typeof tenant>;

function tenant({ urls: [url = ''] }: Running, name: string) {
  const headers = { 'x-dev-user': name, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const json = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, json };
  };
  return { url, headers, post };
}

/** A server that has just started changes nothing while it catches up with its record. */
async function ready({ url }: Tenant): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await pause(20);
}

/** Webhooks of a tenant to one receiver, which answers while `isHeld` is false. */
async function receiver(of: Tenant, many: number) {
  const held: ServerResponse[] = [];
  const heard: { next: (() => void) | null; isHeld: boolean } = { next: null, isHeld: false };
  const server = createServer((req, res) => {
    req.resume();
    if (heard.isHeld) held.push(res);
    else res.end();
    heard.next?.();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let n = 0; n < many; n += 1) {
    const { json } = await of.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/${n}` });
    const { status } = await of.post(`/v1/webhooks/${json['id']}/ping`, {});
    if (status !== 200) throw new Error(`a ping was answered ${status}`);
  }
  const close = () => {
    for (const res of held) res.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { heard, close };
}

/** All that the first tenant may do at once. The function returned ends it. */
async function burden(first: Tenant): Promise<() => Promise<void>> {
  const { heard, close } = await receiver(first, WEBHOOKS);
  heard.isHeld = true;
  const ended = new AbortController();
  const streams = Array.from({ length: STREAMS }, () =>
    fetch(`${first.url}/v1/events/stream`, { headers: first.headers, signal: ended.signal }).catch(() => null),
  );
  await Promise.all(streams);
  const strategy = {
    name: 'One',
    sport: 'nba',
    rules: { match: {}, filter: {}, sizing: { method: 'flat', value: 1 } },
  };
  const loop = async () => {
    while (!ended.signal.aborted) {
      const { status } = await first.post('/v1/strategies', { ...strategy, bankroll_cap: 10, stake_cap: 5 });
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const loops = [loop(), loop()];
  return async () => {
    ended.abort();
    await Promise.all(loops);
    close();
  };
}

async function halted(second: Tenant, { heard }: Awaited<ReturnType<typeof receiver>>): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    heard.next = resolve;
  });
  await second.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'bench' });
  await arrived;
  const again = new Promise<void>((resolve) => {
    heard.next = resolve;
  });
  await second.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'bench' });
  await again;
}

/** From the request of an order to its event on a stream of its account. */
async function streamed(second: Tenant): Promise<number> {
  const ended = new AbortController();
  const { headers, url } = second;
  const { body } = await fetch(`${url}/v1/events/stream?after=head`, { headers, signal: ended.signal });
  if (body === null) throw new Error('a stream has no body');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const until = async (word: string) => {
    for (let text = ''; !text.includes(word); ) text += (await reader.read()).value ?? '';
  };
  await until('caught_up');
  const waits = await medianOf(async () => {
    const arrived = until('event: order.');
    await second.post('/v1/exchange/orders', JSON.parse(ORDER.body ?? ''));
    await arrived;
  });
  ended.abort();
  return waits;
}

/** From the creation of a strategy to its first order, at a venue that takes a while to list its markets. */
async function firstBet(isBeside: boolean): Promise<number> {
  const stage = new EngineFixture(new MemoryLedger());
  const listed = stage.board.search.bind(stage.board);
  stage.board.search = async (query) => {
    await pause(SEARCH_MS);
    return listed(query);
  };
  const game = aGame(1, 1);
  await stage.board.list(game);
  await stage.show(game, bookAround(price('0.45'), new Date()));
  const make = (account: string, sport: string, match: RulesDraft['match']) =>
    stage.use.strategies.create.execute({
      account: account as AccountId,
      draft: {
        name: 'One',
        sport,
        automation: 'auto',
        bankrollCap: usdc('100000'),
        stakeCap: usdc('1000'),
        rules: { match, outcome: { index: 0 }, filter: { minOdds: oddsAt(50) }, sizing: flat('10') },
      },
      idempotencyKey: null,
    });
  if (isBeside)
    for (let n = 0; n < 20; n += 1) {
      const league = Array.from({ length: 100 }, (_, i) => `league-${n}-${i}`);
      await make('first', `sport-${n}`, { league, market: ['moneyline', 'spread', 'total'] });
    }
  await stage.runner.refreshStrategies();
  void stage.runner.refreshMarkets();
  const began = performance.now();
  await make('second', 'soccer', {});
  await stage.runner.refreshStrategies();
  void stage.runner.followNew();
  while ((await stage.ledger.listOrders('second' as AccountId, {}, { limit: 1 })).length === 0) await pause(1);
  const ms = performance.now() - began;
  stage.runner.stop();
  return ms;
}

/** An order in a market that nobody has asked for, while the first tenant guesses at markets that do not exist. */
async function askedOrder(isBeside: boolean): Promise<number> {
  const venue = await FakePolymarketRest.start();
  const games = Array.from({ length: ASKED_ORDERS }, (_, n) => n + 1);
  venue.markets = games.map(listedGame);
  const socket = await FakeMarketSocket.start();
  for (const [token, book] of games.flatMap(booksOf)) {
    venue.books.set(token, book);
    socket.dumps.set(token, book);
  }
  const urls = { POLYMARKET_GAMMA_URL: venue.gamma.href, POLYMARKET_CLOB_URL: venue.clob.href };
  const settings = { MARKET_DATA: 'polymarket', POLYMARKET_WS_URL: socket.url, PAPER_LATENCY_MS: '0' };
  const file = freshSqliteFile();
  const server = await start(stakeport('SQLite', file.url, { ...settings, ...urls }));
  const [first, second] = [tenant(server, 'first'), tenant(server, 'second')];
  await ready(second);
  let ended = !isBeside;
  let guessed = 0;
  const guess = async () => {
    while (!ended) {
      guessed += 1;
      await fetch(`${first.url}/v1/exchange/markets/guess-${guessed}`, { headers: first.headers }).catch(() => null);
    }
  };
  const guesses = Array.from({ length: GUESSES }, guess);
  try {
    if (isBeside) while (guessed < 20 * GUESSES) await pause(10);
    return await medianOf(async () => {
      const market = `bench-${games.shift()}`;
      const order = { market_id: market, token: 'YES', price: 0.3, size_usdc: 10 };
      const { status, json } = await second.post('/v1/exchange/orders', order);
      if (status !== 201) throw new Error(`an order was answered ${status}: ${json['detail']}`);
    }, ASKED_ORDERS);
  } finally {
    ended = true;
    await server.stop();
    await Promise.all(guesses);
    await socket.stop();
    await venue.close();
    file.remove();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The median of so many, one after another, in milliseconds. */
async function medianOf(work: () => Promise<unknown>, many = PROBES): Promise<number> {
  const waits: number[] = [];
  for (let n = 0; n < many; n += 1) {
    const began = performance.now();
    await work();
    waits.push(performance.now() - began);
  }
  return median(waits);
}
