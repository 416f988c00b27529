import { expect, test } from 'vitest';
import { ORDERS } from '../support/app.js';
import { hangsUp } from '../support/fake-venue/faults.js';
import { listedMarket } from '../support/live-server.js';
import { runs } from '../support/runs.js';
import { OTHER_TICKER, TICKER } from './crash-venues.js';
import {
  auditOf,
  crashing,
  endFixture,
  type Fate,
  type Fixture,
  liveOrders,
  type OpenDatabase,
  onPostgres,
  onSqlite,
  passLeases,
  RAIN,
  type Shown,
  SOUND,
  startFixture,
  startKalshiFixture,
  wrongsInTheEnd,
} from './live-crashes.js';

const SNOW = listedMarket('snow');
const GAME = listedMarket('game', { delaySeconds: 3 });
const [, NO] = RAIN.tokens;

const LIVE = { market_id: RAIN.conditionId, paper: false, size_usdc: 10, token: 'NO' };
const BODIES = {
  open: { ...LIVE, price: 0.4 },
  filled: { ...LIVE, token: 'YES', price: 0.5, time_in_force: 'FAK' },
  cancelling: { ...LIVE, price: 0.3 },
  delayed: { ...LIVE, market_id: GAME.conditionId, price: 0.5, time_in_force: 'FAK' },
  unknown: { ...LIVE, price: 0.2 },
  arrived: { ...LIVE, price: 0.35 },
  forgotten: { ...LIVE, price: 0.25 },
  pending: { ...LIVE, market_id: SNOW.conditionId, price: 0.4 },
};

const HERE = { ...LIVE, market_id: TICKER, token: 'YES' };
/** The same without what has no meaning there: no market delays, no trade waits to be confirmed, and an order that is lost is sent again. */
const AT_KALSHI = {
  open: { ...HERE, price: 0.4 },
  filled: { ...HERE, price: 0.5, time_in_force: 'FAK' },
  cancelling: { ...HERE, price: 0.3 },
  arrived: { ...HERE, price: 0.35 },
  forgotten: { ...HERE, price: 0.25 },
  pending: { ...HERE, market_id: OTHER_TICKER, price: 0.4 },
};

/** Of each store, twice as many in the soak. */
const MOST_STARTS = 20;
const STARTS = runs(1) === 1 ? MOST_STARTS / 2 : MOST_STARTS;
/** A start with everything to do takes about so many steps; a step is counted before and after each call. */
const STEPS = 60;

/** The same places each time, spread over a start; the starts of the second store go on where those of the first ended. */
const placeOf = (start: number, store: number): number =>
  1 + (((1 + ((start - 1 + store * STARTS) % MOST_STARTS)) * 37 + 11) % STEPS);

/** A server that died with an order in every state, and what had to do with it. */
interface Died {
  readonly fixture: Fixture;
  /** The requests by their names. */
  readonly bodies: Readonly<Record<string, object>>;
  /** What its clients were answered. */
  readonly fates: readonly Fate[];
  /** What the venue has to tell at each start. */
  happens(start: number): void;
  /** How each order stands in the end. */
  readonly ends: Readonly<Record<string, unknown>>;
}

const post = ({ server }: Fixture, [name, body]: readonly [string, object]): Promise<Fate> =>
  server.client.post(ORDERS, body, { 'idempotency-key': name }).catch(() => 'no answer' as const);

async function standing(fixture: Fixture, order: readonly [string, object]): Promise<Shown> {
  const fate = await post(fixture, order);
  if (fate === 'no answer' || fate.status !== 201) throw new Error(fate === 'no answer' ? fate : fate.text);
  return fate.json<Shown>();
}

const stands = (fates: readonly Fate[]) => fates.map((fate) => (fate === 'no answer' ? fate : fate.json()['status']));

/** Nobody hears what is under way when the server dies. */
async function dies({ server }: Fixture, unanswered: readonly Promise<unknown>[]): Promise<void> {
  expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await Promise.all(unanswered)).toEqual(unanswered.map(() => 'no answer'));
}

async function diedAtPolymarket(database: OpenDatabase): Promise<Died> {
  const env = crashing('before-claim', { CRASH_MARKET: SNOW.conditionId });
  const fixture = await startFixture(database, env, [SNOW, GAME]);
  const { venue, server } = fixture;
  const named = (name: keyof typeof BODIES) => [name, BODIES[name]] as const;
  venue.startGame(venue.market(GAME.conditionId));
  venue.offer(GAME.tokens[1], 'SELL', '0.5', '100');
  const fates: Fate[] = [];
  for (const name of ['open', 'filled', 'cancelling', 'delayed'] as const) fates.push(await post(fixture, named(name)));
  venue.script('POST /order', hangsUp({ acts: false }));
  fates.push(await post(fixture, named('unknown')));
  expect(stands(fates)).toEqual(['open', 'filled', 'open', 'delayed', 'unknown']);
  const unanswered: Promise<unknown>[] = [];
  const holdNext = async (endpoint: string, where: 'before' | 'answer', ask: () => Promise<unknown>) => {
    const hold = venue.hold(endpoint, where);
    unanswered.push(ask().catch(() => 'no answer'));
    await hold.arrived;
  };
  const { id } = await standing(fixture, named('cancelling'));
  await holdNext('DELETE /order', 'before', () => server.client.post(`${ORDERS}/${id}/cancel`));
  await holdNext('POST /order', 'answer', () => post(fixture, named('arrived')));
  await holdNext('POST /order', 'before', () => post(fixture, named('forgotten')));
  unanswered.push(post(fixture, named('pending')));
  await dies(fixture, unanswered);
  const happens = (start: number) => {
    venue.offer(NO, 'SELL', '0.4', '1');
    if (start === 3) venue.settleAll('CONFIRMED');
    if (start === 7)
      for (const { hash, status } of venue.state.engine.open) if (status === 'DELAYED') venue.release(hash);
  };
  const ends = {
    open: 'partially_filled',
    filled: 'filled',
    cancelling: 'cancelled',
    delayed: 'filled',
    unknown: 'unknown',
    arrived: 'open',
    forgotten: 'unknown',
    pending: PENDING,
  };
  return { fixture, bodies: BODIES, fates, happens, ends };
}

/** Sent, unknown, or too late by the time that a start gets as far. */
const PENDING = expect.stringMatching(/^(open|unknown|expired)$/);

async function diedAtKalshi(database: OpenDatabase): Promise<Died> {
  const fixture = await startKalshiFixture(database, crashing('before-claim', { CRASH_MARKET: OTHER_TICKER }));
  const { venue, server } = fixture;
  const bodies = AT_KALSHI;
  const named = (name: keyof typeof bodies) => [name, bodies[name]] as const;
  const fates: Fate[] = [];
  for (const name of ['open', 'filled', 'cancelling'] as const) fates.push(await post(fixture, named(name)));
  expect(stands(fates)).toEqual(['open', 'filled', 'open']);
  const unanswered: Promise<unknown>[] = [];
  const holdNext = async (where: 'before' | 'answer', ask: () => Promise<unknown>) => {
    const hold = venue.writes.hold(where);
    unanswered.push(ask().catch(() => 'no answer'));
    await hold.arrived;
    return hold;
  };
  const { id } = await standing(fixture, named('cancelling'));
  const cancelling = await holdNext('before', () => server.client.post(`${ORDERS}/${id}/cancel`));
  await holdNext('answer', () => post(fixture, named('arrived')));
  const forgotten = await holdNext('before', () => post(fixture, named('forgotten')));
  unanswered.push(post(fixture, named('pending')));
  await dies(fixture, unanswered);
  const happens = (start: number) => {
    const open = venue.account.orders.find(({ price }) => price === 4000n);
    venue.account.take(open?.clientId ?? '', '1.00');
    if (start === 2) cancelling.release();
    // In time for its headers, or too late for them.
    if (start === 3) forgotten.release();
  };
  const ends = {
    open: 'partially_filled',
    filled: 'filled',
    cancelling: 'cancelled',
    arrived: 'open',
    forgotten: expect.stringMatching(/^(open|unknown)$/),
    pending: PENDING,
  };
  return { fixture, bodies, fates, happens, ends };
}

/** As many starts as find out what only the venue decides. */
const FEW = STARTS === MOST_STARTS ? MOST_STARTS : 6;
const DEATHS = [
  ['Polymarket', 'SQLite', onSqlite, diedAtPolymarket, 0, STARTS],
  ['Polymarket', 'Postgres', onPostgres, diedAtPolymarket, 1, STARTS],
  ['Kalshi', 'SQLite', onSqlite, diedAtKalshi, 0, FEW],
] as const;

test.concurrent.for(DEATHS)(
  'At %s, on %s, starts killed in succession leave everything to the next start',
  async ([, , fresh, diedAmidst, store, starts]) => {
    const { fixture, bodies, fates, happens, ends } = await diedAmidst(await fresh());
    let died = 0;
    for (let start = 1; start <= starts; start++) {
      happens(start);
      await passLeases(fixture.database);
      const env = crashing('step', { CRASH_AFTER: `${placeOf(start, store)}` });
      const next = await fixture.server.again(env).catch((error: Error) => error.message);
      if (typeof next !== 'string') await next.kill('SIGKILL');
      else if (next.includes('SIGKILL at step')) died += 1;
      else throw new Error(next);
    }
    expect(died).toBeGreaterThan(starts / 2);
    await passLeases(fixture.database);
    const last = { ...fixture, server: await fixture.server.again(SOUND) };
    expect(await wrongsInTheEnd(last, fates)).toEqual([]);
    expect(await auditOf(last.server)).toBe('');
    const found = await Promise.all(
      Object.entries(bodies).map(async (order) => [order[0], await standing(last, order)] as const),
    );
    expect(await liveOrders(last.server.client)).toHaveLength(found.length);
    expect(Object.fromEntries(found.map(([name, { status }]) => [name, status]))).toEqual(ends);
    await endFixture(last);
  },
);
