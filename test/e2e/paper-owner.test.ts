import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startProxy } from '../adapters/sql/postgres-proxy.js';
import { ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { testProgram } from '../support/processes.js';
import { bookOf, buy, ordersOf, owns, PaperFixture, type PaperServer, rest, takes, until } from './paper-servers.js';
import { idOf } from './trading.js';

/** Past the lease by the clock of the database, and so past the time that its owner trusts it. */
const PAST_LEASE_MS = 11_000;
/** A server that acts on its lease for as long as the database lets it. */
const TRUSTING = { SERVER_PROGRAM: testProgram('trusting-owner') };
const ELSEWHERE = { type: '/problems/paper-elsewhere', status: 503 };

/** One order rests, and filled once, by the owner of the lease when the venue traded; the books hold. */
async function filledOnce(fixture: PaperFixture, server: PaperServer): Promise<void> {
  await until(async () => (await ordersOf(server))[0]?.status === 'filled');
  const [order] = await ordersOf(server);
  expect(order?.filled_shares).toBe('10');
  const { data } = (await server.client.get(`${ORDERS}/${order?.id}/events`)).json<{ data: { type: string }[] }>();
  expect(data.map(({ type }) => type).filter((type) => type === 'fill')).toHaveLength(1);
  expect(await fixture.audit()).toBe('');
}

describe.concurrent('Two servers with market data on one Postgres', () => {
  test('sell what is on offer once, and both do everything else', async () => {
    const fixture = await PaperFixture.open();
    const [owner, other] = [await fixture.server(), await fixture.server()];
    expect([await owns(owner), await owns(other)]).toEqual([true, false]);

    const refused = await buy(other, 'first');
    expect([refused.status, refused.json(), refused.headers['retry-after']]).toMatchObject([503, ELSEWHERE, '1']);
    expect(await ordersOf(other)).toEqual([]);
    expect((await buy(owner, 'first')).json()).toMatchObject({ status: 'filled', filled_shares: '20' });
    expect((await buy(owner, 'second')).json()).toMatchObject({ status: 'rejected' });
    expect((await buy(other, 'third')).json()).toMatchObject(ELSEWHERE);

    const replayed = await buy(other, 'first');
    expect([replayed.status, replayed.headers['idempotency-replayed']]).toEqual([201, 'true']);
    const resting = idOf(await rest(owner, 'rests'));
    const cancel = (server: PaperServer) => server.client.post(`${ORDERS}/${resting}/cancel`);
    expect((await cancel(other)).json()).toMatchObject(ELSEWHERE);
    expect((await cancel(owner)).json()).toMatchObject({ status: 'cancelled' });
    expect((await cancel(other)).json()).toMatchObject({ status: 'cancelled' });
    expect((await bookOf(other)).json()).toMatchObject({ fresh: true });
    expect((await other.client.post(STRATEGIES, STRATEGY)).status).toBe(201);
    expect(await fixture.audit()).toBe('');
    await fixture.close();
  });

  test("a killed owner's lease and resting orders pass to the other server", async () => {
    const fixture = await PaperFixture.open();
    const [owner, other] = [await fixture.server(), await fixture.server()];
    expect((await buy(owner, 'taken')).json()).toMatchObject({ status: 'filled', filled_shares: '20' });
    await rest(owner, 'rests');
    await owner.kill('SIGKILL');
    await other.says(/this server has the lease/);
    await until(() => takes(other));
    expect((await buy(other, 'after')).json()).toMatchObject({ error: expect.stringContaining('fak_no_match') });
    fixture.sellAtForty('10');
    await until(async () => (await ordersOf(other))[1]?.status === 'filled');
    expect(await fixture.audit()).toBe('');
    await fixture.close();
  });

  test('restarts on SQLite never fill an order again from liquidity already taken', async () => {
    const fixture = await PaperFixture.open();
    const file = freshSqliteFile();
    const first = await fixture.server({ DATABASE_URL: file.url });
    const order = await buy(first, 'rests', { size_usdc: 20, time_in_force: 'GTC' });
    expect(order.json()).toMatchObject({ status: 'partially_filled', filled_shares: '20' });
    await first.kill('SIGKILL');
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const next = await fixture.server({ DATABASE_URL: file.url });
      expect(await ordersOf(next)).toMatchObject([{ status: 'partially_filled', filled_shares: '20' }]);
      await next.kill(signal);
    }
    fixture.offerAtHalf('5');
    const last = await fixture.server({ DATABASE_URL: file.url });
    expect(await ordersOf(last)).toMatchObject([{ filled_shares: '25' }]);
    await last.kill('SIGTERM');
    file.remove();
    await fixture.close();
  });

  test('the owner is stopped: the other has the lease at once', async () => {
    const fixture = await PaperFixture.open();
    const [owner, other] = [await fixture.server(), await fixture.server()];
    await rest(owner, 'rests');
    await owner.kill('SIGTERM');
    const gone = performance.now();
    await until(() => takes(other));
    expect(performance.now() - gone).toBeLessThan(PAST_LEASE_MS - 3000);
    fixture.sellAtForty('10');
    await filledOnce(fixture, other);
    await fixture.close();
  });

  test.for([
    ['by the clock of the database alone', 0, TRUSTING],
    ['by its own stopwatch too', PAST_LEASE_MS, {}],
  ] as const)('the owner is frozen past its lease, %s: it later books nothing', async ([, frozenMs, env]) => {
    const fixture = await PaperFixture.open();
    const [owner, other] = [await fixture.server(env), await fixture.server()];
    await rest(owner, 'rests');
    process.kill(owner.pid, 'SIGSTOP');
    const asked = buy(owner, 'asked while it was frozen');
    const thaws = passed(frozenMs);
    await fixture.passLease();
    await until(() => takes(other));
    fixture.sellAtForty('10');
    await filledOnce(fixture, other);
    await thaws;
    process.kill(owner.pid, 'SIGCONT');
    expect((await asked).json()).toMatchObject(ELSEWHERE);
    await owner.says(/another server has taken over the lease/);
    expect([await owns(owner), await owns(other)]).toEqual([false, true]);
    expect(await ordersOf(owner)).toHaveLength(1);
    await filledOnce(fixture, owner);
    await owner.kill('SIGKILL');
    await other.kill('SIGKILL');
    await fixture.close();
  });

  test('an owner without its database loses its lease to the other server', async () => {
    const fixture = await PaperFixture.open();
    const wire = await startProxy(fixture.database.url);
    const owner = await fixture.server({ DATABASE_URL: wire.url });
    const other = await fixture.server();
    await rest(owner, 'rests');
    wire.sever();
    fixture.sellAtForty('10');
    expect((await buy(owner, 'meanwhile')).status).toBe(503);
    await until(() => takes(other));
    expect(await owns(owner)).toBe(false);
    fixture.sellAtForty('1');
    await filledOnce(fixture, other);
    wire.mend();
    await owner.says(/another server has taken over the lease/);
    expect((await buy(owner, 'meanwhile')).json()).toMatchObject(ELSEWHERE);
    await other.kill('SIGTERM');
    await until(() => takes(owner));
    await filledOnce(fixture, owner);
    await owner.kill('SIGKILL');
    await wire.close();
    await fixture.close();
  });
});
