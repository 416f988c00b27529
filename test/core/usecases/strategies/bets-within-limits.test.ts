import { describe, expect, it } from 'vitest';
import type { LimitName, LimitsChange } from '../../../../src/core/limits/limits.js';
import { found } from '../../../support/audited.js';
import { ALICE, price, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { strategyFixture } from '../../../support/strategy-fixture.js';
import { asking } from '../approvals/fixture.js';

const BOTH_SIDES = ['0.48x1000', '0.50x1000'] as const;

/** A strategy that bets 10 dollars at odds of 1.9 as soon as the book is shown, in an account with these limits. */
async function limited(limits: LimitsChange) {
  const fixture = await strategyFixture();
  const { use, ledger, game, show, orders, strategy } = fixture;
  await use.limits.change.execute({ account: ALICE, change: limits, mayLoosen: true });
  const evaluated = async () => {
    const { id: marketId, venue } = game.market;
    const market = { venue, marketId };
    const [decision] = await use.strategies.evaluate.execute({
      account: ALICE,
      strategyId: strategy.id,
      market,
      limit: 1,
    });
    return decision;
  };
  const bet = async () => {
    await show(...BOTH_SIDES);
    const [order] = (await orders()).filter(({ intent }) => intent.strategy !== null);
    const [decision] = (await use.strategies.decisions.many(ALICE, strategy.id, {}, { limit: 1 })).items;
    return { order, decision };
  };
  const used = async (name: LimitName) => (await use.limits.read.execute(ALICE, true)).used[name];
  return { ...fixture, bet, evaluated, used, audit: () => found(ledger) };
}

const LOSSES = ['marketLossUsdc', 'eventLossUsdc', 'leagueLossUsdc', 'sportLossUsdc', 'exposureUsdc'] as const;
const SHOWN = {
  marketLossUsdc: 'market_loss_usdc',
  eventLossUsdc: 'event_loss_usdc',
  leagueLossUsdc: 'league_loss_usdc',
  sportLossUsdc: 'sport_loss_usdc',
  exposureUsdc: 'exposure_usdc',
  dailyStakeUsdc: 'daily_stake_usdc',
};

describe('A bet of a strategy in an account with limits', () => {
  it.each([...LOSSES, 'dailyStakeUsdc'] as const)('is as large as %s leaves, and says so', async (name) => {
    const { place, bet, used, audit } = await limited({ [name]: usdc('16') });
    await place({ size: usdc('10') });
    const { order, decision } = await bet();
    expect(order?.refusal).toBeNull();
    expect(decision).toMatchObject({ verdict: 'bet', boundBy: SHOWN[name], orderId: order?.id });
    expect(decision?.inputs[`${SHOWN[name]}_left`]).toBe('6');
    expect(order?.intent.size).toBeGreaterThan(usdc('5.5'));
    expect(await used(name)).toBeLessThanOrEqual(usdc('16'));
    expect(await used(name)).toBeGreaterThan(usdc('15.9'));
    expect(await audit()).toEqual([]);
  });

  it('is sized to the order cap at its limit price, fees excluded', async () => {
    const { bet } = await limited({ orderUsdc: usdc('6') });
    const { order, decision } = await bet();
    expect([order?.refusal, order?.intent.size, decision?.boundBy]).toEqual([null, usdc('6'), 'order_usdc']);
  });

  it('is no bet where nothing is left, and the limit is named', async () => {
    const { place, bet } = await limited({ eventLossUsdc: usdc('10') });
    await place({ size: usdc('10') });
    const { order, decision } = await bet();
    expect(order).toBeUndefined();
    expect(decision).toMatchObject({ verdict: 'skip', code: 'below_minimum', boundBy: 'event_loss_usdc' });
  });

  it('is whole at the limit where it hedges what is held', async () => {
    const { place, bet, used } = await limited({ eventLossUsdc: usdc('10'), exposureUsdc: usdc('10') });
    await place({ outcome: 'NO', price: price('0.52'), size: usdc('10') });
    expect(await used('exposureUsdc')).toBeGreaterThan(usdc('9.9'));
    const before = await used('eventLossUsdc');
    const { order, decision } = await bet();
    expect([order?.refusal, decision?.boundBy]).toEqual([null, 'method']);
    expect(await used('eventLossUsdc')).toBeLessThan(before as bigint);
  });

  it.each([
    ['exposure_usdc', { exposureUsdc: usdc('6') }],
    ['method', { exposureUsdc: usdc('600') }],
    ['method', {}],
  ])('equals the dry run’s, bound by %s', async (boundBy, change) => {
    const { bet, evaluated, game } = await limited(change);
    const [bids, asks] = BOTH_SIDES;
    game.shown = { bids: levels(bids), asks: levels(asks) };
    const dry = await evaluated();
    const { decision } = await bet();
    expect([dry?.verdict, dry?.boundBy, dry?.size]).toEqual(['bet', boundBy, decision?.size]);
    expect(decision?.boundBy).toBe(boundBy);
  });

  it('that waits for approval is asked for, and made, within them', async () => {
    const { show, approvals, approve, use, orders } = await asking();
    const limit = (change: LimitsChange) => use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
    await limit({ leagueLossUsdc: usdc('8') });
    await show('0.50x1000');
    const [waiting] = await approvals();
    expect(waiting?.decision).toMatchObject({ verdict: 'bet', boundBy: 'league_loss_usdc' });
    await limit({ leagueLossUsdc: usdc('5') });
    const approved = await approve(waiting);
    expect(approved).toMatchObject({ state: 'approved', decision: { boundBy: 'league_loss_usdc' } });
    const [order] = await orders();
    expect(order?.refusal).toBeNull();
    expect((await use.limits.read.execute(ALICE, true)).used.leagueLossUsdc).toBeLessThanOrEqual(usdc('5'));
  });
});
