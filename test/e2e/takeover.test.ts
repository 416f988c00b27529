import { expect, test } from 'vitest';
import { STRATEGIES } from '../support/app.js';
import { STRATEGY } from './paper-games.js';
import { aGame, owns, PaperFixture, until } from './paper-servers.js';

const GAMES = Array.from({ length: 3 }, (_, at) => aGame(`game-${at}`));
const EACH = 30;

test('another server takes over from a killed one without a double bet', async () => {
  const fixture = await PaperFixture.open(GAMES);
  const [first, second] = await Promise.all([fixture.server(), fixture.server()]);
  const [owner, other] = (await owns(first)) ? [first, second] : [second, first];
  for (let n = 0; n < EACH; n += 1) expect((await owner.client.post(STRATEGIES, STRATEGY)).status).toBe(201);
  const bets = async () =>
    Number((await fixture.rows<{ many: string }>('select count(*) as many from bet_slots'))[0]?.many);
  const offer = (at: number) => fixture.venue.offer(GAMES[at]?.tokens[0] ?? '', 'SELL', '0.5', '100000');

  offer(0);
  await until(async () => (await bets()) >= EACH / 2);
  await owner.kill('SIGKILL');
  const [killed, before] = [performance.now(), await bets()];
  // Nobody is told: the lease runs out by the clock of the database.
  offer(1);
  await until(async () => (await bets()) > before);
  console.info(`the first bet of the other server came ${Math.round(performance.now() - killed)} ms after the kill`);
  offer(2);
  await until(async () => (await bets()) >= GAMES.length * EACH);
  await until(async () => (await fixture.rows(`select id from orders where status = 'pending'`)).length === 0);

  const orders = await fixture.rows(
    'select status, count(*) as many, count(distinct (strategy_id, market_id)) as markets from orders group by status',
  );
  expect(orders, other.output()).toEqual([{ status: 'filled', many: `${3 * EACH}`, markets: `${3 * EACH}` }]);
  expect(await owns(other)).toBe(true);
  expect(await fixture.audit()).toBe('');
  await fixture.close();
});
