import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { listedMarket } from '../support/live-deployment.js';
import { runs } from '../support/runs.js';
import { buy, ordersOf, owns, PaperFixture, type PaperServer, rest, takes, until } from './paper-servers.js';

const [YES] = listedMarket('rain').tokens;
const ROUNDS = runs(2);
const IS_SHORT = runs(1) === 1;

/** How many shares the account has got. */
const filledOf = async (server: PaperServer): Promise<number> =>
  (await ordersOf(server)).reduce((sum, { filled_shares: shares }) => sum + Number(shares), 0);

test('a venue sale fills one paper order despite killed or frozen servers', {
  timeout: runs(600_000),
}, async () => {
  const fixture = await PaperFixture.open();
  const [first, second] = await Promise.all([fixture.server(), fixture.server()]);
  let [owner, other] = (await owns(first)) ? [first, second] : [second, first];
  // Ten shares each; these two are never the best.
  for (const n of [1, 2]) expect((await rest(owner, `rests ${n}`)).json()).toMatchObject({ status: 'open' });
  for (let round = 1; round <= ROUNDS; round += 1) {
    const isKilled = IS_SHORT ? round === 2 : randomInt(2) === 0;
    if (isKilled) await owner.kill('SIGKILL');
    else process.kill(owner.pid, 'SIGSTOP');
    const passed = fixture.passLease();
    await until(async () => {
      await fixture.endIdleTransactions();
      return takes(other);
    });
    await passed;
    // The first to be filled, of which only the new owner knows.
    const better = { price: 0.45, size_usdc: 4.5, time_in_force: 'GTC' };
    expect((await buy(other, `round ${round}`, better)).json()).toMatchObject({ status: 'open' });
    fixture.venue.offer(YES, 'SELL', '0.4', '10');
    await until(async () => (await filledOf(other)) >= 10 * round);
    let next = owner;
    if (!isKilled) {
      // It hears of the sale now, and still has a book in which one of those two would be filled.
      process.kill(owner.pid, 'SIGCONT');
      await until(async () => !(await owns(next)));
    } else if (round < ROUNDS) next = await fixture.server();
    // What is displayed is bought, before another owner sees it.
    fixture.venue.offer(YES, 'BUY', '0.4', '10');
    await until(async () => (await fixture.rows(`select id from orders where status = 'pending'`)).length === 0);
    expect(await filledOf(other), other.output()).toBe(10 * round);
    [owner, other] = [other, next];
  }
  const orders = await ordersOf(owner);
  expect(orders.filter(({ status }) => status === 'filled')).toHaveLength(ROUNDS);
  expect(orders.filter(({ status }) => status === 'open')).toHaveLength(2);
  expect(await fixture.audit()).toBe('');
  await fixture.close();
});
