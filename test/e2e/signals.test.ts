import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SIGNALS } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';

/** Noon of the day of the tape: the time of its markets, which is long before the machine's. */
const TAPE_DAY = '2026-03-01';
const EXPIRES = `${TAPE_DAY}T14:00:00.000Z`;
const BUCKS = '0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2';
const KEYS = Array.from({ length: 50 }, (_, n) => `model-${n}`);

test('a signal survives kill -9 until it is removed for good', async () => {
  const tape = `tape:${join(ROOT, 'examples/two-markets.jsonl')}`;
  const env = { DATABASE_URL: freshSqliteFile().url, MARKET_DATA: tape, LOG_LEVEL: 'error' };
  const first = await startServer({ env });
  const client = new Client(first.url).as({ 'x-dev-user': 'alice' });
  const says = (share: number, market = 'bucks-thunder') => ({
    market_id: market,
    probabilities: { thunder: share },
    expires_at: EXPIRES,
  });
  const { market_id: _, ...said } = says(0.4);
  const put = await client.put(`${SIGNALS}/elo/bucks-thunder`, said);
  expect([put.status, put.json()]).toMatchObject([
    200,
    { market_id: BUCKS, probabilities: { Bucks: '0.6', Thunder: '0.4' }, source: null },
  ]);
  expect(put.json<{ updated_at: string }>().updated_at.slice(0, 10)).toBe(TAPE_DAY);

  // By the time of the machine this is the future; by that of the markets it is too far ahead.
  const ahead = await client.put(`${SIGNALS}/elo/${BUCKS}`, { ...said, expires_at: new Date().toISOString() });
  expect([ahead.status, ahead.text]).toEqual([422, expect.stringContaining(`markets, which is ${TAPE_DAY}`)]);

  // Fifty models at once, each twice: the second word counts.
  for (const share of [0.3, 0.5]) {
    const replies = await Promise.all(
      KEYS.map((name) =>
        client.put(`${SIGNALS}/${name}`, {
          signals: [says(share), { ...says(share, 'home-away'), probabilities: { Home: share } }],
        }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  }
  const listed = async (at: Client) => {
    const pages = await Promise.all(KEYS.map((name) => at.get(`${SIGNALS}?name=${name}`)));
    return pages.map(({ text }) => text);
  };
  const before = await listed(client);
  expect(before.every((text) => (text.match(/"0\.5"/g) ?? []).length === 4)).toBe(true);
  await first.kill('SIGKILL');

  const second = await startServer({ env });
  const again = new Client(second.url).as({ 'x-dev-user': 'alice' });
  expect((await again.get(`${SIGNALS}/elo/${BUCKS}`)).text).toBe(put.text);
  expect(await listed(again)).toEqual(before);
  expect((await again.delete(`${SIGNALS}/elo/bucks-thunder`)).text).toBe(put.text);
  await second.kill('SIGKILL');

  const third = new Client((await startServer({ env })).url).as({ 'x-dev-user': 'alice' });
  expect((await third.get(`${SIGNALS}/elo/${BUCKS}`)).status).toBe(404);
  expect(await listed(third)).toEqual(before);
});
