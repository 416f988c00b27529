import { describe, expect, it } from 'vitest';
import { NO_WON, SPLIT, YES_WON } from '../../../../../src/core/market/lifecycle.js';
import type { Order } from '../../../../../src/core/order/order.js';
import { SettleMarket } from '../../../../../src/core/usecases/markets/background/settle-market.js';
import { BOB, price, shares, usdc, WHERE } from '../../../../support/builders.js';
import { liveFixture } from '../../../../support/live-fixture.js';
import { seenAs } from '../../../../support/seen-as.js';

const confirmed = (tradeId: string) => ({ type: 'fill_confirmed', tradeId }) as const;
const failed = (tradeId: string) => ({ type: 'fill_voided', tradeId, resting: false, reason: 'reverted' }) as const;
const ENDED = { type: 'cancelled', reason: 'CANCELED_MARKET_RESOLVED' } as const;

describe('The result of a market, with real money', () => {
  it.each([
    ['YES won', YES_WON, '20', '10'],
    ['NO won', NO_WON, '0', '-10'],
    ['split', SPLIT, '10', '0'],
  ] as const)('%s: what it pays is to be redeemed, and no cash yet', async (_, payout, returned, profit) => {
    const { bought, settle, now, books } = await liveFixture();
    const order = await bought(); // 20 YES at 0.50 for 10 of 1000 USDC
    expect(await settle(payout)).toBe(1);
    expect((await now(order)).settlement?.returned).toBe(usdc(returned));
    const realised = profit.startsWith('-') ? -usdc(profit.slice(1)) : usdc(profit);
    const { causes, ...rest } = await books();
    expect(rest).toEqual({ cash: usdc('990'), redeemable: usdc(returned), realised, held: 0n });
    expect(causes).toEqual(['fill', 'settlement']);
    expect(await settle(payout)).toBe(0);
    expect((await books()).causes).toEqual(causes);
  });

  it('waits while a fill may be undone, and is booked once confirmed', async () => {
    const { place, fill, record, settle, now, books } = await liveFixture();
    const order = await fill(await place(), { tradeId: 't' });
    expect(await settle(YES_WON)).toBe(0);
    expect(await now(order)).toMatchObject({ state: 'filled', settlement: null });
    expect(await books()).toMatchObject({ cash: usdc('990'), redeemable: 0n, held: usdc('10') });
    await record(order, confirmed('t'));
    expect(await settle(YES_WON)).toBe(1);
    expect(await books()).toMatchObject({ cash: usdc('990'), redeemable: usdc('20'), held: 0n });
  });

  it('pays nothing for a fill the venue undoes while it waits', async () => {
    const { place, fill, record, settle, now, books } = await liveFixture();
    const order = await fill(await place(), { tradeId: 't' });
    await settle(YES_WON);
    await record(order, failed('t'));
    expect(await settle(YES_WON)).toBe(0);
    expect((await now(order)).settlement).toBeNull();
    expect(await books()).toMatchObject({ cash: usdc('1000'), redeemable: 0n, realised: 0n, held: 0n });
  });

  it.each(['provisional', 'open'])('is held back in an outcome by one order that is %s', async (kind) => {
    const { bought, place, fill, record, settle, now, books } = await liveFixture();
    const order = await bought();
    const other = await bought({ outcome: 'NO' });
    const bobs = await bought({ account: BOB });
    const late = await place({ outcome: 'YES' });
    if (kind === 'provisional') await fill(late, { tradeId: 't' });
    expect(await settle(YES_WON)).toBe(2);
    expect([(await now(other)).settlement, (await now(bobs)).settlement]).toMatchObject([
      { returned: 0n },
      { returned: usdc('20') },
    ]);
    expect(await now(order)).toMatchObject({ settlement: null });
    expect((await books()).redeemable).toBe(0n);
    await record(late, kind === 'provisional' ? confirmed('t') : ENDED);
    expect(await settle(YES_WON)).toBe(kind === 'provisional' ? 2 : 1);
    expect((await books()).redeemable).toBe(usdc(kind === 'provisional' ? '40' : '20'));
  });

  it('does not cancel orders at the venue', async () => {
    const { place, settle, now, trading } = await liveFixture();
    const order = await place();
    await settle(YES_WON);
    expect((await now(order)).state).toBe('open');
    expect((await trading.history(order)).map(({ change }) => change.type)).toEqual([
      'requested',
      'submitting',
      'accepted',
    ]);
  });

  it('pays a confirmed fill that becomes known later the next time', async () => {
    const { place, fill, record, settle, now, books } = await liveFixture();
    const order = await place();
    await fill(order, { tradeId: 'early', shares: shares('5'), confirmed: true });
    await record(order, ENDED);
    await settle(YES_WON);
    await fill(order, { tradeId: 'late', shares: shares('2') });
    expect(await settle(YES_WON)).toBe(0);
    expect((await books()).redeemable).toBe(usdc('5'));
    await record(order, confirmed('late'));
    expect(await settle(YES_WON)).toBe(1);
    expect((await now(order)).settlement?.returned).toBe(usdc('7'));
    expect(await books()).toMatchObject({
      cash: usdc('996.5'),
      redeemable: usdc('7'),
      realised: usdc('3.5'),
      held: 0n,
    });
  });

  it('pays the shares not sold before, once the sale is confirmed', async () => {
    const { bought, place, fill, record, settle, now, books } = await liveFixture();
    await bought();
    const sale = await place({ side: 'SELL', price: price('0.6'), size: usdc('6') }); // 10 of the 20
    await fill(sale, { tradeId: 's', price: price('0.6') });
    expect(await settle(YES_WON)).toBe(0);
    await record(sale, confirmed('s'));
    expect(await settle(YES_WON)).toBe(2);
    expect((await now(sale)).settlement?.returned).toBe(usdc('6'));
    expect(await books()).toMatchObject({ cash: usdc('996'), redeemable: usdc('10'), realised: usdc('6'), held: 0n });
  });

  it('returns the bankroll of the strategy and closes its part', async () => {
    const { bought, settle, trading, books } = await liveFixture();
    const strategy = await trading.strategy({ paperOnly: false });
    const order = await bought({ strategyId: strategy.id });
    expect((await trading.money(order)).exposure?.committed).toBe(usdc('10'));
    await settle(YES_WON);
    const { exposure, position, strategyPosition } = await trading.money(order);
    expect(exposure?.committed).toBe(0n);
    expect(strategyPosition).toMatchObject({ shares: 0n, realised: usdc('10'), redeemable: 0n });
    expect(position).toMatchObject({ shares: 0n, realised: usdc('10'), redeemable: usdc('20') });
    expect((await books()).redeemable).toBe(usdc('20'));
  });

  it('amended before redemption changes what may be redeemed, but no cash', async () => {
    const { bought, settle, now, books } = await liveFixture();
    const order = await bought();
    await settle(YES_WON);
    expect(await settle(SPLIT)).toBe(1);
    expect((await now(order)).settlement?.returned).toBe(usdc('10'));
    expect(await books()).toEqual({
      cash: usdc('990'),
      redeemable: usdc('10'),
      realised: 0n,
      held: 0n,
      causes: ['fill', 'settlement', 'reversal', 'settlement'],
    });
    await settle(NO_WON);
    expect(await books()).toMatchObject({ cash: usdc('990'), redeemable: 0n, realised: -usdc('10') });
  });

  it('waits for a new order that fills between read and booking', async () => {
    const { ledger, context, bought, place, fill, record, settle, books } = await liveFixture();
    for (let i = 0; i < 100; i += 1) await bought({ size: usdc('1') }); // one page
    const late: Order[] = [];
    const seen = seenAs(ledger, {
      listMarketOrders: async (filter, page) => {
        const orders = await ledger.listMarketOrders(filter, page);
        const read = filter.paper === false && orders.length < page.limit;
        if (read && late.length === 0) late.push(await fill(await place(), { tradeId: 'late' }));
        return orders;
      },
    });
    expect(await new SettleMarket(seen, { settlesInCash: () => false }, context).execute(WHERE, YES_WON)).toBe(0);
    await record(late[0] as Order, failed('late'));
    expect(await books()).toMatchObject({ cash: usdc('900'), redeemable: 0n, held: usdc('100') });
    expect(await settle(YES_WON)).toBe(100);
    expect((await books()).redeemable).toBe(usdc('200'));
  });

  it('waits for a read order that fills again before the booking', async () => {
    const { ledger, context, place, fill, record, settle, books } = await liveFixture();
    const order = await place();
    await fill(order, { tradeId: 'early', shares: shares('5'), confirmed: true });
    await record(order, ENDED);
    const sale = await place({ side: 'SELL', size: usdc('2.5') }); // the 5 shares, at 0.50
    await record(sale, ENDED);
    let looks = 0;
    const seen = seenAs(ledger, {
      listMarketOrders: async (filter, page) => {
        const orders = await ledger.listMarketOrders(filter, page);
        looks += filter.paper === false ? 1 : 0;
        if (looks !== 1 || filter.paper) return orders;
        // Both leave the position with as many shares as before.
        await fill(order, { tradeId: 'more', shares: shares('2') });
        await fill(sale, { tradeId: 'less', shares: shares('2') });
        return orders;
      },
    });
    expect(await new SettleMarket(seen, { settlesInCash: () => false }, context).execute(WHERE, YES_WON)).toBe(0);
    expect((await books()).redeemable).toBe(0n);
    await record(order, failed('more'));
    await record(sale, confirmed('less'));
    expect(await settle(YES_WON)).toBe(2);
    expect((await books()).redeemable).toBe(usdc('3'));
  });

  it('reads more orders than one page has, before it pays any', async () => {
    const { place, fill, record, settle, books, bought } = await liveFixture();
    const orders: Order[] = [];
    for (let i = 0; i < 101; i += 1) orders.push(await bought({ size: usdc('1') }));
    const last = await fill(await place({ size: usdc('1') }), { tradeId: 'last' });
    expect(await settle(YES_WON)).toBe(0);
    expect((await books()).redeemable).toBe(0n);
    await record(last, confirmed('last'));
    expect(await settle(YES_WON)).toBe(102);
    expect(await books()).toMatchObject({ cash: usdc('898'), redeemable: usdc('204'), held: 0n });
  });

  it('leaves shares alone that a sale reserved between read and booking', async () => {
    const { ledger, context, bought, place, record, settle, books } = await liveFixture();
    await bought();
    const sales: Order[] = [];
    const seen = seenAs(ledger, {
      listMarketOrders: async (filter, page) => {
        const orders = await ledger.listMarketOrders(filter, page);
        if (filter.paper === false && sales.length === 0) sales.push(await place({ side: 'SELL' }));
        return orders;
      },
    });
    await new SettleMarket(seen, { settlesInCash: () => false }, context).execute(WHERE, YES_WON);
    expect(await books()).toMatchObject({ redeemable: 0n, held: usdc('10') });
    await record(sales[0] as Order, ENDED);
    await settle(YES_WON);
    expect(await books()).toMatchObject({ redeemable: usdc('20'), held: 0n });
  });
});
