import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ORDERS } from '../support/app.js';
import type { Hold } from '../support/fake-venue/hold.js';
import type { LiveServer } from '../support/live-server.js';
import {
  auditOf,
  crashing,
  endFixture,
  type Fate,
  type Fates,
  FOUND,
  fatesOf,
  fits,
  IN_ORDER,
  KINDS,
  liveOrders,
  NOBODY_KNOWS,
  onPostgres,
  type PolymarketFixture,
  passLeases,
  SOUND,
  sentTo,
  startFixture,
  tryLive,
  wrongsInTheEnd,
} from './live-crashes.js';

/** One server that is or will be frozen, and a second on the same database, through which everything is looked at. */
interface Pair extends PolymarketFixture {
  readonly frozen: LiveServer;
}

type Variables = Readonly<Record<string, string>>;

async function startPair(env: Variables = {}, other: Variables = SOUND): Promise<Pair> {
  const fixture = await startFixture(await onPostgres(), env);
  return { ...fixture, frozen: fixture.server, server: await fixture.server.again(other) };
}

const freezing = (at: string, clockBackMs = 0) =>
  crashing(at, { CRASH_BY: 'SIGSTOP', CRASH_AFTER: `${KINDS.length}`, CRASH_CLOCK_BACK: `${clockBackMs}` });

const placeAll = ({ basket, frozen: server }: Pair): Promise<readonly Fate[]> =>
  Promise.all(KINDS.map((kind) => tryLive({ basket, server }, kind)));

async function becomes({ server }: Pair, wanted: Fates): Promise<void> {
  const until = performance.now() + 60_000;
  while (!fits(await fatesOf(server.client), wanted) && performance.now() < until) await passed(50);
  expect(await fatesOf(server.client)).toSatisfy((found: Fates) => fits(found, wanted));
}

/** The second server takes over what the frozen one holds. */
async function takenOver(pair: Pair, found: Fates): Promise<void> {
  await passLeases(pair.database);
  await becomes(pair, found);
}

async function holdsTogether(pair: Pair, fates: readonly Fate[]): Promise<void> {
  expect(fates.map((fate) => (fate === 'no answer' ? fate : fate.status))).toEqual(KINDS.map(() => 201));
  expect(await wrongsInTheEnd(pair, fates)).toEqual([]);
  expect(await auditOf(pair.server)).toBe('');
  for (const { id } of await liveOrders(pair.server.client)) {
    const { data } = (await pair.server.client.get(`${ORDERS}/${id}/events`)).json<{ data: { type: string }[] }>();
    const types = data.map(({ type }) => type);
    expect([...new Set(types)]).toEqual(types);
  }
}

async function end(pair: Pair): Promise<void> {
  await pair.frozen.kill('SIGKILL');
  await endFixture(pair);
}

const NOT_SENT: Fates = { rests: 'rejected', fills: 'rejected', cannot: 'rejected' };

describe.concurrent('Two servers on one Postgres, one of them frozen', () => {
  test.for([
    // Its wall clock is wrong when it wakes up, so that its stopwatch alone can tell.
    ['its lease, by any clock', 31_000, 60_000],
    ['the time that the orders had to be sent', 16_000, 0],
  ] as const)('before it sends, past %s: it sends nothing', async ([, frozenMs, clockBackMs]) => {
    const pair = await startPair(freezing('before-sending', clockBackMs));
    const fates = placeAll(pair);
    await pair.frozen.says(/^SIGSTOP/m);
    const thawed = passed(frozenMs);
    await takenOver(pair, NOBODY_KNOWS);
    await thawed;
    process.kill(pair.frozen.pid, 'SIGCONT');
    await fates;
    await becomes(pair, NOT_SENT);
    expect(sentTo(pair)).toBe('');
    await holdsTogether(pair, await fates);
    await end(pair);
  });

  test('before sending within its lease: its orders are unknown until they arrive', async () => {
    const pair = await startPair(freezing('before-sending'));
    const fates = placeAll(pair);
    await pair.frozen.says(/^SIGSTOP/m);
    await takenOver(pair, NOBODY_KNOWS);
    process.kill(pair.frozen.pid, 'SIGCONT');
    await fates;
    await becomes(pair, IN_ORDER);
    expect(sentTo(pair)).toBe('all, all, all');
    await holdsTogether(pair, await fates);
    await end(pair);
  });

  test('before its claim: the other sends, and it does not', async () => {
    const pair = await startPair(freezing('before-claim'));
    const fates = placeAll(pair);
    await pair.frozen.says(/^SIGSTOP/m);
    await takenOver(pair, IN_ORDER);
    process.kill(pair.frozen.pid, 'SIGCONT');
    await holdsTogether(pair, await fates);
    expect(sentTo(pair)).toBe('all, all, all');
    await becomes(pair, IN_ORDER);
    await end(pair);
  });

  test('before its claim like the other: only the new job owner sends', async () => {
    const pair = await startPair(freezing('before-claim'), freezing('before-claim'));
    const fates = placeAll(pair);
    await pair.frozen.says(/^SIGSTOP/m);
    await passLeases(pair.database);
    await pair.server.says(/^SIGSTOP/m);
    process.kill(pair.frozen.pid, 'SIGCONT');
    const answers = (await fates).map((fate) => (fate === 'no answer' ? fate : fate.json()['status']));
    expect([answers, sentTo(pair)]).toEqual([KINDS.map(() => 'pending'), '']);
    process.kill(pair.server.pid, 'SIGCONT');
    await becomes(pair, IN_ORDER);
    await holdsTogether(pair, await fates);
    expect(sentTo(pair)).toBe('all, all, all');
    await end(pair);
  });

  test.for([
    ['has acted and', 'answer', FOUND],
    ['acts late and', 'before', NOBODY_KNOWS],
  ] as const)('while the exchange %s owes it the answer: each order exists once', async ([, where, found]) => {
    const pair = await startPair();
    const holds: Hold[] = KINDS.map(() => pair.venue.hold('POST /order', where));
    const fates = placeAll(pair);
    await Promise.all(holds.map(({ arrived }) => arrived));
    process.kill(pair.frozen.pid, 'SIGSTOP');
    await takenOver(pair, found);
    for (const hold of holds) hold.release();
    await becomes(pair, FOUND);
    process.kill(pair.frozen.pid, 'SIGCONT');
    await holdsTogether(pair, await fates);
    expect(sentTo(pair)).toBe('all, all, all');
    await end(pair);
  });
});
