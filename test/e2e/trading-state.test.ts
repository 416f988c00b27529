import { describe, expect, test } from 'vitest';
import { ORDER, ORDERS } from '../support/app.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';

const STATE = '/v1/trading/state';
const HALT = { scope: 'service', state: 'halted', reason: 'Odd prices' };

async function start(url: string): Promise<{ client: Client; kill: () => Promise<unknown> }> {
  const server = await startServer({ env: { DATABASE_URL: url, LOG_LEVEL: 'warn' } });
  return { client: new Client(server.url), kill: () => server.kill('SIGKILL') };
}

const statusOf = async (client: Client) => (await client.post(ORDERS, ORDER)).json()['status'];

describe.each([
  ['SQLite', async () => freshSqliteFile().url],
  ['Postgres', async () => (await freshPostgres()).url],
])('a state of trading on %s', (_, fresh) => {
  test('is there after the server was killed, with its reason', async () => {
    const url = await fresh();
    const first = await start(url);
    const { data } = { data: [(await first.client.post(STATE, HALT)).json()] };
    await first.kill();
    const { client } = await start(url);
    const { cancellation: __, ...state } = data[0] ?? {};
    expect((await client.get(STATE)).json()).toEqual({ live_enabled: false, effective: 'halted', data: [state] });
    expect((await client.post(ORDERS, ORDER)).json()['error']).toContain('Odd prices');
    await client.post(STATE, { ...HALT, state: 'active', reason: 'They are right' });
    expect(await statusOf(client)).toBe('filled');
    expect((await client.get('/v1/trading/history?of=service')).json()['data']).toMatchObject([
      { state: 'active', reason: 'They are right' },
      { state: 'halted', reason: 'Odd prices' },
    ]);
  });
});

test("a trading state set on one server stops another's next order", async () => {
  const { url } = await freshPostgres();
  const [one, other] = [(await start(url)).client, (await start(url)).client];
  const [owner, elsewhere] = (await statusOf(one)) === 'filled' ? [one, other] : [other, one];
  for (const scope of ['service', 'account']) {
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await elsewhere.post(STATE, { ...HALT, scope })).status).toBe(200);
      expect(await statusOf(owner)).toBe('denied');
      expect((await elsewhere.post(STATE, { ...HALT, scope, state: 'active' })).status).toBe(200);
      expect(await statusOf(owner)).toBe('filled');
    }
  }
});
