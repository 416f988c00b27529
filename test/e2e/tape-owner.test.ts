import { expect, test } from 'vitest';
import { described, level, line, tape } from '../adapters/tape/tapes.js';
import { anOpenMarket } from '../core/matching/view.js';
import { MARKETS, ORDERS } from '../support/app.js';
import { ordersOf, owns, PaperFixture, takes, until } from './paper-servers.js';

const market = anOpenMarket();
const offered = (at: string) => ({ type: 'book', bids: [], asks: [level(at, '20')] }) as const;

/** Sold at 0.6 for a hundred seconds, and at 0.5 after that. */
const played = tape(
  line(0, described(market), market),
  line(1, offered('0.6'), market),
  line(100_000, offered('0.5'), market),
  line(400_000, offered('0.6'), market),
);

test('two servers play one tape once, the second continuing the first', async () => {
  const fixture = await PaperFixture.open();
  const env = { MARKET_DATA: `tape:${played}` };
  const owner = await fixture.server({ ...env, TAPE_SPEED: '1' });
  const other = await fixture.server({ ...env, TAPE_SPEED: '50' });
  expect([await owns(owner), await owns(other)]).toEqual([true, false]);
  expect(other.output()).toContain('played by another server until it stops');
  const place = ({ client }: typeof owner, order: object) =>
    client.post(ORDERS, { market_id: market.id, token: 'YES', price: 0.5, size_usdc: 5, ...order });
  expect((await place(other, {})).json()).toMatchObject({ type: '/problems/paper-elsewhere' });
  await until(async () => (await owner.client.get(`${MARKETS}/${market.id}/book`)).json()['fresh'] === true);
  expect((await place(owner, {})).json()).toMatchObject({ status: 'open', error: null });
  const [resting] = await ordersOf(owner);

  process.kill(owner.pid, 'SIGSTOP');
  await fixture.passLease();
  await until(() => takes(other));
  const [, wentOn = ''] = await other.says(/the tape goes on at ([-:.TZ\d]+)/);
  expect(Date.parse(wentOn)).toBeGreaterThanOrEqual(Date.parse(resting?.placed_at ?? ''));
  process.kill(owner.pid, 'SIGCONT');
  await owner.says(/another server has taken over the lease/);
  expect((await owner.client.get('/readyz')).json()).toMatchObject({
    detail: expect.stringContaining('start this one'),
  });
  await until(async () => (await ordersOf(other))[0]?.status === 'filled');
  const { data } = (await other.client.get(`${ORDERS}/${resting?.id}/events`)).json<{ data: { type: string }[] }>();
  expect(data.map(({ type }) => type)).toEqual(['requested', 'accepted', 'fill']);
  expect(await fixture.audit()).toBe('');
  for (const server of [owner, other]) await server.kill('SIGTERM');
  expect([owner, other].map((server) => server.output()).join('')).not.toContain('contradicts the record');
  await fixture.close();
});
