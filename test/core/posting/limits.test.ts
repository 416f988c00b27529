import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/memory-ledger.js';
import type { Execution, Order } from '../../../src/core/order/order.js';
import type { StrategyDraft } from '../../../src/core/strategy/strategy.js';
import { ALICE, anExecution, type DraftChanges, NOON, price, usdc } from '../../support/builders.js';
import { rests, ScriptedExchange } from '../../support/scripted-exchange.js';
import { trading } from '../../support/trading.js';

function fixture() {
  return trading(new MemoryLedger(), { paper: new ScriptedExchange({ place: rests() }) });
}

async function under(strategyDraft: Partial<StrategyDraft>) {
  const trader = fixture();
  const { id: strategyId } = await trader.strategy(strategyDraft);
  const answer = async (draft: DraftChanges = {}) => {
    const { state, refusal } = await trader.place({ strategyId, ...draft });
    return { state, code: refusal?.code, message: refusal?.message };
  };
  return { trader, answer, strategyId };
}

describe('Our limits', () => {
  it('deny a size that buys less than one lot', async () => {
    const trader = fixture();
    const denied = await trader.place({ size: usdc('0.004999'), price: price('0.5') });
    expect(denied).toMatchObject({ state: 'denied', refusal: { code: 'size_below_lot' }, intent: { shares: 0n } });
    expect(await trader.place({ size: usdc('0.005'), price: price('0.5') })).toMatchObject({ state: 'open' });
  });

  it('deny more shares than can be booked, yet record a storable order', async () => {
    const denied = await fixture().place({ size: usdc('999999999.999999'), price: price('0.000001') });
    expect(denied).toMatchObject({ state: 'denied', refusal: { code: 'size_too_large' } });
    expect(denied.intent.shares).toBeLessThan(2n ** 53n);
  });

  it('deny shares that cannot be booked on top of those held', async () => {
    const trader = trading(new MemoryLedger(), { context: { ...fixture().context, openingCash: usdc('100000') } });
    const huge = { size: usdc('2000'), price: price('0.000001') };
    expect((await trader.place(huge)).state).toBe('filled');
    expect(await trader.place(huge)).toMatchObject({ state: 'denied', refusal: { code: 'account_full' } });
  });

  it('deny shares that cannot be booked beyond those the strategy bought', async () => {
    const trader = trading(new MemoryLedger(), { context: { ...fixture().context, openingCash: usdc('100000') } });
    const { id: strategyId } = await trader.strategy({ bankrollCap: usdc('900000'), stakeCap: usdc('50000') });
    const huge = { size: usdc('2000'), price: price('0.000001') };
    expect((await trader.place({ ...huge, strategyId })).state).toBe('filled');
    expect((await trader.place({ ...huge, side: 'SELL' })).state).toBe('filled');
    const again = await trader.place({ ...huge, strategyId });
    expect(again).toMatchObject({ state: 'denied', refusal: { code: 'account_full' } });
  });

  it('deny an expiry that has passed, to the millisecond', async () => {
    const trader = fixture();
    const until = (ms: number) => ({ timeInForce: 'GTD', expiresAt: new Date(Date.parse(NOON) + ms) }) as const;
    expect(await trader.place(until(0))).toMatchObject({ state: 'denied', refusal: { code: 'expiry_in_past' } });
    expect(await trader.place(until(1))).toMatchObject({ state: 'open' });
  });

  it('deny every order of a strategy that is paused, sales too', async () => {
    const { trader, answer, strategyId } = await under({});
    const bought = await trader.place({ size: usdc('10') });
    await trader.book(bought, (posting) => posting.fill(executed(bought)));
    await trader.changeStrategy.execute({
      account: ALICE,
      strategyId,
      patch: { isPaused: true },
      precondition: null,
      route: 'strategies.pause',
      idempotencyKey: null,
    });
    for (const side of ['BUY', 'SELL'] as const) {
      expect(await answer({ side })).toMatchObject({ state: 'denied', code: 'strategy_paused' });
    }
  });

  it('deny an order above the stake cap, with both numbers', async () => {
    const { answer } = await under({ stakeCap: usdc('9.5'), bankrollCap: usdc('100') });
    const { code, message } = await answer({ size: usdc('9.500001') });
    expect(code).toBe('stake_cap_exceeded');
    expect(message).toContain('size 9.500001, stake cap 9.5');
    expect(await answer({ size: usdc('9.5') })).toMatchObject({ state: 'open' });
  });

  it('deny an order above the remaining bankroll, with all three numbers', async () => {
    const { answer } = await under({ stakeCap: usdc('50'), bankrollCap: usdc('25') });
    expect(await answer({ size: usdc('15') })).toMatchObject({ state: 'open' });
    const { code, message } = await answer({ size: usdc('10.5') });
    expect(code).toBe('bankroll_cap_exceeded');
    expect(message).toContain('15 at work, order 10.5, bankroll cap 25');
    expect(await answer({ size: usdc('10') })).toMatchObject({ state: 'open' });
    expect(await answer({ size: usdc('0.01') })).toMatchObject({ code: 'bankroll_cap_exceeded' });
  });

  it('hold each strategy to its own caps', async () => {
    const { trader, answer } = await under({ bankrollCap: usdc('10') });
    const other = await trader.strategy({ bankrollCap: usdc('10') });
    expect(await answer({ size: usdc('10') })).toMatchObject({ state: 'open' });
    expect(await answer({ size: usdc('10'), strategyId: other.id })).toMatchObject({ state: 'open' });
    expect(await answer({ size: usdc('10'), strategyId: null })).toMatchObject({ state: 'open' });
  });

  it('bound money going to work: a sale is held to no cap', async () => {
    const { trader, answer } = await under({ stakeCap: usdc('1'), bankrollCap: usdc('1') });
    const bought = await trader.place({ size: usdc('10'), price: price('0.1') });
    await trader.book(bought, (posting) => posting.fill(executed(bought)));
    expect(await answer({ side: 'SELL', size: usdc('90'), price: price('0.9') })).toMatchObject({ state: 'open' });
  });

  it('deny a sale beyond the free shares, with both numbers', async () => {
    const trader = fixture();
    const none = await trader.place({ side: 'SELL', size: usdc('1') });
    expect(none.refusal?.message).toContain('2 to sell, 0 free');
    const bought = await trader.place({ size: usdc('10') });
    await trader.book(bought, (posting) => posting.fill(executed(bought)));
    expect((await trader.place({ side: 'SELL', size: usdc('8') })).state).toBe('open');
    const denied = await trader.place({ side: 'SELL', size: usdc('2.5') });
    expect(denied.refusal).toMatchObject({ code: 'insufficient_position' });
    expect(denied.refusal?.message).toContain('5 to sell, 4 free');
    expect((await trader.place({ side: 'SELL', outcome: 'NO', size: usdc('1') })).state).toBe('denied');
    expect((await trader.place({ side: 'SELL', size: usdc('2') })).state).toBe('open');
  });

  it('deny a purchase beyond the free cash, with both numbers', async () => {
    const trader = fixture();
    await trader.place({ size: usdc('990') });
    const denied = await trader.place({ size: usdc('10.5') });
    expect(denied.refusal).toMatchObject({ code: 'insufficient_balance' });
    expect(denied.refusal?.message).toContain('order 10.5, free cash 10');
    expect((await trader.place({ size: usdc('10') })).state).toBe('open');
  });

  it('leave the money untouched when they deny', async () => {
    const trader = fixture();
    const denied = await trader.place({ size: usdc('5000') });
    const { balance, position } = await trader.money(denied);
    expect([balance, position]).toEqual([undefined, undefined]);
    expect((await trader.history(denied)).map(({ change }) => change.type)).toEqual(['requested', 'denied']);
  });
});

function executed({ intent }: Order): Execution {
  return anExecution({ shares: intent.shares, price: intent.price });
}
