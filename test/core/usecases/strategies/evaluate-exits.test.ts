import { describe, expect, it } from 'vitest';
import type { AuthScope } from '../../../../src/core/access/principal.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { ALICE, price, shares, usdc } from '../../../support/builders.js';
import { CONDITION, FIVE_PERCENT, levels } from '../../../support/scripted-market.js';
import { type FixtureChanges, HOME, strategyFixture } from '../../../support/strategy-fixture.js';

const EXIT = { takeProfit: { price: price('0.60') }, stop: { price: price('0.40') } };

/** A strategy that holds 20 shares of the home team for 10 dollars, and what it is asked. */
async function holding(exit: RulesDraft['exit'] | null = EXIT, changes: FixtureChanges = {}) {
  const strategy = { ...changes.strategy, rules: { ...HOME, ...(exit && { exit }) } };
  const fixture = await strategyFixture({ ...changes, strategy });
  await fixture.show('0.48x1000', '0.50x1000');
  const evaluate = async (bids: string, asks = '0.65x1000') => {
    fixture.game.shown = { bids: levels(bids), asks: levels(asks) };
    const asked = { account: ALICE, strategyId: fixture.strategy.id, market: null, limit: 10 };
    return fixture.use.strategies.evaluate.execute(asked);
  };
  return { ...fixture, evaluate };
}

describe('An evaluation of what a strategy holds', () => {
  it('reports which rule would sell and the proceeds, without selling', async () => {
    const { evaluate, sales, decisions, held } = await holding();
    const [sale, bet, ...others] = await evaluate('0.60x12 0.59x1000');
    expect(sale).toMatchObject({
      verdict: 'bet',
      code: null,
      slot: null,
      marketId: CONDITION,
      token: 'YES',
      outcomeLabel: 'Bucks',
      boundBy: 'exit/take_profit',
      price: price('0.59'),
      cost: null,
      inputs: { paper: 'true', held_shares: '20', cost: '10', proceeds: '11.92' },
      rules: [
        { rule: 'exit/take_profit', value: '0.6', bound: '0.6', passed: true },
        { rule: 'exit/stop', value: '0.6', bound: '0.4', passed: false },
      ],
    });
    expect([bet?.verdict, others]).toEqual(['skip', []]);
    expect([await sales(), (await decisions()).length, await held()]).toEqual([[], 1, 20_000_000n]);
  });

  it('measures from the cost, with fees, of the shares still held', async () => {
    const { evaluate, place, show, strategy, held } = await holding(EXIT, {
      matches: true,
      terms: { fee: FIVE_PERCENT },
    });
    const by = { strategyId: strategy.id, timeInForce: 'FAK' } as const;
    await place({ ...by, side: 'SELL', price: price('0.48'), size: usdc('4.56') });
    await show('0.48x1000', '0.60x1000');
    await place({ ...by, price: price('0.60'), size: usdc('6') });
    expect(await held()).toBe(shares('20'));
    // Of 19.5 shares at 0.5 that cost 9.99375, 10, and 10 at 0.6, with 0.0125 and 0.012 in fees for each.
    expect((await evaluate('0.48x1000'))[0]).toMatchObject({ code: 'hold', inputs: { cost: '11.245' } });
  });

  it('reports a hold while no exit condition is true', async () => {
    const { evaluate } = await holding();
    expect((await evaluate('0.48x1000'))[0]).toMatchObject({
      verdict: 'skip',
      code: 'hold',
      boundBy: null,
      slot: null,
    });
  });

  it('omits holdings without an exit and positions already closed', async () => {
    const without = await holding(null);
    expect((await without.evaluate('0.60x1000')).map(({ slot, inputs }) => [slot, inputs['judged']])).toEqual([
      [null, 'YES'],
    ]);
    const { show, evaluate, held } = await holding();
    await show('0.61x1000', '0.65x1000');
    expect([await held(), (await evaluate('0.60x1000')).length]).toEqual([0n, 1]);
  });

  it('reports what prevents a sale: pause, halt, no bids, too little', async () => {
    const { change, evaluate, use } = await holding();
    const why = async (bids: string) => (await evaluate(bids)).map(({ code, boundBy }) => [code, boundBy])[0];
    expect(await why('0.60x2')).toEqual(['below_minimum', 'exit/take_profit']);
    await use.trading.set.execute({
      change: { scope: 'account', state: 'halted', stops: 'all', reason: 'a drill', until: null, by: ALICE },
      account: ALICE,
      cancel: false,
      idempotencyKey: null,
      may: new Set<AuthScope>(['orders:cancel']),
    });
    expect(await why('0.60x1000')).toEqual(['trading_halted', 'exit/take_profit']);
    await change({ isPaused: true });
    expect(await why('0.39x1000')).toEqual(['strategy_paused', 'exit/stop']);
  });

  it('reports that a sale is already in flight', async () => {
    const { evaluate, game, time, until } = await holding(EXIT, { matches: true });
    const told = game.show('0.60x1000', '0.65x1000');
    await time.planned();
    expect((await evaluate('0.60x1000'))[0]).toMatchObject({ verdict: 'skip', code: 'exit_in_flight' });
    await until(told);
  });

  it('covers only the requested market, up to the requested limit', async () => {
    const { use, strategy, evaluate } = await holding();
    await evaluate('0.60x1000');
    const asked = { account: ALICE, strategyId: strategy.id, market: { venue: null, marketId: CONDITION } };
    const found = async (limit: number) =>
      (await use.strategies.evaluate.execute({ ...asked, limit })).map(({ boundBy }) => boundBy);
    expect([await found(10), await found(1)]).toEqual([['exit/take_profit', null], ['exit/take_profit']]);
  });
});

describe('An evaluation of a bet', () => {
  it.each(['auto', 'approve'] as const)('names the halt that keeps it from being made: %s', async (automation) => {
    const { use, game, strategy } = await strategyFixture({ strategy: { automation } });
    game.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
    const look = async () => {
      const asked = { account: ALICE, strategyId: strategy.id, market: null, limit: 10 };
      return (await use.strategies.evaluate.execute(asked)).map(({ verdict, code }) => [verdict, code]);
    };
    const set = (state: 'halted' | 'active') => {
      const change = { scope: 'account', state, stops: 'all', reason: 'a drill', until: null, by: ALICE } as const;
      const may = new Set<AuthScope>(['orders:cancel', 'risk:write']);
      return use.trading.set.execute({ account: ALICE, change, cancel: false, idempotencyKey: null, may });
    };
    expect(await look()).toEqual([['bet', null]]);
    await set('halted');
    expect(await look()).toEqual([['skip', 'trading_halted']]);
    await set('active');
    expect(await look()).toEqual([['bet', null]]);
  });
});

describe('An evaluation of a strategy that asks before it bets', () => {
  it('reports a pending approval, and after a rejection no second request', async () => {
    const { use, evaluate } = await holding(null, { strategy: { automation: 'approve' } });
    const look = async () => (await evaluate('0.48x1000', '0.50x1000')).map(({ code }) => code);
    expect(await look()).toEqual(['approval_waiting']);
    const [asked] = (await use.approvals.read.many(ALICE, 'waiting', { limit: 1 })).items;
    if (asked === undefined) throw new Error('nothing was asked');
    await use.approvals.reject.execute({ account: ALICE, approvalId: asked.id, by: ALICE, idempotencyKey: null });
    expect(await look()).toEqual(['benched']);
  });
});
