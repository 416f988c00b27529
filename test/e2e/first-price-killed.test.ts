import { expect, test } from 'vitest';
import { ORDERS, STRATEGIES } from '../support/app.js';
import { aGame, PaperFixture, type PaperServer, takes, until } from './paper-servers.js';
import { idOf } from './trading.js';

const [STEADY, FREE] = [aGame('game-0'), aGame('game-1')];

/** Backs the first team for 5 dollars while its price is within three cents of the first one seen. */
const STRATEGY = {
  name: 'steady',
  sport: 'basketball',
  automation: 'auto',
  bankroll_cap: 1000,
  stake_cap: 50,
  rules: {
    outcome: { index: 0 },
    sizing: { method: 'flat', value: 5 },
    filter: { min_odds: 1.2, max_spread: null, max_drift: 0.03, min_liquidity_usdc: 20 },
  },
};

interface Told {
  readonly code: string | null;
  readonly market_id: string;
  readonly inputs: { readonly first_price: string | null };
  readonly rules: readonly { readonly rule: string; readonly value: string; readonly passed: boolean }[];
}

/** Where a dry run measures from, how far the price has moved, and whether that is permitted. */
async function drift({ client }: PaperServer, id: string): Promise<readonly unknown[]> {
  const asked = { market_id: STEADY.conditionId };
  const { data } = (await client.post(`${STRATEGIES}/${id}/evaluate`, asked)).json<{ data: Told[] }>();
  const rule = data[0]?.rules.find((one) => one.rule === 'filter/max_drift');
  return [data[0]?.inputs.first_price, rule?.value, rule?.passed];
}

const ordersOf = async ({ client }: PaperServer): Promise<readonly string[]> => {
  const { data } = (await client.get(ORDERS)).json<{ data: { market_id: string }[] }>();
  return data.map(({ market_id: market }) => market);
};

test('the first price a strategy saw survives kill -9 and bounds drift', async () => {
  const fixture = await PaperFixture.open([STEADY, FREE]);
  // Too little to bet on.
  fixture.venue.offer(STEADY.tokens[0], 'SELL', '0.5', '10');
  const first = await fixture.server();
  const id = idOf(await first.client.post(STRATEGIES, STRATEGY));
  await until(async () => (await fixture.rows('select 1 from first_prices')).length === 1);
  expect(await drift(first, id)).toEqual(['0.5', '0', true]);
  await first.kill('SIGKILL');
  await fixture.passLease();

  fixture.venue.offer(STEADY.tokens[0], 'SELL', '0.46', '1000');
  const second = await fixture.server();
  await until(() => takes(second));
  expect(await drift(second, id)).toEqual(['0.5', '0.04', false]);
  // Once it bets in another market it has looked at this one.
  fixture.venue.offer(FREE.tokens[0], 'SELL', '0.54', '1000');
  await until(async () => (await ordersOf(second)).length > 0);
  expect(await ordersOf(second)).toEqual([FREE.conditionId]);

  fixture.venue.offer(STEADY.tokens[0], 'BUY', '0.46', '1000');
  fixture.venue.offer(STEADY.tokens[0], 'SELL', '0.48', '1000');
  await until(async () => (await ordersOf(second)).length > 1);
  expect(await ordersOf(second)).toEqual([STEADY.conditionId, FREE.conditionId]);
  await fixture.close();
});
