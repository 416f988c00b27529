import { expect, test } from 'vitest';
import { ORDERS, STRATEGIES } from '../support/app.js';
import { aGame, PaperFixture, type PaperServer, takes, until } from './paper-servers.js';

const GAME = aGame('game-0');
const [YES] = GAME.tokens;

/** Backs the first team at odds of 2 or more, and leaves at 0.40. */
const STRATEGY = {
  name: 'with a stop',
  sport: 'basketball',
  automation: 'auto',
  bankroll_cap: 1000,
  stake_cap: 50,
  rules: {
    outcome: { index: 0 },
    filter: { min_odds: 2, max_spread: null },
    sizing: { method: 'flat', value: 10 },
    exit: { stop: { price: 0.4 } },
  },
};

interface Shown {
  readonly side: string;
  readonly status: string;
  readonly filled_shares: string;
}
const ordersOf = async ({ client }: PaperServer): Promise<readonly string[]> => {
  const { data } = (await client.get(ORDERS)).json<{ data: Shown[] }>();
  return data.map(({ side, status, filled_shares: filled }) => `${side} ${status} ${filled}`);
};
const heldBy = async ({ client }: PaperServer): Promise<readonly string[]> => {
  const { positions } = (await client.get('/v1/portfolio?paper=true')).json<{ positions: { shares: string }[] }>();
  return positions.map(({ shares }) => shares);
};

test('a strategy exit survives kill -9 at any point and sells once', async () => {
  const fixture = await PaperFixture.open([GAME]);
  fixture.venue.offer(YES, 'SELL', '0.5', '1000');
  fixture.venue.offer(YES, 'BUY', '0.48', '50');
  const next = async (killed: PaperServer, env = {}): Promise<PaperServer> => {
    await killed.kill('SIGKILL');
    await fixture.passLease();
    return fixture.server(env);
  };
  const first = await fixture.server();
  expect((await first.client.post(STRATEGIES, STRATEGY)).status).toBe(201);
  await until(async () => (await ordersOf(first)).join() === 'BUY filled 20');

  // The server of then holds what it bought. An order takes long to its book there.
  const second = await next(first, { PAPER_LATENCY_MS: '6000' });
  await until(() => takes(second));
  expect(await ordersOf(second)).toEqual(['BUY filled 20']);
  fixture.venue.offer(YES, 'BUY', '0.39', '1000');
  fixture.venue.offer(YES, 'SELL', '0.48', '50');
  await until(async () => /^SELL (pending|open|delayed) 0$/.test(`${(await ordersOf(second))[0]}`));

  const third = await next(second);
  await until(async () => (await ordersOf(third))[0] === 'SELL filled 20');
  expect(await heldBy(third)).toEqual([]);

  // The same rules, made now, buy and then sell: whatever would be sold a second time is sold by then.
  const last = await next(third);
  fixture.venue.offer(YES, 'BUY', '0.48', '50');
  expect((await last.client.post(STRATEGIES, { ...STRATEGY, name: 'another' })).status).toBe(201);
  await until(async () => (await ordersOf(last))[0] === 'BUY filled 20');
  fixture.venue.offer(YES, 'SELL', '0.48', '50');
  await until(async () => (await ordersOf(last)).length >= 4);
  await until(async () => (await ordersOf(last)).every((order) => order.endsWith(' filled 20')));
  expect(await ordersOf(last)).toEqual(Array(2).fill(['SELL filled 20', 'BUY filled 20']).flat());
  expect(await heldBy(last)).toEqual([]);
  expect(await fixture.audit()).toBe('');
  await fixture.close();
});
