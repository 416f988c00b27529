import pg from 'pg';
import sqlite3 from 'sqlite3';
import { ORDERS } from '../support/app.js';
import { booksWrong } from '../support/audited.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import type { FakeKalshi } from '../support/fake-kalshi/venue.js';
import type { OwnRecord } from '../support/fake-venue/log.js';
import type { MarketTerms } from '../support/fake-venue/markets.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { micro } from '../support/fake-venue/wire.js';
import type { Client, Reply } from '../support/http.js';
import { type LiveServer, startLive } from '../support/live-server.js';
import { SERVER, testProgram } from '../support/processes.js';
import {
  asPolymarket,
  type Basket,
  type CrashVenue,
  IN_FORCE,
  KALSHI_BASKET,
  KINDS,
  type Kind,
  POLYMARKET_BASKET,
  RAIN,
  startAtKalshi,
} from './crash-venues.js';

export { KINDS, RAIN };

/** A database of its own that a test may reach into. */
export interface OpenDatabase {
  readonly url: string;
  run(statement: string): Promise<unknown>;
}

/** A fresh database on Postgres. */
export const onPostgres = async (): Promise<OpenDatabase> => {
  const { url } = await freshPostgres();
  return { url, run: (statement) => runOnPostgres(url, statement) };
};
/** A fresh file of SQLite. */
export const onSqlite = async (): Promise<OpenDatabase> => {
  const { url, path } = freshSqliteFile();
  return { url, run: (statement) => runOnSqlite(path, statement) };
};

/** Both kinds of database, each with what makes a fresh one. */
export const DATABASES = [
  ['SQLite', onSqlite],
  ['Postgres', onPostgres],
] as const;

/**
 * Makes the lease of every job pass: 30 seconds by the clock of the database, which a test need not wait for. Whoever held
 * one still has his own stopwatch.
 */
export const passLeases = (database: OpenDatabase): Promise<unknown> =>
  database.run('update order_jobs set due_at = 0 where due_at is not null');

/** One market with an offer, and a server that trades there as with real money. */
export interface Fixture {
  readonly stand: CrashVenue;
  readonly basket: Basket;
  readonly database: OpenDatabase;
  readonly server: LiveServer;
}

/** The same at Polymarket. */
export interface PolymarketFixture extends Fixture {
  readonly venue: FakeVenue;
}

/** The same at Kalshi. */
interface KalshiFixture extends Fixture {
  readonly venue: FakeKalshi;
}

/** The status of each order of the basket; where the venue reports it in two ways, both, as `rejected|cancelled`. */
export type Fates = Readonly<Record<Kind, string>>;

/**
 * What comes of them in order. That an order was killed is told by the answer to it and by the stream, whichever is heard
 * first.
 */
export const IN_ORDER: Fates = { rests: 'open', fills: 'filled', cannot: 'rejected|cancelled' };
/**
 * After the answer was lost: the venue shows what it took, and nothing of what it killed but in the stream of that moment.
 */
export const FOUND: Fates = { ...IN_ORDER, cannot: 'unknown|rejected|cancelled' };
export const NOBODY_KNOWS: Fates = { rests: 'unknown', fills: 'unknown', cannot: 'unknown' };

/** Whether each stands as it should. */
export const fits = (found: Fates, wanted: Fates): boolean =>
  KINDS.every((kind) => wanted[kind].split('|').includes(found[kind]));

/** Where a server ends itself, or freezes: see crash-points.mjs. */
export const crashing = (at: string, more: Readonly<Record<string, string>> = {}) => {
  return { SERVER_PROGRAM: testProgram('crash-points'), CRASH_AT: at, ...more };
};

/** A server that goes on to its natural end. */
export const SOUND = { SERVER_PROGRAM: SERVER, CRASH_AT: '' };

/** A server at a venue that sells twenty of the first outcome of the rain at one half. */
export async function startFixture(
  database: OpenDatabase,
  env: Readonly<Record<string, string>> = {},
  more: readonly MarketTerms[] = [],
): Promise<PolymarketFixture> {
  const venue = await FakeVenue.start({ markets: [RAIN, ...more] });
  venue.offer(RAIN.tokens[0], 'SELL', '0.5', '20');
  const server = await startLive({ databaseUrl: database.url, venue, env });
  return { venue, stand: asPolymarket(venue), basket: POLYMARKET_BASKET, database, server };
}

/** A server at Kalshi's demo, likewise. */
export async function startKalshiFixture(
  database: OpenDatabase,
  env: Readonly<Record<string, string>> = {},
): Promise<KalshiFixture> {
  return { ...(await startAtKalshi(database.url, env)), basket: KALSHI_BASKET, database };
}

/** Each venue on the databases that it is tried on. What the database decides does not depend on the venue: one is enough for the second. */
export const PLACES = [
  ['Polymarket', 'SQLite', onSqlite, startFixture],
  ['Polymarket', 'Postgres', onPostgres, startFixture],
  ['Kalshi', 'SQLite', onSqlite, startKalshiFixture],
] as const;

/** Ends what is left of it. */
export async function endFixture({ server, stand }: Fixture): Promise<void> {
  await server.kill('SIGKILL');
  await stand.close();
}

/** What an order shows of itself. */
export interface Shown {
  readonly id: string;
  readonly status: string;
  readonly time_in_force: string;
  readonly clob_order_id: string | null;
  readonly filled_shares: string;
}

/** What became of a POST: its whole answer, or that the connection broke before. */
export type Fate = Reply | 'no answer';

/** A server, and what is ordered there. */
type Placing = Pick<Fixture, 'basket' | 'server'>;

export const placeLive = ({ basket, server }: Placing, kind: Kind, key: string = kind): Promise<Reply> =>
  server.client.post(ORDERS, basket[kind], { 'idempotency-key': key });

export const tryLive = (placing: Placing, kind: Kind): Promise<Fate> =>
  placeLive(placing, kind).catch(() => 'no answer' as const);

/** Repeats the same request where the answers ask for it, and sooner, until there is an order. */
export async function repeatLive(placing: Placing, kind: Kind, key: string = kind): Promise<Shown> {
  for (;;) {
    const reply = await placeLive(placing, kind, key);
    if (reply.status === 201) return reply.json<Shown>();
    const seconds = Number(reply.headers['retry-after']);
    if (reply.status !== 409 || !(seconds > 0)) throw new Error(`${reply.status} ${reply.text}`);
    await new Promise((resume) => setTimeout(resume, seconds * 100));
  }
}

/** How each order of the basket stands. */
export async function fatesOf(client: Client): Promise<Fates> {
  const orders = await liveOrders(client);
  const statusOf = (kind: Kind) => orders.find((order) => order.time_in_force === IN_FORCE[kind])?.status ?? 'absent';
  return { rests: statusOf('rests'), fills: statusOf('fills'), cannot: statusOf('cannot') };
}

/** Every order with real money on record. */
export async function liveOrders(client: Client): Promise<readonly Shown[]> {
  return (await client.get(`${ORDERS}?paper=false&limit=100`)).json<{ data: Shown[] }>().data;
}

/**
 * What is wrong between the record, the venue, what clients were told and the log: orders that the venue took and that
 * belong to none or to several of ours, or were sent more than once; other fills; an order that neither ended, nor rests as
 * it does at the venue, nor is unknown with an error in the log that names it; an order that was acknowledged and is not on
 * record.
 */
async function wrongs({ stand, server }: Fixture, fates: readonly Fate[] = []): Promise<readonly string[]> {
  const orders = await liveOrders(server.client);
  const records = orders.map(({ id, clob_order_id, filled_shares }): OwnRecord => {
    const hashes = clob_order_id === null ? [] : [stand.identityOf(clob_order_id)];
    return { id, hashes, filled: micro(filled_shares) };
  });
  const alarmed = alarmsIn(server.output());
  const acknowledged = fates.flatMap((fate) =>
    fate === 'no answer' || fate.status !== 201 ? [] : [fate.json<Shown>().id],
  );
  return [
    ...stand.breaches(records),
    ...orders.flatMap((order) => holdingsWrong(order, stand, alarmed)),
    ...acknowledged
      .filter((id) => orders.every((order) => order.id !== id))
      .map((id) => `${id} was acknowledged and is gone`),
  ];
}

/** Waits until nothing is wrong, or returns what still is after a minute. */
export async function wrongsInTheEnd(fixture: Fixture, fates: readonly Fate[] = []): Promise<readonly string[]> {
  const until = performance.now() + 60_000;
  for (;;) {
    const found = await wrongs(fixture, fates);
    if (found.length === 0 || performance.now() > until) return found;
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/** How far each order came that left for the venue. */
export function sentTo({ stand }: Fixture): string {
  return stand
    .bodies()
    .map((body) => (body.endsWith('}') ? 'all' : body === '' ? 'no body' : 'a part'))
    .join(', ');
}

/** Nothing, or what the audit finds wrong in the books. */
export const auditOf = ({ env }: LiveServer): Promise<string> => booksWrong(String(env['DATABASE_URL']));

function holdingsWrong(order: Shown, stand: CrashVenue, alarmed: ReadonlySet<string>): string[] {
  const { id, status, clob_order_id: shown, filled_shares } = order;
  const theirs = stand.standing(stand.identityOf(shown ?? ''));
  const rests = theirs?.rests ?? false;
  const description = `${id} is ${status}, filled ${filled_shares}, and at the venue ${theirs?.status}`;
  if (status === 'unknown') return alarmed.has(id) ? [] : [`${id} is unknown, and no alarm names it`];
  const mayRest = status === 'open' || status === 'partially_filled';
  const isWrong = mayRest ? !rests : rests || status === 'pending' || status === 'delayed';
  return isWrong ? [description] : [];
}

/** The orders that an error of the log names. */
function alarmsIn(output: string): ReadonlySet<string> {
  const lines = output.split('\n').filter((line) => line.startsWith('{"level":50'));
  return new Set(lines.map((line) => (JSON.parse(line) as { order?: string }).order ?? ''));
}

async function runOnPostgres(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function runOnSqlite(path: string, statement: string): Promise<unknown> {
  return new Promise((done, fail) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READWRITE);
    database.all(statement, (error, rows) => {
      database.close(() => (error ? fail(error) : done(rows)));
    });
  });
}
