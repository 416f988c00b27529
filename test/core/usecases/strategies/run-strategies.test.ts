import { beforeEach, describe, expect, it } from 'vitest';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { VenueName } from '../../../../src/core/ids.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../../../src/core/usecases/compose-strategies.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import { ALICE, anOrderContext, price, usdc } from '../../../support/builders.js';
import { ManualTimeline, ScriptedMarket } from '../../../support/scripted-market.js';
import { HOME, START, strategyFixture } from '../../../support/strategy-fixture.js';

describe('A strategy that trades by itself', () => {
  let fixture: Awaited<ReturnType<typeof strategyFixture>>;

  beforeEach(async () => {
    fixture = await strategyFixture();
  });

  it('follows the market in its rules and bets at the right odds', async () => {
    const { game, orders, strategy, ledger } = fixture;
    expect(await orders()).toEqual([]);
    await game.show('0.48x1000', '0.50x1000');
    const [order, ...others] = await orders();
    expect(others).toEqual([]);
    expect(order?.intent).toMatchObject({
      outcome: 'YES',
      side: 'BUY',
      size: usdc('10'),
      timeInForce: 'FAK',
      paper: true,
      strategy: { id: strategy.id, version: 1 },
    });
    const [bet] = await ledger.decisions.list(ALICE, strategy.id, { verdict: 'bet' }, { limit: 10 });
    expect(bet).toMatchObject({ verdict: 'bet', slot: 1, orderId: order?.id, outcomeLabel: 'Bucks', odds: 2_000_000n });
  });

  it('bets once on an outcome, however often its odds come back', async () => {
    const { game, orders } = fixture;
    for (const asks of ['0.50x1000', '0.49x1000', '0.56x1000', '0.50x1000']) await game.show('0.48x1000', asks);
    expect(await orders()).toHaveLength(1);
  });

  it('uses no slot twice after a restart, or on another server', async () => {
    const { game, orders, ledger } = fixture;
    await game.show('0.48x1000', '0.50x1000');
    const clock = new ManualTimeline();
    const again = new ScriptedMarket(game.market, clock, '0.48x1000', '0.50x1000');
    const ports = {
      ...anOrderContext({ clock }),
      ledger,
      timeline: clock,
      venues: new Venues(new PaperExchange(), [venueFrom(again, null)]),
    };
    const other = runnerUseCase(ports, useCases(ports).strategies.skips);
    await other.refreshStrategies();
    await other.refreshMarkets();
    await again.show('0.47x1000', '0.49x1000');
    expect(other.size).toEqual({ strategies: 1, markets: 1 });
    expect(await orders()).toHaveLength(1);
  });

  it.each([
    ['no venue', undefined, ['here']],
    ['another venue', 'there', ['there']],
    ['two venues', ['there', 'here'], ['here', 'there']],
    ['any venue', 'any', ['here', 'there']],
  ] as const)(
    'whose rules name %s bets there, and at the default one alone where they name none',
    async (_, venue, bets) => {
      const match = { ...HOME.match, ...(venue !== undefined && { venue }) };
      const { game, orders, ledger } = await strategyFixture({ strategy: { rules: { ...HOME, match } } });
      const clock = new ManualTimeline();
      const at = (name: string) => {
        const market = { ...game.market, venue: name as VenueName };
        return Object.assign(new ScriptedMarket(market, clock, '0.48x1000', '0.50x1000'), { venue: market.venue });
      };
      const [here, there] = [at('here'), at('there')];
      const venues = new Venues(new PaperExchange(), [venueFrom(here, null), venueFrom(there, null)]);
      const ports = { ...anOrderContext({ clock }), ledger, timeline: clock, venues };
      const runner = runnerUseCase(ports, useCases(ports).strategies.skips);
      await runner.refreshStrategies();
      await runner.refreshMarkets();
      for (const market of [here, there]) await market.show('0.47x1000', '0.49x1000');
      expect((await orders()).map(({ intent }) => intent.venue).sort()).toEqual(bets);
      expect(runner.size).toEqual({ strategies: 1, markets: bets.length });
    },
  );

  it('bets again only after its cooldown and a false condition in between', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerOutcome: 3, cooldownMs: 60_000 } };
    const { game, orders, time } = await strategyFixture({ strategy: { rules } });
    const ends = async (asks: string) => {
      await game.show('0.48x1000', asks);
      return (await orders()).length;
    };
    expect(await ends('0.50x1000')).toBe(1);
    expect(await ends('0.49x1000')).toBe(1);
    expect(await ends('0.56x1000')).toBe(1);
    expect(await ends('0.50x1000')).toBe(1);
    expect(await ends('0.56x1000')).toBe(1);
    await time.pass(60_000);
    expect(await ends('0.56x1000')).toBe(1);
    expect(await ends('0.50x1000')).toBe(2);
  });

  it('follows a new version from the next market change on', async () => {
    const { game, orders, change, refresh, codes } = fixture;
    await change({ isPaused: true });
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toEqual([]);
    await change({ isPaused: false, rules: { ...HOME, filter: { minOdds: 2_500_000n } } });
    await refresh();
    await game.show('0.46x1000', '0.47x1000');
    expect(await orders()).toEqual([]);
    await game.show('0.38x1000', '0.39x1000');
    const [order] = await orders();
    expect(order?.intent.strategy?.version).toBe(3);
    expect(await codes()).toContain('strategy_paused');
  });

  it('does not bet after a gap until the next full book', async () => {
    const { game, orders } = fixture;
    await game.tell({ type: 'gap', reason: 'the connection is lost' });
    await game.tell({
      type: 'levels',
      changes: [{ side: 'asks', price: price('0.5'), shares: usdc('1000') as never }],
    });
    expect(await orders()).toEqual([]);
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(1);
  });

  it('bets before the start alone, unless its rules say otherwise', async () => {
    const { game, orders, time, codes } = fixture;
    await time.pass(Date.parse(START) - time.now().getTime());
    await game.tell({ type: 'market', market: { ...game.market, status: 'in_play' } });
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toEqual([]);
    expect(await codes()).toContain('in_play_not_allowed');
  });

  it('stays within its bankroll and the cash of its account', async () => {
    const { game, orders, codes } = await strategyFixture({
      strategy: {
        bankrollCap: usdc('100'),
        stakeCap: usdc('50'),
        rules: { ...HOME, sizing: { method: 'flat', value: usdc('80') } },
      },
    });
    await game.show('0.48x1000', '0.50x1000');
    const [order] = await orders();
    expect(order?.intent.size).toBe(usdc('50'));
    expect(await codes()).toEqual([null]);
  });

  it('places a hedging bet in the reducing state', async () => {
    const { game, use, orders } = fixture;
    const terms = {
      venue: null,
      outcome: 'NO',
      side: 'BUY',
      timeInForce: 'GTC',
      expiresAt: null,
      postOnly: false,
    } as const;
    const held = { ...terms, account: ALICE, marketId: game.market.id, price: price('0.5'), size: usdc('20') };
    await use.orders.place.execute({
      draft: { ...held, paper: true, strategyId: null },
      mayTradeLive: false,
      idempotencyKey: null,
    });
    const change = {
      scope: 'account',
      state: 'reducing',
      stops: 'all',
      reason: 'Enough',
      by: 'a test',
      until: null,
    } as const;
    await use.trading.set.execute({
      account: ALICE,
      change,
      cancel: false,
      may: new Set(AUTH_SCOPES),
      idempotencyKey: null,
    });
    await game.show('0.48x1000', '0.50x1000');
    expect((await orders()).map(({ intent, state }) => [intent.outcome, state])).toEqual([
      ['YES', 'filled'],
      ['NO', 'filled'],
    ]);
  });

  it('bets a twentieth of its bankroll per event by default, no more', async () => {
    const rules = { ...HOME, limits: { maxBetsPerOutcome: 2, cooldownMs: null } };
    const { game, orders, codes } = await strategyFixture({
      strategy: { rules, bankrollCap: usdc('160'), stakeCap: usdc('50') },
    });
    await game.show('0.48x1000', '0.50x1000');
    expect((await orders()).map(({ intent }) => intent.size)).toEqual([usdc('8')]);
    await game.show('0.48x1000', '0.56x1000');
    await game.show('0.48x1000', '0.50x1000');
    expect([(await orders()).length, (await codes())[0]]).toEqual([1, 'below_minimum']);
  });

  it('forgets the market when no strategy names it any more', async () => {
    const { isFollowed, change, refresh, runner } = fixture;
    expect(isFollowed()).toBe(true);
    await change({ automation: 'off' });
    await refresh();
    expect(runner.size).toEqual({ strategies: 0, markets: 0 });
    expect(isFollowed()).toBe(false);
  });

  it('counts why it did not bet', async () => {
    const { game, runner, ledger, strategy, time, use } = fixture;
    await game.show('0.48x1000', '0.50x2');
    const { skips } = use.strategies;
    expect([...skips.onRecord]).toEqual([]);
    await runner.storeCounts();
    expect([...skips.onRecord]).toEqual([['below_minimum', 1]]);
    const counts = await ledger.decisions.counts(ALICE, strategy.id, new Date(time.now().getTime() - 3_600_000));
    expect(counts.map(({ code, count }) => [code, count])).toEqual([['below_minimum', 1]]);
  });
});
