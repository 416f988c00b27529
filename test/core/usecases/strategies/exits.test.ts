import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AuthScope } from '../../../../src/core/access/principal.js';
import type { MarketTerms } from '../../../../src/core/market/market.js';
import { statusOf } from '../../../../src/core/order/order.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { strategyScope } from '../../../../src/core/trading/state.js';
import { ALICE, price, shares, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { HOME, passing, START, strategyFixture } from '../../../support/strategy-fixture.js';

const leaving = (exit: RulesDraft['exit'], rules: Partial<RulesDraft> = {}) =>
  strategyFixture({ strategy: { rules: { ...HOME, ...rules, ...(exit && { exit }) } } });
/** Backs both sides for 12, where an event may lose 12. */
const BOTH: Partial<RulesDraft> = {
  outcome: 'each',
  filter: { minOdds: 1_950_000n, maxOdds: 2_050_000n },
  sizing: { method: 'flat', value: usdc('12') },
  limits: { eventLoss: usdc('12') },
};
const LOST_A_FIFTH = { stop: { loss: 200_000n } };
/** On a book that its orders meet. */
const matching = (exit: RulesDraft['exit'], terms: Partial<MarketTerms> = {}) =>
  strategyFixture({ matches: true, terms, strategy: { rules: { ...HOME, ...(exit && { exit }) } } });
const STOP = { stop: { price: price('0.40') } };

describe('A strategy with exit rules', () => {
  it('takes its profit at the target price and names the rule', async () => {
    const { show, sales, held, decisions, strategy } = await leaving({ takeProfit: { price: price('0.60') } });
    await show('0.48x1000', '0.50x1000');
    expect(await held()).toBe(shares('20'));
    await show('0.59x1000', '0.61x1000');
    expect(await sales()).toEqual([]);
    await show('0.60x1000', '0.62x1000');
    const [sale, ...others] = await sales();
    expect(others).toEqual([]);
    expect(sale?.intent).toMatchObject({
      outcome: 'YES',
      side: 'SELL',
      shares: shares('20'),
      price: price('0.6'),
      timeInForce: 'FAK',
      paper: true,
      strategy: { id: strategy.id, version: 1 },
    });
    expect(await held()).toBe(0n);
    const [exit] = await decisions();
    expect(exit).toMatchObject({
      verdict: 'bet',
      code: null,
      slot: null,
      boundBy: 'exit/take_profit',
      orderId: sale?.id,
      cost: null,
      inputs: { proceeds: '12', cost: '10' },
      rules: [{ rule: 'exit/take_profit', value: '0.6', bound: '0.6', passed: true }],
    });
  });

  it('stops its loss at the remaining price, even far below the stop', async () => {
    const { show, sales } = await leaving(STOP);
    await show('0.48x1000', '0.50x1000');
    await show('0.25x1000', '0.30x1000');
    expect((await sales()).map(({ intent }) => intent.price)).toEqual([price('0.25')]);
  });

  it('sells before the start at the exact time, without a market change', async () => {
    const { show, sales, time } = await leaving({ beforeStartMs: 600_000 });
    await show('0.48x1000', '0.50x1000');
    const moment = Date.parse(START) - 600_000;
    await time.pass(moment - time.now().getTime() - 1);
    expect(await sales()).toEqual([]);
    await time.pass(1);
    expect(await sales()).toHaveLength(1);
  });

  it('follows a start that moves', async () => {
    const { show, sales, time, game } = await leaving({ beforeStartMs: 600_000 });
    await show('0.48x1000', '0.50x1000');
    const later = new Date(Date.parse(START) + 3_600_000);
    await game.tell({ type: 'market', market: { ...game.market, startsAt: later } });
    await time.pass(Date.parse(START) - time.now().getTime());
    expect(await sales()).toEqual([]);
    await time.pass(3_600_000 - 600_000);
    expect(await sales()).toHaveLength(1);
  });

  it('sells so long after its first purchase', async () => {
    const { show, sales, time } = await leaving({ afterMs: 3_600_000 });
    await time.pass(1000);
    await show('0.48x1000', '0.50x1000');
    await time.pass(3_599_999);
    expect(await sales()).toEqual([]);
    await time.pass(1);
    expect(await sales()).toHaveLength(1);
  });

  it('exits positions from before a restart, also in approval mode', async () => {
    const { show, sales, after, runner, change, serve, until } = await leaving(STOP);
    await show('0.48x1000', '0.50x1000');
    after.stop();
    runner.stop();
    await change({ automation: 'approve' });
    await show('0.39x1000', '0.41x1000');
    expect(await sales()).toEqual([]);
    await until(serve().refresh());
    expect(await sales()).toHaveLength(1);
  });

  it.each([['off'], ['paused']])('sells nothing while it is %s', async (what) => {
    const { show, sales, change, refresh } = await leaving(STOP);
    await show('0.48x1000', '0.50x1000');
    // What the runner knows is the version before: the record decides.
    await change(what === 'off' ? { automation: 'off' } : { isPaused: true });
    await show('0.39x1000', '0.41x1000');
    await refresh();
    await show('0.38x1000', '0.41x1000');
    expect(await sales()).toEqual([]);
  });

  it('follows its current rules when it is resumed', async () => {
    const { show, sales, change, refresh } = await leaving(STOP);
    await show('0.48x1000', '0.50x1000');
    await change({ isPaused: true });
    await show('0.39x1000', '0.41x1000');
    await refresh();
    await change({ isPaused: false, rules: { ...HOME, exit: { stop: { price: price('0.30') } } } });
    await refresh();
    await show('0.38x1000', '0.41x1000');
    expect(await sales()).toEqual([]);
    await show('0.30x1000', '0.41x1000');
    const [sale] = await sales();
    expect(sale?.intent.strategy?.version).toBe(3);
  });

  it('sells while trading is reducing, but not while it is halted', async () => {
    const { show, sales, use, strategy, time } = await leaving(STOP);
    await show('0.48x1000', '0.50x1000');
    const set = (state: 'active' | 'reducing' | 'halted') =>
      use.trading.set.execute({
        change: { scope: strategyScope(strategy.id), state, stops: 'all', reason: 'a test', until: null, by: 'alice' },
        account: ALICE,
        cancel: false,
        may: new Set<AuthScope>(['orders:cancel', 'risk:write']),
        idempotencyKey: null,
      });
    await set('halted');
    await show('0.39x1000', '0.41x1000');
    expect(await sales()).toEqual([]);
    const { items } = await use.strategies.decisions.many(ALICE, strategy.id, {}, { limit: 10 });
    expect(items[0]).toMatchObject({ verdict: 'skip', code: 'trading_halted', boundBy: 'exit/stop' });
    await set('reducing');
    await time.pass(1000);
    expect(await sales()).toHaveLength(1);
  });

  it('sells its own part alone, and nothing that is on sale', async () => {
    const fixture = await strategyFixture({ matches: true, strategy: { rules: { ...HOME, exit: STOP } } });
    const { show, sales, place, held, strategy, ledger } = fixture;
    await show('0.48x1000', '0.50x1000');
    await place({ price: price('0.5'), size: usdc('50'), timeInForce: 'FAK' });
    await place({ side: 'SELL', price: price('0.9'), size: usdc('9'), strategyId: strategy.id });
    expect(await held()).toBe(shares('20'));
    await show('0.39x1000', '0.41x1000');
    const [, sale, ...others] = await sales();
    expect(others).toEqual([]);
    expect(sale?.filled.shares).toBe(shares('10'));
    expect(await held()).toBe(shares('10'));
    const [whole] = await ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 1 });
    expect(whole?.shares).toBe(shares('110'));
  });

  it('sells what bids take within the slippage, and the rest later', async () => {
    const { show, sales, held } = await strategyFixture({
      matches: true,
      strategy: { rules: { ...HOME, exit: STOP } },
    });
    await show('0.48x1000', '0.50x1000');
    await show('0.39x8 0.36x1000', '0.41x1000');
    expect((await sales()).map(({ filled }) => filled.shares)).toEqual([shares('8')]);
    expect(await held()).toBe(shares('12'));
    await show('0.36x1000', '0.41x1000');
    expect((await sales()).map(({ filled }) => filled.shares)).toEqual([shares('8'), shares('12')]);
    expect(await held()).toBe(0n);
  });

  it('sells one outcome while the position in the other is within limits', async () => {
    const { show, sales } = await leaving({ stop: { loss: 200_000n } }, BOTH);
    await show('0.49x1000', '0.50x1000');
    await show('0.38x1000', '0.39x1000');
    expect((await sales()).map(({ intent, filled }) => [intent.outcome, filled.shares])).toEqual([
      ['YES', shares('24')],
    ]);
  });

  it('sells of one outcome only what an account limit allows, naming it', async () => {
    const { show, sales, decisions, codes, use, time } = await leaving({ stop: { loss: 200_000n } }, BOTH);
    await show('0.49x1000', '0.50x1000');
    await use.limits.change.execute({ account: ALICE, change: { eventLossUsdc: usdc('9') }, mayLoosen: true });
    await show('0.38x1000', '0.39x1000');
    expect((await sales()).map(({ filled }) => filled.shares)).toEqual([shares('18')]);
    const [exit] = await decisions();
    expect(exit).toMatchObject({ boundBy: 'event_loss_usdc', inputs: { event_loss_usdc_left: '18' } });
    await passing(time, 1200);
    expect(await sales()).toHaveLength(1);
    expect(await codes()).toContain('event_loss_exceeded');
  });

  it('sells of one outcome only what its own rules allow, naming them', async () => {
    const limits = { eventLoss: usdc('12') };
    const { show, sales, decisions, change, refresh } = await leaving(LOST_A_FIFTH, { ...BOTH, limits });
    await show('0.49x1000', '0.50x1000');
    const less = { ...HOME, ...BOTH, exit: LOST_A_FIFTH, limits: { eventLoss: usdc('9') } };
    await change({ rules: less });
    await refresh();
    await show('0.38x1000', '0.39x1000');
    expect((await sales()).map(({ intent, filled }) => [intent.outcome, filled.shares])).toEqual([
      ['YES', shares('18')],
    ]);
    const [exit] = await decisions();
    expect(exit).toMatchObject({ boundBy: 'event_loss', inputs: { event_loss_left: '18' } });
  });

  it('sells to the bids within the price band of its account alone', async () => {
    const { game, show, sales, held, decisions, codes, use, time } = await matching({ stop: { price: price('0.40') } });
    const shown = (bids: string, asks: string) => {
      game.shown = { bids: levels(bids), asks: levels(asks) };
      return show(bids, asks);
    };
    await shown('0.48x1000', '0.50x1000');
    await use.limits.change.execute({ account: ALICE, change: { priceBand: price('0.015') }, mayLoosen: true });
    // The middle is 0.4, and a slippage of 0.02 would reach 0.37.
    await shown('0.39x8 0.37x1000', '0.41x1000');
    expect((await sales()).map(({ intent, filled }) => [intent.price, filled.shares])).toEqual([
      [price('0.39'), shares('8')],
    ]);
    expect(await decisions()).toMatchObject([{ boundBy: 'price_band' }, {}]);
    // The middle is 0.39, and the best bid is 0.02 below it.
    await shown('0.37x1000', '0.41x1000');
    await passing(time, 1200);
    expect(await held()).toBe(shares('12'));
    expect(await codes()).toContain('price_band');
    await shown('0.37x1000', '0.40x1000');
    await passing(time, 4000);
    expect(await held()).toBe(0n);
  });

  it.each([
    ['buys the outcome', { side: 'BUY', outcome: 'YES', price: price('0.37') }, false],
    ['sells the other outcome', { side: 'SELL', outcome: 'NO', price: price('0.63') }, false],
    ['buys the outcome, without limits where the venue nets', { side: 'BUY', price: price('0.37') }, true],
  ] as const)('sells above an order of its account that %s', async (_, own, nets) => {
    const exit = { stop: { price: price('0.40') } };
    const fixture = await matching(exit, nets ? { netsOutcomes: true } : {});
    const { show, sales, held, decisions, codes, use, time, place, until } = fixture;
    if (!nets) await use.limits.change.execute({ account: ALICE, change: { openOrders: 100 }, mayLoosen: true });
    await show('0.48x1000', '0.50x1000');
    if (own.side === 'SELL') await place({ outcome: 'NO', price: price('0.52'), size: usdc('52'), timeInForce: 'FAK' });
    const { record: resting } = await place({ ...own, size: usdc('20') });
    await show('0.39x8 0.37x1000', '0.41x1000');
    const exits = async () => (await sales()).filter(({ intent }) => intent.decisionId !== undefined);
    expect((await exits()).map(({ intent, filled }) => [intent.price, filled.shares])).toEqual([
      [price('0.39'), shares('8')],
    ]);
    expect(await decisions()).toMatchObject([{ boundBy: 'self_cross' }, {}]);
    await show('0.37x1000', '0.41x1000');
    await passing(time, 1200);
    expect(await held()).toBe(shares('12'));
    expect(await codes()).toContain('self_cross');
    await until(use.orders.cancel.execute({ account: ALICE, orderId: resting.id, idempotencyKey: null }));
    await passing(time, 4000);
    expect(await held()).toBe(0n);
  });

  it('waits longer after each attempt that sold nothing', async () => {
    const fixture = await strategyFixture({ matches: true, strategy: { rules: { ...HOME, exit: STOP } } });
    const { show, sales, game, time, until, faults, held } = fixture;
    await show('0.48x1000', '0.50x1000');
    // The bids go while the sale is on its way.
    const told = game.show('0.39x1000', '0.41x1000');
    await time.planned();
    void game.show('', '0.41x1000');
    await until(told);
    const tried = await sales();
    expect(tried.map(statusOf)).toEqual(['rejected']);
    await show('0.38x1000', '0.41x1000');
    expect(await sales()).toHaveLength(1);
    await passing(time, 1200);
    expect(await sales()).toHaveLength(2);
    expect(await held()).toBe(0n);
    expect(faults).toEqual([]);
  });

  it('does not repeat on a new server an exit already in flight', async () => {
    const { game, show, sales, time, after, runner, serve, held } = await strategyFixture({
      matches: true,
      strategy: { rules: { ...HOME, exit: STOP } },
    });
    await show('0.48x1000', '0.50x1000');
    const told = game.show('0.39x1000', '0.41x1000');
    await time.planned();
    after.stop();
    runner.stop();
    const next = serve();
    const taken = next.refresh();
    for (let looks = 0; looks < 20; looks += 1) await setImmediate();
    expect(await sales()).toHaveLength(1);
    await passing(time, 1000);
    await Promise.all([told, taken]);
    expect(await sales()).toHaveLength(1);
    expect(await held()).toBe(0n);
  });
});
