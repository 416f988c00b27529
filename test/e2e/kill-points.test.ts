import { describe, expect, test } from 'vitest';
import {
  auditOf,
  crashing,
  DATABASES,
  endFixture,
  type Fate,
  type Fates,
  type Fixture,
  FOUND,
  fatesOf,
  fits,
  IN_ORDER,
  KINDS,
  liveOrders,
  NOBODY_KNOWS,
  PLACES,
  passLeases,
  placeLive,
  repeatLive,
  SOUND,
  sentTo,
  startFixture,
  tryLive,
  wrongsInTheEnd,
} from './live-crashes.js';

/** How long an order may wait to be sent. */
const SEND_WITHIN_MS = 15_000;

interface Point {
  readonly number: number;
  readonly when: string;
  /** See crash-points.mjs. */
  readonly at: string;
  /** What of the three orders the venue had got by then. */
  readonly sent: string;
  /** Whether anything of them was on record. */
  readonly kept: boolean;
  readonly fates: Fates;
}

const NOTHING = { sent: '', fates: IN_ORDER };
const ALL = { sent: 'all, all, all', kept: true };
const POINTS: readonly Point[] = [
  { number: 1, when: 'before its key is claimed', at: 'request-read', ...NOTHING, kept: false },
  { number: 2, when: 'before its intent is written', at: 'before-intent', ...NOTHING, kept: false },
  { number: 3, when: 'inside the transaction of its intent', at: 'in-intent', ...NOTHING, kept: false },
  { number: 4, when: 'before it is signed', at: 'before-signing', ...NOTHING, kept: true },
  { number: 5, when: 'before its identity is stored', at: 'before-claim', ...NOTHING, kept: true },
  { number: 5, when: 'inside the transaction that stores its identity', at: 'in-claim', ...NOTHING, kept: true },
  { number: 6, when: 'before it is sent', at: 'before-sending', sent: '', kept: true, fates: NOBODY_KNOWS },
  { number: 7, when: 'half sent', at: 'half-sent', sent: 'a part, a part, a part', kept: true, fates: NOBODY_KNOWS },
  { number: 9, when: 'when the answer has come', at: 'answered', ...ALL, fates: FOUND },
  { number: 10, when: 'inside the transaction of the answer', at: 'in-result', ...ALL, fates: FOUND },
  { number: 11, when: 'before the client is answered', at: 'before-answer', ...ALL, fates: IN_ORDER },
  { number: 12, when: 'when the client has half of its answer', at: 'half-answered', ...ALL, fates: IN_ORDER },
];

async function restarted(fixture: Fixture): Promise<Fixture> {
  await passLeases(fixture.database);
  return { ...fixture, server: await fixture.server.again(SOUND) };
}

/** The client asks again, everything comes to rest, and nothing is wrong. */
async function settles(fixture: Fixture, fates: readonly Fate[] = []): Promise<Fates> {
  const { client } = fixture.server;
  await Promise.all(KINDS.map((kind) => repeatLive(fixture, kind)));
  expect(await wrongsInTheEnd(fixture, fates)).toEqual([]);
  expect(await auditOf(fixture.server)).toBe('');
  expect(await liveOrders(client)).toHaveLength(KINDS.length);
  return fatesOf(client);
}

const placeAll = (fixture: Fixture): Promise<readonly Fate[]> =>
  Promise.all(KINDS.map((kind) => tryLive(fixture, kind)));

/** All three are at the venue, which has acted on them and holds its answers. */
async function placedAndHeld(fixture: Fixture): Promise<{ fates: Promise<readonly Fate[]>; release: () => void }> {
  const holds = KINDS.map(() => fixture.stand.holdAnswer());
  const fates = placeAll(fixture);
  await Promise.all(holds.map(({ arrived }) => arrived));
  const release = () => {
    for (const hold of holds) hold.release();
  };
  return { fates, release };
}

const NO_ANSWERS = KINDS.map(() => 'no answer');
const KILLED = { code: null, signal: 'SIGKILL' };

/**
 * At one venue: how long an order may wait is on record beside it, and the same core keeps to it at each. Nothing here moves a lease: by the
 * time that it has passed by itself, the orders are too late.
 */
test.concurrent.for(DATABASES)(
  'on %s, a killed server sends none of its orders after their deadline',
  async ([, fresh]) => {
    const first = await startFixture(await fresh(), crashing('before-claim', { CRASH_AFTER: `${KINDS.length}` }));
    expect(await placeAll(first)).toEqual(NO_ANSWERS);
    const fixture = { ...first, server: await first.server.again(SOUND) };
    expect((await placeLive(fixture, 'rests')).status).toBe(409);
    expect(await settles(fixture)).toEqual({ rests: 'expired', fills: 'expired', cannot: 'expired' });
    expect(sentTo(fixture)).toBe('');
    await endFixture(fixture);
  },
);

describe.concurrent.for(PLACES)('at %s, on %s, a server with orders for real money', ([, , fresh, start]) => {
  test.concurrent.for(POINTS.map((point) => [point.number, point.when, point] as const))(
    'that is killed at point %i, %s',
    async ([, , point]) => {
      const first = await start(await fresh(), crashing(point.at, { CRASH_AFTER: `${KINDS.length}` }));
      const began = Date.now();
      expect(await placeAll(first)).toEqual(NO_ANSWERS);
      expect(await first.server.ended).toEqual(KILLED);
      expect(sentTo(first)).toBe(point.sent);
      const fixture = await restarted(first);
      const inTime = Date.now() < began + SEND_WITHIN_MS;
      const signed = [...first.server.output().matchAll(/^signed (\S+)$/gm)].map(([, hash]) => hash);
      expect(signed).toHaveLength(point.at === 'in-claim' ? KINDS.length : 0);
      const orders = await liveOrders(fixture.server.client);
      expect(orders).toHaveLength(point.kept ? KINDS.length : 0);
      const found = await settles(fixture);
      const isPending = point.kept && point.sent === '' && point.fates === IN_ORDER;
      if (isPending && !inTime) return endFixture(fixture);
      expect(found).toSatisfy((fates: Fates) => fits(fates, point.fates));
      // What is not known of three orders is said, and the account may only lower what it risks.
      const { effective } = (await fixture.server.client.get('/v1/trading/state')).json();
      expect(effective).toBe(point.fates === NOBODY_KNOWS ? 'reducing' : 'active');
      const own = orders.map(({ clob_order_id }) => first.stand.identityOf(clob_order_id ?? ''));
      expect(own).toEqual(expect.arrayContaining(signed));
      await endFixture(fixture);
    },
  );

  test.concurrent('that is killed at point 8, before the answer', async () => {
    const first = await start(await fresh());
    const { fates } = await placedAndHeld(first);
    await first.server.kill('SIGKILL');
    expect(await fates).toEqual(NO_ANSWERS);
    const fixture = await restarted(first);
    expect(await settles(fixture)).toSatisfy((found: Fates) => fits(found, FOUND));
    await endFixture(fixture);
  });

  test.concurrent('that is killed at point 14, while it stops', async () => {
    const first = await start(await fresh());
    const { fates } = await placedAndHeld(first);
    const stopped = first.server.kill('SIGTERM');
    await first.server.says(/"stopping"/);
    await first.server.kill('SIGKILL');
    expect([await stopped, await fates]).toEqual([KILLED, NO_ANSWERS]);
    const fixture = await restarted(first);
    expect(await settles(fixture)).toSatisfy((found: Fates) => fits(found, FOUND));
    await endFixture(fixture);
  });

  test.concurrent('that stops waits a limited time for answers the exchange owes', async () => {
    const first = await start(await fresh());
    const { fates } = await placedAndHeld(first);
    // A server that does not end by itself ends with 1.
    expect(await first.server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const fixture = await restarted(first);
    expect(await settles(fixture, await fates)).toSatisfy((found: Fates) => fits(found, FOUND));
    await endFixture(fixture);
  });

  test.concurrent('that is stopping still returns the exchange’s answers to its clients', async () => {
    const first = await start(await fresh());
    const { fates, release } = await placedAndHeld(first);
    const stopped = first.server.kill('SIGTERM');
    await first.server.says(/"stopping"/);
    release();
    const answers = (await fates).map((fate) => (fate === 'no answer' ? fate : fate.status));
    expect([answers, (await stopped).code]).toEqual([KINDS.map(() => 201), 0]);
    const fixture = await restarted(first);
    expect(await settles(fixture, await fates)).toSatisfy((found: Fates) => fits(found, IN_ORDER));
    await endFixture(fixture);
  });
});
