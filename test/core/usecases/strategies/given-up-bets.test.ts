import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../../src/core/order/order.js';
import type { OrderRules } from '../../../../src/core/strategy/rules/rules.js';
import { betTerms } from '../../../../src/core/usecases/strategies/bet-orders.js';
import { NOON, price, usdc } from '../../../support/builders.js';
import { aMarket, CONDITION } from '../../../support/scripted-market.js';
import { HOME, passing, strategyFixture } from '../../../support/strategy-fixture.js';

const MINUTE = 60_000;
const AT = new Date(NOON);
const after = (ms: number) => new Date(AT.getTime() + ms);

/** A strategy whose bet rests: what it wanted to buy is gone when its order arrives. */
async function resting(order: OrderRules = {}) {
  const rules = { ...HOME, order: { timeInForce: 'GTC' as const, ...order } };
  const fixture = await strategyFixture({ matches: true, strategy: { rules } });
  const told = fixture.game.show('0.46x1000', '0.50x1000');
  await fixture.time.planned();
  const gone = fixture.game.show('0.46x1000', '0.60x1000');
  await fixture.until(Promise.all([told, gone]));
  const [bet] = await fixture.orders();
  return { ...fixture, bet };
}

describe('A bet that rests', () => {
  it.each([
    ['GTC on paper', { timeInForce: 'GTC' }, true, 'GTC', null],
    ['GTD until it is given up', { timeInForce: 'GTD', giveUpAfterMs: 10 * MINUTE }, true, 'GTD', 10 * MINUTE],
    ['GTD as far ahead as the venue asks for', { timeInForce: 'GTD' }, true, 'GTD', 130_000],
    ['GTC where it is never given up', { timeInForce: 'GTD', giveUpAfterMs: null }, true, 'GTC', null],
    ['no longer than it must with real money', { timeInForce: 'GTC', giveUpAfterMs: null }, false, 'GTD', 130_000],
    ['FOK as it is named', { timeInForce: 'FOK' }, false, 'FOK', null],
  ] as const)('rests %s', (_, order, paper, timeInForce, ms) => {
    const named = { giveUpAfterMs: MINUTE, maxSlippage: null, approveWithinMs: null, ...order };
    const { terms } = aMarket();
    const expiresAt = ms === null ? null : after(ms);
    expect(betTerms(named, { terms, paper, at: AT })).toEqual({ timeInForce, expiresAt, postOnly: false });
  });

  it('is cancelled at its maximum age, and its slot stays used', async () => {
    const { bet, time, orders, until, game } = await resting();
    expect(bet && statusOf(bet)).toBe('open');
    await passing(time, MINUTE - 2000);
    expect((await orders()).map(statusOf)).toEqual(['open']);
    await passing(time, 4000);
    expect((await orders()).map(statusOf)).toEqual(['cancelled']);
    await until(game.show('0.46x1000', '0.50x1000'));
    expect(await orders()).toHaveLength(1);
  });

  it('is cancelled after a restart on time, even with its strategy paused', async () => {
    const { time, orders, until, after: first, runner, serve, change } = await resting();
    first.stop();
    runner.stop();
    await change({ isPaused: true });
    await passing(time, MINUTE + 2000);
    expect((await orders()).map(statusOf)).toEqual(['open']);
    await until(serve().refresh());
    await passing(time, 1000);
    expect((await orders()).map(statusOf)).toEqual(['cancelled']);
  });

  it('rests on where the rules of now let it', async () => {
    const { time, orders, until, refresh, change } = await resting();
    await change({ rules: { ...HOME, order: { timeInForce: 'GTC', giveUpAfterMs: null } } });
    await until(refresh());
    await passing(time, 2 * MINUTE);
    expect((await orders()).map(statusOf)).toEqual(['open']);
  });

  it('that a client placed is left alone', async () => {
    const { time, orders, until, place, strategy, refresh } = await resting();
    await place({ marketId: CONDITION, price: price('0.4'), size: usdc('4'), strategyId: strategy.id });
    await until(refresh());
    await passing(time, 2 * MINUTE);
    expect((await orders()).toReversed().map(statusOf)).toEqual(['cancelled', 'open']);
  });
});
