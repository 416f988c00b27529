import { expect, test } from 'vitest';
import { ORDERS } from '../support/app.js';
import { hangsUp } from '../support/fake-venue/faults.js';
import { listedMarket } from '../support/live-server.js';
import { runs } from '../support/runs.js';
import {
  auditOf,
  crashing,
  DATABASES,
  endFixture,
  type Fate,
  liveOrders,
  type OpenDatabase,
  type PolymarketFixture,
  passLeases,
  RAIN,
  type Shown,
  SOUND,
  startFixture,
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
type Name = keyof typeof BODIES;

/** Of each store, twice as many in the soak. */
const MOST_STARTS = 20;
const STARTS = runs(1) === 1 ? MOST_STARTS / 2 : MOST_STARTS;
/** A start with everything to do takes about so many steps; a step is counted before and after each call. */
const STEPS = 60;

/** The same places each time, spread over a start; the starts of the second store go on where those of the first ended. */
const placeOf = (start: number, store: number): number =>
  1 + (((1 + ((start - 1 + store * STARTS) % MOST_STARTS)) * 37 + 11) % STEPS);

const post = ({ server }: PolymarketFixture, name: Name): Promise<Fate> =>
  server.client.post(ORDERS, BODIES[name], { 'idempotency-key': name }).catch(() => 'no answer' as const);

async function standing(fixture: PolymarketFixture, name: Name): Promise<Shown> {
  const fate = await post(fixture, name);
  if (fate === 'no answer' || fate.status !== 201) throw new Error(fate === 'no answer' ? fate : fate.text);
  return fate.json<Shown>();
}

/** A server that died with an order in every state; and what it had answered its clients. */
async function diedAmidst(database: OpenDatabase): Promise<{ fixture: PolymarketFixture; fates: readonly Fate[] }> {
  const env = crashing('before-claim', { CRASH_MARKET: SNOW.conditionId });
  const fixture = await startFixture(database, env, [SNOW, GAME]);
  const { venue, server } = fixture;
  venue.startGame(venue.market(GAME.conditionId));
  venue.offer(GAME.tokens[1], 'SELL', '0.5', '100');
  const fates: Fate[] = [];
  for (const name of ['open', 'filled', 'cancelling', 'delayed'] as const) fates.push(await post(fixture, name));
  venue.script('POST /order', hangsUp({ acts: false }));
  fates.push(await post(fixture, 'unknown'));
  const stands = fates.map((fate) => (fate === 'no answer' ? fate : fate.json()['status']));
  expect(stands).toEqual(['open', 'filled', 'open', 'delayed', 'unknown']);
  const unanswered: Promise<unknown>[] = [];
  const holdNext = async (endpoint: string, where: 'before' | 'answer', ask: () => Promise<unknown>) => {
    const hold = venue.hold(endpoint, where);
    unanswered.push(ask().catch(() => 'no answer'));
    await hold.arrived;
  };
  const { id } = await standing(fixture, 'cancelling');
  await holdNext('DELETE /order', 'before', () => server.client.post(`${ORDERS}/${id}/cancel`));
  await holdNext('POST /order', 'answer', () => post(fixture, 'arrived'));
  await holdNext('POST /order', 'before', () => post(fixture, 'forgotten'));
  unanswered.push(post(fixture, 'pending'));
  expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await Promise.all(unanswered)).toEqual(unanswered.map(() => 'no answer'));
  return { fixture: fixture, fates };
}

/** What the venue has to tell at each start. */
function happens({ venue }: PolymarketFixture, start: number): void {
  venue.offer(NO, 'SELL', '0.4', '1');
  if (start === 3) venue.settleAll('CONFIRMED');
  if (start === 7)
    for (const { hash, status } of venue.state.engine.open) if (status === 'DELAYED') venue.release(hash);
}

test.concurrent.for(DATABASES)(
  'On %s, starts killed in succession leave everything to the next start',
  async ([name, fresh]) => {
    const { fixture, fates } = await diedAmidst(await fresh());
    const store = DATABASES.findIndex(([one]) => one === name);
    let died = 0;
    for (let start = 1; start <= STARTS; start++) {
      happens(fixture, start);
      await passLeases(fixture.database);
      const env = crashing('step', { CRASH_AFTER: `${placeOf(start, store)}` });
      const next = await fixture.server.again(env).catch((error: Error) => error.message);
      if (typeof next !== 'string') await next.kill('SIGKILL');
      else if (next.includes('SIGKILL at step')) died += 1;
      else throw new Error(next);
    }
    expect(died).toBeGreaterThan(STARTS / 2);
    await passLeases(fixture.database);
    const last = { ...fixture, server: await fixture.server.again(SOUND) };
    expect(await wrongsInTheEnd(last, fates)).toEqual([]);
    expect(await auditOf(last.server)).toBe('');
    const found = await Promise.all(
      Object.keys(BODIES).map(async (name) => [name, await standing(last, name as Name)] as const),
    );
    expect(await liveOrders(last.server.client)).toHaveLength(found.length);
    expect(Object.fromEntries(found.map(([name, { status }]) => [name, status]))).toEqual({
      open: 'partially_filled',
      filled: 'filled',
      cancelling: 'cancelled',
      delayed: 'filled',
      unknown: 'unknown',
      arrived: 'open',
      forgotten: 'unknown',
      pending: expect.stringMatching(/^(open|unknown|expired)$/),
    });
    await endFixture(last);
  },
);
