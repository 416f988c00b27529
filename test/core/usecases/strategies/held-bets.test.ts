import { describe, expect, it } from 'vitest';
import type { MarketId } from '../../../../src/core/ids.js';
import { reasonOf } from '../../../../src/core/refusals/decision-reason.js';
import type { BetDecision } from '../../../../src/core/strategy/decide/decide.js';
import type { TradingMode } from '../../../../src/core/trading/state.js';
import { marketsAt } from '../../../../src/core/venues/venues.js';
import { ALICE, price, shares, usdc } from '../../../support/builders.js';
import { QuotedMarkets } from '../../../support/quoted-markets.js';
import { levels } from '../../../support/scripted-market.js';
import { type FixtureChanges, HOME, strategyFixture } from '../../../support/strategy-fixture.js';
import { Trading } from '../../../support/trading.js';

const DAY = 86_400_000;

async function fixtureOf(how: FixtureChanges = {}) {
  const fixture = await strategyFixture(how);
  const { orders, use, codes } = fixture;
  return {
    ...fixture,
    bets: async () =>
      (await orders())
        .filter(({ intent }) => intent.decisionId !== undefined)
        .map(({ refusal }) => refusal?.code ?? null),
    /** How often the strategy skipped for this reason. */
    skipped: async (reason: string) => (await codes()).filter((code) => code === reason).length,
    set: (state: TradingMode) => {
      const change = { scope: 'account', state, stops: 'all', reason: 'enough', until: null, by: ALICE } as const;
      const may = new Set(['orders:cancel', 'risk:write'] as const);
      return use.trading.set.execute({ account: ALICE, change, cancel: false, may, idempotencyKey: null });
    },
  };
}

/** An account that has placed as many orders within a minute as it may. */
async function exhausted() {
  const fixture = await fixtureOf();
  await fixture.use.limits.change.execute({ account: ALICE, change: { ordersPerMinute: 1 }, mayLoosen: true });
  await fixture.place({ size: usdc('10') });
  return fixture;
}

const OTHER = 'another' as MarketId;

/** The account, and a strategy of it, hold shares of a market whose source of prices the test silences. */
async function holding(of: 'account' | 'strategy') {
  const others = new QuotedMarkets();
  const fixture = await fixtureOf({ quotes: marketsAt(others) });
  const other = new Trading(fixture.ledger, { context: fixture.ports, markets: others });
  if (of === 'account')
    await fixture.use.limits.change.execute({ account: ALICE, change: { dailyLossUsdc: usdc('30') }, mayLoosen: true });
  await other.place({ marketId: OTHER, size: usdc('5'), strategyId: of === 'account' ? null : fixture.strategy.id });
  await fixture.time.pass(3000);
  return { ...fixture, others };
}

describe('A bet that was refused', () => {
  it('is retried once its price left the odds range and came back', async () => {
    const { game, skipped } = await exhausted();
    await game.show('0.48x1000', '0.50x1000');
    await game.show('0.48x1000', '0.50x1001');
    expect(await skipped('benched')).toBe(1);
    for (const asks of ['0.56x1000', '0.50x1000']) await game.show('0.48x1000', asks);
    expect([await skipped('benched'), await skipped('order_rate_exceeded')]).toEqual([1, 2]);
  });

  it('is not asked again for a gap in the data', async () => {
    const { game, skipped } = await exhausted();
    await game.show('0.48x1000', '0.50x1000');
    await game.tell({ type: 'gap', reason: 'the connection is lost' });
    await game.show('0.48x1000', '0.50x1000');
    expect([await skipped('benched'), await skipped('order_rate_exceeded')]).toEqual([1, 1]);
  });

  it('is a skip, not another order, while the same limit denies it', async () => {
    const { game, bets, skipped } = await exhausted();
    for (const asks of ['0.50x1000', '0.49x1000', '0.48x1000']) await game.show('0.46x1000', asks);
    expect(await bets()).toEqual(['order_rate_exceeded']);
    expect(await skipped('order_rate_exceeded')).toBeGreaterThan(1);
  });

  it('is retried a minute after the order rate limit without market changes', async () => {
    const { game, bets, time } = await exhausted();
    await game.show('0.48x1000', '0.50x1000');
    await time.pass(60_999);
    expect(await bets()).toEqual(['order_rate_exceeded']);
    await time.pass(1);
    expect(await bets()).toEqual([null, 'order_rate_exceeded']);
  });

  it.each(['halted', 'reducing'] as const)('while trading is %s is retried only when that ends', async (state) => {
    const { game, bets, runner, set, skipped } = await fixtureOf();
    await set(state);
    for (const asks of ['0.50x1000', '0.49x1000', '0.56x1000', '0.50x1000']) await game.show('0.48x1000', asks);
    await runner.endHolds();
    expect([await bets(), await skipped('benched')]).toEqual([[`trading_${state}`], 2]);
    await set('active');
    await runner.endHolds(false);
    expect(await bets()).toHaveLength(1);
    await runner.endHolds();
    expect(await bets()).toEqual([null, `trading_${state}`]);
  });

  it.each(['account', 'strategy'] as const)(
    'because a holding of the %s is unpriced is retried once priced',
    async (holder) => {
      const { game, bets, runner, skipped, others, time } = await holding(holder);
      others.silent.add(OTHER);
      for (const asks of ['0.50x1000', '0.49x1000']) await game.show('0.48x1000', asks);
      await time.pass(3000);
      await runner.endHolds();
      expect([await bets(), await skipped('benched')]).toEqual([['market_data_stale'], 1]);
      others.silent.delete(OTHER);
      await time.pass(3000);
      await runner.endHolds(false);
      expect(await bets()).toEqual([null, 'market_data_stale']);
    },
  );

  it('because its book gives no price band is retried on book changes', async () => {
    const { game, bets, runner, use, skipped, time } = await fixtureOf();
    await use.limits.change.execute({ account: ALICE, change: { priceBand: price('0.05') }, mayLoosen: true });
    await game.show('0.48x1000', '0.50x1000');
    await time.pass(3000);
    for (let second = 0; second < 3; second += 1) await runner.endHolds();
    expect([await bets(), await skipped('market_data_stale')]).toEqual([['market_data_stale'], 1]);
    game.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
    await game.show('0.48x1000', '0.50x1001');
    expect(await bets()).toEqual([null, 'market_data_stale']);
  });

  it('because of a gap in its data is placed after the gap', async () => {
    const { game, bets } = await fixtureOf();
    await game.tell({ type: 'gap', reason: 'the connection is lost' });
    await game.tell({ type: 'levels', changes: [{ side: 'asks', price: price('0.50'), shares: shares('1000') }] });
    expect(await bets()).toEqual([]);
    await game.show('0.48x1000', '0.50x1000');
    expect(await bets()).toEqual([null]);
  });

  it('because of the open bets limit is retried once a bet closes', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxOpen: 1 } };
    const { game, bets, runner, place, strategy, skipped } = await fixtureOf({ strategy: { rules } });
    const ofStrategy = { strategyId: strategy.id, outcome: 'NO' } as const;
    await place({ ...ofStrategy, size: usdc('5') });
    await game.show('0.48x1000', '0.50x1000');
    await game.show('0.47x1000', '0.49x1000');
    await runner.endHolds();
    expect([await bets(), await skipped('max_open_exceeded')]).toEqual([[], 1]);
    await place({ ...ofStrategy, side: 'SELL', size: usdc('5') });
    await runner.endHolds();
    expect(await bets()).toEqual([null]);
  });

  it('because its account holds the other outcome is retried once that is sold', async () => {
    const { game, bets, runner, place, strategy, skipped, use } = await fixtureOf({ terms: { netsOutcomes: true } });
    await place({ outcome: 'NO', size: usdc('5') });
    await game.show('0.48x1000', '0.50x1000');
    await game.show('0.47x1000', '0.49x1000');
    await runner.endHolds();
    expect([await bets(), await skipped('other_outcome_held')]).toEqual([[], 1]);
    game.shown = { bids: levels('0.47x1000'), asks: levels('0.49x1000') };
    const { venue, id: marketId } = game.market;
    const asked = { account: ALICE, strategyId: strategy.id, market: { venue, marketId }, limit: 1 };
    const [dry] = await use.strategies.evaluate.execute(asked);
    expect(dry).toMatchObject({ verdict: 'skip', code: 'other_outcome_held' });
    expect(reasonOf(dry as BetDecision)).toMatch(/^The account holds 10 shares of the other outcome/);
    await place({ outcome: 'NO', side: 'SELL', size: usdc('5') });
    await runner.endHolds();
    expect(await bets()).toEqual([null]);
  });

  it('because of the bets in its market is retried at another price', async () => {
    const limits = { eventLoss: null, maxBetsPerMarket: 1, maxBetsPerOutcome: 2, cooldownMs: null };
    const { game, bets, skipped } = await fixtureOf({ strategy: { rules: { ...HOME, limits } } });
    for (const asks of ['0.50x1000', '0.56x1000', '0.50x1000', '0.50x1001']) await game.show('0.48x1000', asks);
    expect([await bets(), await skipped('max_bets_exceeded'), await skipped('benched')]).toEqual([[null], 1, 1]);
    await game.show('0.47x1000', '0.49x1000');
    expect([await bets(), await skipped('max_bets_exceeded')]).toEqual([[null], 2]);
  });

  it('because of the daily bet limit is retried the next day', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerDay: 1, maxBetsPerOutcome: 2, cooldownMs: null } };
    const market = { startsAt: new Date('2026-03-09T14:00:00.000Z') };
    const { game, bets, runner, time, skipped } = await fixtureOf({ strategy: { rules }, market });
    for (const asks of ['0.50x1000', '0.56x1000', '0.50x1000', '0.49x1000']) await game.show('0.48x1000', asks);
    await time.pass(DAY / 2 - 1);
    await runner.endHolds(false);
    expect([await bets(), await skipped('max_bets_exceeded')]).toEqual([[null], 1]);
    await time.pass(1);
    await runner.endHolds(false);
    expect(await bets()).toEqual([null, null]);
  });
});
