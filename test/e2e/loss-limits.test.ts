import { expect, test } from 'vitest';
import { ORDERS } from '../support/app.js';
import { listedMarket } from '../support/live-deployment.js';
import { bookOf, buy, PaperFixture, type PaperServer, takes, until } from './paper-servers.js';
import { idOf } from './trading.js';

const GAME = listedMarket('rain');
const [YES] = GAME.tokens;
const STATE = '/v1/trading/state';
const BET = { market_id: GAME.conditionId, token: 'YES', side: 'BUY', time_in_force: 'GTC', paper: true };

const haltOf = async ({ client }: PaperServer) =>
  (await client.get(STATE)).json<{ effective: string; data: { reason: string; by: string }[] }>();
const statusOf = async ({ client }: PaperServer, id: string) => (await client.get(`${ORDERS}/${id}`)).json()['status'];

test('a loss halts the account and cancels resting orders, surviving kill -9', async () => {
  const fixture = await PaperFixture.open();
  fixture.venue.offer(YES, 'BUY', '0.49', '20');
  fixture.venue.offer(YES, 'BUY', '0.1', '500');
  const first = await fixture.server();
  const limits = { daily_loss_usdc: 5, drawdown_usdc: 100 };
  expect((await first.client.put('/v1/limits', limits)).json()).toMatchObject({
    used: { daily_loss_usdc: '0', drawdown_usdc: '0' },
  });
  expect((await buy(first, 'held')).json()).toMatchObject({ status: 'filled', filled_shares: '20' });
  const resting = idOf(await first.client.post(ORDERS, { ...BET, price: 0.05, size_usdc: 5 }));
  expect(await statusOf(first, resting)).toBe('open');

  // The best bid is gone: what cost 10 could be sold for 2.
  fixture.venue.offer(YES, 'SELL', '0.49', '20');
  await until(async () => (await haltOf(first)).effective === 'halted');
  expect((await first.client.post(ORDERS, { ...BET, price: 0.2, size_usdc: 1 })).json()).toMatchObject({
    status: 'denied',
    error: expect.stringMatching(/^trading_halted: .*lost=8, cap=5/),
  });
  await first.kill('SIGKILL');

  const second = await fixture.server();
  const { data } = await haltOf(second);
  expect(data).toMatchObject([
    {
      scope: 'account',
      state: 'halted',
      stops: 'all',
      by: 'service',
      until: null,
      reason: 'The account has lost today what it may lose in a day (Daily loss, daily_loss_usdc): lost=8, cap=5',
    },
  ]);
  // The lease of the server that was killed runs out first.
  await until(() => takes(second));
  await until(async () => (await statusOf(second, resting)) === 'cancelled');
  expect((await second.client.post(ORDERS, { ...BET, price: 0.2, size_usdc: 1 })).json()).toMatchObject({
    status: 'denied',
  });
  expect((await second.client.get('/v1/trading/history')).json()['data']).toMatchObject(data);
  expect((await bookOf(second)).status).toBe(200);

  // A person ends the halt and allows more: it trades again, and what was lost is still known.
  await second.client.put('/v1/limits', { daily_loss_usdc: 20 });
  await second.client.post(STATE, { scope: 'account', state: 'active', reason: 'Seen' });
  expect((await second.client.get('/v1/limits')).json()).toMatchObject({
    used: { daily_loss_usdc: '8', drawdown_usdc: '8' },
  });
  expect((await second.client.post(ORDERS, { ...BET, price: 0.2, size_usdc: 1 })).json()).toMatchObject({
    status: 'open',
  });
  expect(await fixture.audit()).toBe('');
  // What losses are measured from is proved by the log: here it is altered behind its back.
  for (const member of ['start', 'peak']) {
    const altered = (from: string, to: string) =>
      fixture.rows(`update accounts set losses = replace(losses, '"${member}":"${from}', '"${member}":"${to}')`);
    await altered('', '900000000');
    expect(await fixture.audit()).toMatch(/the (gain at the start of the day|peak of the gain): on record 9000/i);
    await altered('900000000', '');
  }
  await fixture.close();
});
