import { describe, expect, test } from 'vitest';
import { STRATEGIES } from '../support/app.js';
import { STRATEGY } from './paper-games.js';
import { aGame, buy, PaperFixture, type PaperServer, takes, until } from './paper-servers.js';

const GAMES = [0, 1, 2].map((n) => aGame(`game-${n}`));

/** What the server says of itself when it is ready. */
const said = async ({ client }: PaperServer) => (await client.get('/readyz')).json<Record<string, string>>();
/** The servers that it lists: whether each is the one that answers, may run strategies, and does what only one may do. */
async function servers({ client }: PaperServer): Promise<readonly (readonly unknown[])[]> {
  const { data } = (await client.get('/v1/admin/servers')).json<{ data: Record<string, unknown>[] }>();
  return data.map((one) => [one['is_answering'], one['runs_strategies'], one['holds']]).sort();
}
const create = async ({ client }: PaperServer) => expect((await client.post(STRATEGIES, STRATEGY)).status).toBe(201);
const bets = async (fixture: PaperFixture) => (await fixture.rows('select n from bet_slots')).length;

/** Cheap enough for the strategy. */
const offer = (fixture: PaperFixture, game: number) =>
  fixture.venue.offer(GAMES[game]?.tokens[0] ?? '', 'SELL', '0.5', '100');

describe.concurrent('Of several servers on one Postgres', () => {
  test('one without strategies hands paper orders to one with them, and back', async () => {
    const fixture = await PaperFixture.open(GAMES);
    const idle = await fixture.server({ AUTOMATION: 'off' });
    await until(() => takes(idle));
    await create(idle);
    offer(fixture, 0);
    const running = await fixture.server();
    await until(() => takes(running));
    expect([await said(idle), await said(running)]).toMatchObject([
      { paper: 'elsewhere', automation: 'off' },
      { paper: 'here', automation: 'here' },
    ]);
    expect(await servers(idle)).toEqual([
      [false, true, ['paper']],
      [true, false, []],
    ]);
    expect(await servers(running)).toEqual([
      [false, false, []],
      [true, true, ['paper']],
    ]);
    await until(async () => (await bets(fixture)) === 1);
    await running.kill('SIGKILL');
    await until(() => takes(idle));
    // What a killed server told of itself ends with its lease, or a moment later.
    await until(async () => (await servers(idle)).length === 1);
    expect(await servers(idle)).toEqual([[true, false, ['paper']]]);
    expect((await buy(idle, 'after')).json()).toMatchObject({ status: 'filled' });
    expect(await fixture.audit()).toBe('');
    await idle.kill('SIGKILL');
    await fixture.close();
  });

  test('an older one stops deciding while a newer version or schema exists', async () => {
    const fixture = await PaperFixture.open(GAMES);
    const server = await fixture.server();
    await create(server);
    offer(fixture, 0);
    await until(async () => (await bets(fixture)) === 1);

    await fixture.rows(
      `insert into leases (name, owner, fence, expires_at) values ('program newer', 'strategies 999.0.0', 1, 9e15)`,
    );
    await until(async () => (await said(server))['automation'] === 'outdated');
    expect((await said(server))['paper']).toBe('elsewhere');
    await server.says(/version 999.0.0 of stakeport works on the same database: this server decides nothing/);
    offer(fixture, 1);
    await fixture.rows(`delete from leases where name = 'program newer'`);
    await until(async () => (await said(server))['automation'] === 'here');
    await until(async () => (await bets(fixture)) === 2);

    await fixture.rows(`insert into schema_steps (name) values ('999_future')`);
    await until(async () => (await said(server))['automation'] === 'outdated');
    offer(fixture, 2);
    const order = { market_id: GAMES[2]?.conditionId, token: 'YES', price: 0.5, size_usdc: 5, time_in_force: 'FAK' };
    await until(async () => (await buy(server, `${Math.random()}`, order)).json()['status'] === 'filled');
    expect([await said(server), await bets(fixture)]).toMatchObject([{ paper: 'here', automation: 'outdated' }, 2]);
    // Log lines are written a moment later.
    await until(async () => server.output().split('decides nothing for strategies').length === 3);
    await server.kill('SIGKILL');
    await fixture.close();
  });
});
