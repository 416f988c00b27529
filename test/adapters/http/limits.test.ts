import { describe, expect, test } from 'vitest';
import { ORDER, ORDERS, startApp } from '../../support/app.js';
import { ScriptedSimulator } from '../../support/scripted-exchange.js';

const LIMITS = '/v1/limits';
const NONE = {
  order_usdc: null,
  market_loss_usdc: null,
  event_loss_usdc: null,
  league_loss_usdc: null,
  sport_loss_usdc: null,
  exposure_usdc: null,
  open_orders: null,
  daily_stake_usdc: null,
  daily_loss_usdc: null,
  drawdown_usdc: null,
  price_band: null,
  orders_per_minute: null,
};
/** 10 USDC for 20 shares. */
const BET = ORDER;

const fixture = () => startApp({ authenticator: 'keys', paper: new ScriptedSimulator() });

describe('The limits of an account', () => {
  test('are unset at first, keep absent fields, and are lifted by null', async () => {
    const me = await (await fixture()).keyed('me', 'orders:read', 'risk:write');
    expect((await me.get(LIMITS)).json()).toEqual({ ...NONE, used: NONE });
    const set = await me.put(LIMITS, { event_loss_usdc: '50.5', open_orders: 3, price_band: 0.05 });
    expect([set.status, set.json()]).toMatchObject([
      200,
      {
        ...NONE,
        event_loss_usdc: '50.5',
        open_orders: 3,
        price_band: '0.05',
        used: { exposure_usdc: '0', open_orders: 0 },
      },
    ]);
    await me.put(LIMITS, { open_orders: null });
    expect((await me.get(LIMITS)).json()).toMatchObject({ event_loss_usdc: '50.5', open_orders: null });
  });

  test('deny an order above one of them, stating both figures', async () => {
    const me = await (await fixture()).keyed('me', 'orders:read', 'orders:paper', 'risk:write');
    await me.put(LIMITS, { event_loss_usdc: 15, order_usdc: 12 });
    expect((await me.post(ORDERS, BET)).json()).toMatchObject({ status: 'open' });
    expect((await me.post(ORDERS, { ...BET, size_usdc: 12.5 })).json()).toMatchObject({
      status: 'denied',
      error:
        'order_too_large: The order is worth more than one order of the account may be (One order, order_usdc): worth=12.5, cap=12.',
    });
    expect((await me.post(ORDERS, BET)).json()).toMatchObject({
      status: 'denied',
      error:
        'event_loss_exceeded: The account could lose more in this event than it may (Worst loss in an event, event_loss_usdc): lost=20, cap=15.',
    });
    const { used } = (await me.get(LIMITS)).json();
    expect(used).toEqual({
      ...NONE,
      market_loss_usdc: '10',
      event_loss_usdc: '10',
      league_loss_usdc: '10',
      sport_loss_usdc: '10',
      exposure_usdc: '10',
      open_orders: 1,
      daily_stake_usdc: '10',
      orders_per_minute: 0,
    });
    expect((await me.get(`${LIMITS}?paper=false`)).json()).toMatchObject({ used: { exposure_usdc: '0' } });
  });

  test('are tightened by whoever may cancel, and loosened only with risk:write', async () => {
    const app = await fixture();
    const [owner, guard] = [await app.keyed('me', 'risk:write'), await app.keyed('me', 'orders:cancel')];
    await owner.put(LIMITS, { exposure_usdc: 100 });
    expect((await guard.put(LIMITS, { exposure_usdc: 50, open_orders: 2 })).status).toBe(200);
    for (const looser of [{ exposure_usdc: 50.01 }, { exposure_usdc: null }, { open_orders: 3 }]) {
      const reply = await guard.put(LIMITS, looser);
      expect([reply.status, reply.json()['type']]).toEqual([403, '/problems/insufficient-scope']);
    }
    expect((await owner.put(LIMITS, { exposure_usdc: null })).json()).toMatchObject({
      exposure_usdc: null,
      open_orders: 2,
    });
    expect((await (await app.keyed('me', 'orders:paper')).put(LIMITS, {})).status).toBe(403);
  });

  test.each([
    [{ open_orders: 1.5 }, '/open_orders'],
    [{ open_orders: '3' }, '/open_orders'],
    [{ price_band: 1 }, '/price_band'],
    [{ event_loss_usdc: -1 }, '/event_loss_usdc'],
    [{ event_los_usdc: 5 }, '/event_los_usdc'],
    [{ daily_loss_usdc: -5 }, '/daily_loss_usdc'],
    [{ drawdown_usdc: '5.0000001' }, '/drawdown_usdc'],
  ])('%o is refused, and changes nothing', async (body, pointer) => {
    const me = await (await fixture()).keyed('me', 'orders:read', 'risk:write');
    const reply = await me.put(LIMITS, body);
    expect([reply.status, reply.json()['errors']]).toMatchObject([422, [{ pointer }]]);
    expect((await me.get(LIMITS)).json()).toEqual({ ...NONE, used: NONE });
  });

  test('are in the log of the account, each time that they change', async () => {
    const me = await (await fixture()).keyed('me', 'orders:read', 'risk:write');
    for (const cap of [20, 20, 10]) await me.put(LIMITS, { exposure_usdc: cap });
    const events = (await me.get('/v1/events')).json()['data'] as {
      type: string;
      data: { account?: { limits?: object } };
    }[];
    const changed = events.filter(({ type }) => type === 'account.limits_changed');
    expect(changed.map(({ data }) => data.account?.limits)).toMatchObject([
      { exposure_usdc: '20', open_orders: null },
      { exposure_usdc: '10' },
    ]);
  });
});
