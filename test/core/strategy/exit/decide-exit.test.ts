import { describe, expect, it } from 'vitest';
import type { Usdc } from '../../../../src/core/money.js';
import { decideExit } from '../../../../src/core/strategy/exit/decide-exit.js';
import type { ExitInputs } from '../../../../src/core/strategy/exit/exit-inputs.js';
import type { ExitRules } from '../../../../src/core/strategy/rules/rules.js';
import { fixture } from '../../../adapters/paper/book-fixture.js';
import { aStrategy, price, shares, usdc } from '../../../support/builders.js';
import { FIVE_PERCENT } from '../../../support/scripted-market.js';
import { aBook, aGame, HOUR, inMs, likely, NOW, rulesOf } from '../decide/view.js';

type Changes = Partial<Omit<ExitInputs, 'rules'>>;

/** Holds 100 shares that cost 45 USDC an hour ago, with a best bid of 0.48. */
const exit = (rules: ExitRules, changes: Changes = {}) =>
  decideExit({
    strategy: aStrategy(),
    rules: rulesOf({ exit: rules, signal: { name: 'model', required: false } }),
    market: aGame(),
    outcome: 'YES',
    paper: true,
    estimate: null,
    book: aBook('0.48x60 0.47x20 0.45x500', '0.5x100'),
    position: { shares: shares('100'), free: shares('100'), cost: usdc('45'), since: inMs(-HOUR) },
    limits: [],
    now: NOW,
    ...changes,
  });

describe('A strategy', () => {
  it('sells as much as limits leave, naming the limit that binds', () => {
    const rules = { stop: { price: price('0.48') } };
    const bound = (most: Usdc) => ({ name: 'order_usdc', code: 'order_too_large', most: { size: most } });
    const left = (most: string) => ({
      name: 'event_loss',
      code: 'event_loss_exceeded',
      most: { shares: shares(most), forAll: usdc('12.5') },
    });
    const some = exit(rules, { limits: [bound(usdc('30')), left('62')] });
    expect(some).toMatchObject({ verdict: 'sell', trigger: 'exit/stop', boundBy: 'event_loss', shares: shares('62') });
    expect(some.inputs).toMatchObject({ order_usdc_left: '30', event_loss_left: '62' });
    expect(exit(rules, { limits: [bound(usdc('4.7')), left('62')] })).toMatchObject({
      boundBy: 'order_usdc',
      shares: shares('10'),
      size: usdc('4.7'),
    });
    // The bids take 80.
    expect(exit(rules, { limits: [left('90')] })).toMatchObject({
      verdict: 'sell',
      boundBy: null,
      shares: shares('80'),
    });
    const loss = { stop: { loss: 10_000n } };
    expect(exit({ stop: { loss: -70_000n } }, { limits: [left('0')] })).toMatchObject({
      verdict: 'hold',
      trigger: 'exit/stop',
      code: 'event_loss_exceeded',
      limit:
        'event_loss leaves 0 of 100 shares, and the venue takes no fewer than 5. For all of them it has to be 12.5 or more.',
    });
    // Of 100 shares at 0.45, the lowest bid within reach.
    expect(exit(rules, { limits: [bound(usdc('2'))] })).toMatchObject({
      verdict: 'hold',
      code: 'order_too_large',
      limit: expect.stringMatching(/^order_usdc leaves 4.25 of .* 47 or/),
    });
    expect(exit(loss, { limits: [left('0')] })).toMatchObject({ verdict: 'hold', trigger: null, code: null });
  });

  it('sells to no bid below the least price of a limit', () => {
    const rules = { stop: { price: price('0.48') } };
    const floor = (name: string, code: string, least: string, cap: string | null) => ({
      name,
      code,
      most: { price: price(least), cap: cap === null ? null : price(cap) },
    });
    const band = (least: string) => floor('price_band', 'price_band', least, '0.02');
    const cross = (least: string) => floor('self_cross', 'self_cross', least, null);
    const some = exit(rules, { limits: [band('0.47'), cross('0.470001')] });
    expect(some).toMatchObject({
      verdict: 'sell',
      boundBy: 'self_cross',
      price: price('0.48'),
      shares: shares('60'),
      proceeds: usdc('28.8'),
      inputs: { price_band_least_price: '0.47', self_cross_least_price: '0.470001' },
    });
    // The slippage ends at 0.47 as well, so that the band leaves as much as is offered.
    expect(exit(rules, { limits: [band('0.47')] })).toMatchObject({ boundBy: null, shares: shares('80') });
    // 20 shares are all that is free: the best bid takes them.
    const few = { shares: shares('100'), free: shares('20'), cost: usdc('45'), since: inMs(-HOUR) };
    const best = exit(rules, { limits: [band('0.48')], position: few });
    expect(best).toMatchObject({ boundBy: null, price: price('0.48'), shares: shares('20') });
    expect(exit(rules, { limits: [band('0.485')] })).toMatchObject({
      verdict: 'hold',
      code: 'price_band',
      limit:
        'price_band leaves 0 of 100 shares, and the venue takes no fewer than 5. For more of them, at 0.47, it has to be 0.035 or more.',
    });
    expect(exit(rules, { limits: [cross('0.490001')] })).toMatchObject({
      verdict: 'hold',
      code: 'self_cross',
      limit: expect.stringMatching(/For more of them no order .* that a sale at 0.47 would meet.$/),
    });
  });

  it.each<readonly [string, ExitRules, ExitRules]>([
    ['exit/take_profit', { takeProfit: { price: price('0.48') } }, { takeProfit: { price: price('0.49') } }],
    // 80 shares of 36 USDC bring 38.2.
    ['exit/take_profit', { takeProfit: { gain: 61_111n } }, { takeProfit: { gain: 61_112n } }],
    ['exit/stop', { stop: { price: price('0.48') } }, { stop: { price: price('0.47') } }],
    ['exit/before_start', { beforeStartMs: HOUR }, { beforeStartMs: HOUR - 1 }],
    ['exit/after', { afterMs: HOUR }, { afterMs: HOUR + 1 }],
  ])('sells by %s, and not before', (trigger, reached, not) => {
    expect(exit(reached)).toMatchObject({ verdict: 'sell', trigger, price: price('0.47'), shares: shares('80') });
    expect(exit(not)).toMatchObject({ verdict: 'hold', trigger: null, code: null });
  });

  it('sells at a loss, or once its price exceeds the expected payout', () => {
    const dear = { position: { shares: shares('100'), free: shares('100'), cost: usdc('60'), since: NOW } };
    // 80 shares of 48 USDC bring 38.2: 20.4166… % less.
    expect(exit({ stop: { loss: 204_166n } }, dear)).toMatchObject({ verdict: 'sell', trigger: 'exit/stop' });
    expect(exit({ stop: { loss: 204_167n } }, dear)).toMatchObject({ verdict: 'hold' });
    // 0.4775 a share.
    expect(exit({ edgeBelow: 1n }, { estimate: likely(477_500n) })).toMatchObject({
      verdict: 'sell',
      trigger: 'exit/edge_below',
    });
    expect(exit({ edgeBelow: 0n }, { estimate: likely(477_500n) })).toMatchObject({ verdict: 'hold' });
  });

  it('holds where a condition cannot be known, and says so', () => {
    const held = exit({ beforeStartMs: 1, edgeBelow: 0n }, { market: aGame({}, { startsAt: null }), book: null });
    expect(held).toMatchObject({ verdict: 'hold', trigger: null, code: null });
    expect(held.rules.map(({ rule, passed }) => [rule, passed])).toEqual([
      ['exit/before_start', null],
      ['exit/edge_below', null],
    ]);
  });

  it.each<readonly [string, Changes]>([
    ['market_data_stale', { book: aBook('0.48x60', '0.5x100', { fresh: false }) }],
    ['input_missing:bids', { book: aBook('', '0.5x100') }],
    ['input_missing:book', { book: null }],
    ['fee_unknown', { market: aGame({ fee: null }) }],
    ['market_not_accepting_orders', { market: aGame({ acceptingOrders: false }) }],
    ['not_matched:status', { market: aGame({}, { status: 'suspended' }) }],
    ['strategy_paused', { strategy: aStrategy({ isPaused: true }) }],
    [
      'below_minimum',
      { position: { shares: shares('100'), free: shares('4.99'), cost: usdc('45'), since: inMs(-HOUR) } },
    ],
  ])('that would sell, cannot: %s', (code, changes) => {
    expect(exit({ afterMs: 0 }, changes)).toMatchObject({ verdict: 'hold', trigger: 'exit/after', code, shares: null });
  });

  it('gets from the same book what the decision names, fee and all', async () => {
    const market = aGame({ fee: FIVE_PERCENT });
    const { place, trading } = fixture(market, '0.48x60 0.47x20 0.45x500', '0.5x100');
    await place({ marketId: market.id, price: price('0.5'), size: usdc('50'), timeInForce: 'FAK' });
    const sale = exit({ afterMs: 0 }, { market });
    if (sale.verdict === 'hold') throw new RangeError('the strategy sells');
    const sold = await place({
      marketId: market.id,
      side: 'SELL',
      price: sale.price,
      size: sale.size,
      timeInForce: 'FAK',
    });
    const { filled } = await trading.orders.one(sold.account, sold.id);
    expect(filled.shares).toBe(sale.shares);
    expect(filled.notional - filled.fees).toBe(sale.proceeds);
  });
});
