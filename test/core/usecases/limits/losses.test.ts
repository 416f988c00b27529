import { describe, expect, it, test } from 'vitest';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import { found } from '../../../support/audited.js';
import { ALICE, anExecution, type DraftChanges, price, shares, usdc } from '../../../support/builders.js';
import { accepts, ScriptedSimulator, takes } from '../../../support/scripted-exchange.js';

import { fixture, SECOND } from './losses-fixture.js';

describe('An account with a daily loss limit', () => {
  it('has its next order denied with both figures, then is halted', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('15') });
    await it.loses(9);
    expect([await it.code({ size: usdc('1'), price: price('0.5') }), (await it.used()).dailyLossUsdc]).toEqual([
      'placed',
      usdc('9'),
    ]);
    await it.loses(7);
    const denied = await it.trader.place();
    expect(denied.refusal).toEqual({
      code: 'daily_loss_exceeded',
      message: 'The account has lost today what it may lose in a day (Daily loss, daily_loss_usdc): lost=16, cap=15.',
    });
    expect((await it.trader.place({ side: 'SELL', size: usdc('1') })).refusal).toMatchObject({
      code: 'trading_halted',
      message: expect.stringContaining('lost=16, cap=15'),
    });
    expect(await it.states()).toMatchObject([
      { scope: 'account', state: 'halted', stops: 'all', by: 'service', code: 'daily_loss_exceeded', until: null },
    ]);
    expect(await found(it.trader.ledger)).toEqual([]);
  });

  it('may still sell what raises no worst case, until it is halted', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('15') });
    await it.trader.place({ size: usdc('50') });
    it.price('0.34');
    it.clock.tick(2 * SECOND + 1);
    const sale = { side: 'SELL', price: price('0.34') } as const;
    expect(await it.code({ ...sale, size: usdc('3.4') })).toBe('placed');
    expect((await it.used()).dailyLossUsdc).toBe(usdc('16'));
    expect(await it.states()).toEqual([]);
    expect(await it.code({ ...sale, size: usdc('3.4') })).toBe('placed');
    await it.watch();
    expect(await it.states()).toMatchObject([{ state: 'halted', code: 'daily_loss_exceeded' }]);
    expect(await it.code({ ...sale, size: usdc('3.4') })).toBe('trading_halted');
    expect(await found(it.trader.ledger)).toEqual([]);
  });

  it('may not sell what hedges, and is halted by that order', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('15') });
    await it.trader.place({ size: usdc('50') });
    await it.trader.place({ outcome: 'NO', price: price('0.5'), size: usdc('50') });
    await it.loses(16);
    expect(await it.code({ side: 'SELL', outcome: 'NO', price: price('0.5'), size: usdc('20') })).toBe(
      'daily_loss_exceeded',
    );
    expect(await it.states()).toMatchObject([{ state: 'halted', code: 'daily_loss_exceeded' }]);
  });

  it('is halted by falling prices within the age of a mark', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('15') });
    await it.trader.place({ size: usdc('50') });
    it.price('0.36');
    expect(await it.code({ size: usdc('0.5') })).toBe('placed');
    it.price('0.34');
    it.clock.tick(2 * SECOND + 1);
    expect(await it.code({ size: usdc('0.5') })).toBe('daily_loss_exceeded');
  });

  it('is halted without any order, and its working orders are cancelled', async () => {
    const paper = new ScriptedSimulator();
    const it = await fixture({ dailyLossUsdc: usdc('10') }, { paper });
    paper.script.place = accepts([anExecution({ shares: shares('100'), price: price('0.5') })], 'none');
    await it.trader.place({ size: usdc('50') });
    paper.script.place = accepts([], 'open');
    const resting = await it.trader.place({ price: price('0.1') });
    it.price('0.35');
    const { halted, unmarked } = await it.watch();
    expect([halted.length, unmarked]).toEqual([1, []]);
    expect(halted[0]).toMatchObject({
      account: ALICE,
      paper: true,
      cancellation: { cancelled: 1, working: 0, notCancelled: [] },
      state: { state: 'halted', code: 'daily_loss_exceeded', reason: expect.stringContaining('lost=15, cap=10') },
    });
    expect((await it.trader.ledger.findOrder(ALICE, resting.id))?.state).toBe('cancelled');
    expect((await it.watch()).halted).toEqual([]);
    expect(await it.code()).toBe('trading_halted');
  });

  it('trades again after release with a raised limit, or next day', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('10') });
    await it.loses(10);
    expect(await it.code()).toBe('daily_loss_exceeded');
    await it.resume();
    expect(await it.code()).toBe('daily_loss_exceeded');
    await it.resume();
    await it.set({ dailyLossUsdc: usdc('10.5') });
    expect(await it.code()).toBe('placed');
    await it.set({ dailyLossUsdc: usdc('10') });
    expect(await it.code()).toBe('trading_halted');
    it.clock.tick(24 * 3600 * SECOND);
    expect(await it.code()).toBe('trading_halted');
    await it.resume();
    expect(await it.code()).toBe('placed');
  });

  test.each([
    // The clocks of Berlin go forward on 29 March 2026: that day has 23 hours, and ends at 22:00 UTC.
    ['Europe/Berlin', '2026-03-29T21:59:00.000Z', '2026-03-29T22:01:00.000Z'],
    // And back on 25 October: 25 hours, from 22:00 UTC to 23:00 UTC.
    ['Europe/Berlin', '2026-10-25T22:59:00.000Z', '2026-10-25T23:01:00.000Z'],
    ['UTC', '2026-03-29T23:59:00.000Z', '2026-03-30T00:01:00.000Z'],
  ])('begins a new day at midnight in %s, at %s not yet', async (zone, before, after) => {
    const it = await fixture({ dailyLossUsdc: usdc('10') }, { zone, at: before });
    await it.loses(6);
    it.clock.tick(30 * SECOND);
    expect((await it.used()).dailyLossUsdc).toBe(usdc('6'));
    it.clock.tick(Date.parse(after) - Date.parse(before) - 30 * SECOND);
    expect((await it.used()).dailyLossUsdc).toBe(usdc('0'));
    await it.loses(6);
    expect(await it.code()).toBe('placed');
  });

  it('does not gain by a deposit, nor lose by a withdrawal', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('10'), drawdownUsdc: usdc('20') });
    const { manage } = it.trader.use.accounts;
    await manage.allowLive(ALICE, true);
    await manage.deposit(ALICE, NO_VENUE, usdc('100'));
    it.live.script.place = takes([anExecution({ shares: shares('100'), price: price('0.5') })], 'none');
    const live = (draft: DraftChanges) =>
      it.trader.place({ paper: false, size: usdc('50'), ...draft }, { mayTradeLive: true });
    const sends = async (draft: DraftChanges = {}) => {
      const order = await live(draft);
      return order.refusal?.code ?? order.state;
    };
    expect(await sends()).toBe('filled');
    await manage.deposit(ALICE, NO_VENUE, usdc('1000'));
    expect((await it.used(false)).dailyLossUsdc).toBe(usdc('0'));
    await manage.withdraw(ALICE, NO_VENUE, usdc('900'));
    expect((await it.used(false)).dailyLossUsdc).toBe(usdc('0'));
    it.price('0.39');
    it.clock.tick(3 * SECOND);
    expect(await it.used(false)).toMatchObject({ dailyLossUsdc: usdc('11'), drawdownUsdc: usdc('11') });
    expect(await sends()).toBe('daily_loss_exceeded');
    expect(await it.states()).toMatchObject([{ stops: 'live', code: 'daily_loss_exceeded' }]);
    // What is on paper lost nothing.
    expect(await it.code()).toBe('placed');
  });

  it('starts from zero losses after a paper reset', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('10'), drawdownUsdc: usdc('10') });
    await it.loses(-15);
    await it.watch();
    await it.loses(8);
    await it.trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    it.clock.tick(3 * SECOND);
    expect(await it.used()).toMatchObject({ dailyLossUsdc: usdc('0'), drawdownUsdc: usdc('0') });
    await it.loses(8);
    expect(await it.code()).toBe('placed');
  });
});

describe('An account whose equity may fall so far below its peak', () => {
  it('is halted relative to its peak, also on a later day', async () => {
    const it = await fixture({ drawdownUsdc: usdc('20') });
    await it.loses(-15);
    await it.watch();
    expect((await it.used()).drawdownUsdc).toBe(usdc('0'));
    await it.loses(12);
    it.clock.tick(24 * 3600 * SECOND);
    expect((await it.used()).drawdownUsdc).toBe(usdc('12'));
    await it.loses(8);
    expect((await it.trader.place()).refusal).toEqual({
      code: 'drawdown_exceeded',
      message:
        'The equity of the account is as far below its peak as it may be (Drawdown, drawdown_usdc): lost=20, cap=20.',
    });
    expect(await it.states()).toMatchObject([{ state: 'halted', code: 'drawdown_exceeded' }]);
  });

  it('has a new peak once the limit was removed and set again', async () => {
    const it = await fixture({ drawdownUsdc: usdc('20') });
    await it.loses(15);
    await it.set({ drawdownUsdc: null });
    await it.set({ drawdownUsdc: usdc('20') });
    expect((await it.used()).drawdownUsdc).toBe(usdc('0'));
    await it.loses(15);
    expect(await it.code()).toBe('placed');
  });
});
