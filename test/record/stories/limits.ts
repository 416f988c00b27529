import { type Fixture, ORDERS } from './fixture.js';

/** Limits, halts and what they refuse. */
export async function limits({ transcript, api }: Fixture): Promise<void> {
  const plain = { market_id: 'reds-field', token: 'YES', price: 0.45, size_usdc: 45 };
  transcript.step('Limits are set, read, and hold');
  await api.get('/v1/limits');
  let before: Readonly<Record<string, null>> = {};
  for (const limit of [
    { order_usdc: 10 },
    { market_loss_usdc: 20 },
    { event_loss_usdc: 20 },
    { league_loss_usdc: 20 },
    { sport_loss_usdc: 20 },
    { exposure_usdc: 20 },
    { open_orders: 0 },
    { open_orders: 1 },
    { daily_stake_usdc: 20 },
    { orders_per_minute: 1 },
    { price_band: 0.001 },
    { daily_loss_usdc: 1 },
    { drawdown_usdc: 1 },
  ]) {
    await api.put('/v1/limits', { ...before, ...limit });
    before = Object.fromEntries(Object.keys(limit).map((name) => [name, null]));
    await api.post(ORDERS, plain);
    await api.get('/v1/limits');
    await api.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'looked at' });
  }
  for (const wrong of [{ order_usdc: -1 }, { open_orders: 1.5 }, { orders_per_minute: 'x' }, { more: 1 }, []])
    await api.put('/v1/limits', wrong);
  await api.put('/v1/limits', { ...before });

  transcript.step('Trading is halted, reduced and goes on');
  await api.get('/v1/trading/state');
  await api.post(ORDERS, { ...plain, price: 0.4 });
  for (const change of [
    { scope: 'account', state: 'reducing', reason: 'careful' },
    { scope: 'account', state: 'halted', reason: 'a doubt', cancel_orders: true },
    { scope: 'account', state: 'active', reason: 'all is well' },
    { scope: 'sport:soccer', state: 'halted', reason: 'rain' },
    { scope: 'sport:soccer', state: 'active', reason: 'sun' },
    { scope: 'league:epl', state: 'halted', reason: 'x' },
    { scope: 'account', state: 'stopped', reason: 'x' },
    { scope: 'account', state: 'halted' },
  ]) {
    await api.post('/v1/trading/state', change);
    await api.post(ORDERS, { ...plain, size_usdc: 9 });
    await api.post(ORDERS, { ...plain, side: 'SELL', price: 0.44, size_usdc: 4.4 });
    await api.get('/v1/trading/state');
  }
  await api.get('/v1/trading/history');
  await api.get('/v1/trading/history?limit=2');
}
