import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { STRATEGIES } from '../support/app.js';
import { found } from '../support/audited.js';
import { runs } from '../support/runs.js';
import { STRATEGY } from './paper-games.js';
import { aGame, owns, PaperFixture, type PaperServer, takes, until } from './paper-servers.js';

const ACCOUNTS = 10;
const STRATEGIES_EACH = 10;
const MARKETS = runs(10);
const SLOTS_OF_MARKET = ACCOUNTS * STRATEGIES_EACH;

const ALL = MARKETS * SLOTS_OF_MARKET;
const GAMES = Array.from({ length: MARKETS }, (_, at) => aGame(`game-${at}`));

/** One that comes after all others. */
const LAST = aGame(`game-${MARKETS}`);

/** In the long run of the soak, time passes by itself. */
const IS_SHORT = runs(1) === 1;

async function createStrategies({ client }: PaperServer): Promise<void> {
  const create = async (account: number) => {
    const trader = client.as({ 'x-dev-user': `trader-${account}` });
    for (let one = 0; one < STRATEGIES_EACH; one++) expect((await trader.post(STRATEGIES, STRATEGY)).status).toBe(201);
  };
  await Promise.all(Array.from({ length: ACCOUNTS }, (_, account) => create(account)));
}

/** Three servers on one Postgres, of which any may die or stand still at any moment. */
class Servers {
  /** Those that were started: a new one is not waited for before it is its turn. */
  #servers: Promise<PaperServer>[] = [];

  constructor(private readonly fixture: PaperFixture) {}

  /** The first of them: the others start while it works. */
  async start(): Promise<PaperServer> {
    const first = await this.fixture.server();
    this.#servers = [Promise.resolve(first), this.fixture.server(), this.fixture.server()];
    return first;
  }

  /** Kills the owner of the lease or another one, or stops it until another has taken over. */
  async disturb(): Promise<void> {
    const servers = await Promise.all(this.#servers);
    const owners = await Promise.all(servers.map((server) => owns(server)));
    const owner = servers.find((_, at) => owners[at]);
    const victim = randomInt(4) > 0 && owner !== undefined ? owner : servers[randomInt(3)];
    if (victim === undefined) return;
    const others = servers.filter((server) => server !== victim);
    if (randomInt(2) === 0) {
      await victim.kill('SIGKILL');
      if (IS_SHORT) await this.fixture.passLease();
      this.#servers = [...others.map((server) => Promise.resolve(server)), this.fixture.server()];
      return;
    }
    process.kill(victim.pid, 'SIGSTOP');
    // It may hold the lock that this waits for.
    const passed = IS_SHORT ? this.fixture.passLease() : null;
    await until(async () => {
      if (IS_SHORT) await this.fixture.endIdleTransactions();
      return (await Promise.all(others.map(takes))).includes(true);
    });
    await passed;
    process.kill(victim.pid, 'SIGCONT');
  }

  async output(): Promise<string> {
    return (await Promise.all(this.#servers)).map((server) => server.output()).join('');
  }
}

const slotsOf = async (fixture: PaperFixture): Promise<number> =>
  Number((await fixture.rows<{ many: string }>('select count(*) as many from bet_slots'))[0]?.many);

test('three servers killed at random use each slot once, missing no bet', {
  timeout: runs(600_000),
}, async () => {
  const fixture = await PaperFixture.open([...GAMES, LAST]);
  const servers = new Servers(fixture);
  await createStrategies(await servers.start());
  for (const [at, { tokens }] of GAMES.entries()) {
    fixture.venue.offer(tokens[0], 'SELL', '0.5', '100000');
    const some = at * SLOTS_OF_MARKET + randomInt(SLOTS_OF_MARKET);
    await until(async () => (await slotsOf(fixture)) >= some);
    if (at % 3 === 0) await servers.disturb();
  }
  await until(async () => (await slotsOf(fixture)) >= ALL);
  // Whatever would bet twice would do so now, before the last market.
  for (const { tokens } of GAMES) fixture.venue.offer(tokens[0], 'SELL', '0.49', '5');
  fixture.venue.offer(LAST.tokens[0], 'SELL', '0.5', '100000');
  await until(async () => (await slotsOf(fixture)) >= ALL + SLOTS_OF_MARKET);
  await until(async () => (await fixture.rows(`select id from orders where status = 'pending'`)).length === 0);

  const orders = await fixture.rows<{ status: string; many: string; markets: string }>(
    `select status, count(*) as many, count(distinct (strategy_id, market_id)) as markets from orders group by status`,
  );
  const all = `${ALL + SLOTS_OF_MARKET}`;
  expect(orders, await servers.output()).toEqual([{ status: 'filled', many: all, markets: all }]);
  const bets = `select count(*) as many from decisions d join bet_slots s on s.account = d.account and s.decision_id = d.id
    join orders o on o.account = s.account and o.id = s.order_id and d.order_id = o.id where d.verdict = 'bet'`;
  expect(await fixture.rows(bets)).toEqual([{ many: all }]);
  const ledger = await openSqlLedger(fixture.database.url);
  expect(await found(ledger)).toEqual([]);
  await ledger.close();
  await fixture.close();
});
