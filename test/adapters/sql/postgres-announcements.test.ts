import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { PostgresAnnouncements } from '../../../src/adapters/sql/postgres-announcements.js';
import type { AccountId } from '../../../src/core/ids.js';
import { ALICE } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { trading } from '../../support/trading.js';

let database: FreshPostgres;
let closing: (() => Promise<unknown>)[];
beforeEach(async () => {
  [database, closing] = [await freshPostgres(), []];
});
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  // Some are terminated here.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** One end, with what it heard; `pids` are its connections, the newest last. */
async function end() {
  const heard = new Map<AccountId, number>();
  const pids: number[] = [];
  const announcements = new PostgresAnnouncements(async () => {
    const client = await connected();
    pids.push((await client.query('select pg_backend_pid() as pid')).rows[0].pid);
    return client;
  });
  announcements.open((account, head) => heard.set(account, head));
  closing.push(() => announcements.close());
  return { announcements, heard, pids };
}

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resume) => setTimeout(resume, 5));
};

/** Announces until it is heard: until then one of the two may not be connected. */
const announced = async (from: PostgresAnnouncements, to: ReadonlyMap<AccountId, number>, head: number) =>
  until(() => {
    from.announce(ALICE, head);
    return to.get(ALICE) === head;
  });

test('announcements reach the other process in payloads that Postgres accepts', async () => {
  const [one, other] = [await end(), await end()];
  await announced(one.announcements, other.heard, 1);
  const listener = await connected();
  closing.push(() => listener.end());
  const payloads: string[] = [];
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('listen stakeport_events');
  const accounts = Array.from({ length: 1000 }, (_, n) => `${n}-${'ü'.repeat(20)}` as AccountId);
  for (let head = 1; head <= 10; head += 1) for (const account of accounts) one.announcements.announce(account, head);
  await until(() => accounts.every((account) => other.heard.get(account) === 10));
  expect(payloads.every((payload) => Buffer.byteLength(payload) < 8000)).toBe(true);
  expect(payloads.length).toBeLessThan(12);
});

test('a lost connection is reopened, and meaningless announcements are ignored', async () => {
  const [one, other] = [await end(), await end()];
  await announced(one.announcements, other.heard, 1);
  const operator = await connected();
  closing.push(() => operator.end());
  for (const { pids } of [one, other]) await operator.query('select pg_terminate_backend($1)', [pids.at(-1)]);
  await until(() => one.pids.length > 1 && other.pids.length > 1);
  for (const payload of ['', 'nothing', '{}', '[[1,2],["a","b"],null]'])
    await operator.query(`select pg_notify('stakeport_events', $1)`, [payload]);
  await announced(one.announcements, other.heard, 2);
  expect([...other.heard.keys()]).toEqual([ALICE]);
});

test('a commit wakes waiters on another server before their next poll', async () => {
  const servers = await Promise.all([1, 2].map(() => openSqlLedger(database.url, { exclusive: true })));
  closing.push(() => Promise.all(servers.map((server) => server.close())));
  const [one, other] = servers as [(typeof servers)[0], (typeof servers)[0]];
  let woken = 0;
  const leave = other.log.watch(ALICE, () => (woken = performance.now()));
  // The first look of all wakes too, and the connections are open by then.
  await trading(one).place();
  await until(() => woken > 0);
  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    woken = 0;
    await trading(one).place();
    const committed = performance.now();
    await until(() => woken > 0);
    waits.push(Math.max(0, woken - committed));
  }
  leave();
  // Looks alone would take half a second in the middle.
  expect(waits.toSorted((a, b) => a - b)[2]).toBeLessThan(250);
});
