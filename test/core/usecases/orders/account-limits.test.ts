import { describe, expect, it, test } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { LimitsChange } from '../../../../src/core/limits/limits.js';
import type { BookView } from '../../../../src/core/market/book.js';
import type { Market } from '../../../../src/core/market/market.js';
import { notional } from '../../../../src/core/money.js';
import { found } from '../../../support/audited.js';
import {
  ALICE,
  aMarket,
  anExecution,
  anOrderContext,
  clockAt,
  type DraftChanges,
  NOON,
  price,
  shares,
  usdc,
} from '../../../support/builders.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

/** Market data with one book for all markets. */
const withBook = (book: BookView | undefined) =>
  Object.assign(new NoMarketData(), { find: async (id: Market['id']) => aMarket({ id }), book: async () => book });

const DAY = 24 * 60 * 60 * 1000;

function fixture(limits: LimitsChange | null, options: { resting?: boolean; book?: BookView } = {}) {
  const clock = clockAt(NOON);
  const trader = new Trading(new MemoryLedger(), {
    context: anOrderContext({ clock }),
    markets: withBook(options.book),
    ...(options.resting === true ? { paper: new ScriptedSimulator() } : {}),
  });
  const set = (change: LimitsChange) => trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  const begun = limits === null ? null : set(limits);
  const code = async (draft: DraftChanges) => {
    await begun;
    const { refusal } = await trader.place(draft);
    return refusal?.code ?? 'placed';
  };
  return { trader, clock, set, code, begun };
}

describe('An order under limits', () => {
  it('passes at the limit when it lowers the worst case', async () => {
    const { code, trader } = fixture({ eventLossUsdc: usdc('10'), marketLossUsdc: usdc('10') });
    expect(await code({ size: usdc('10') })).toBe('placed');
    expect(await code({ size: usdc('0.5') })).toBe('market_loss_exceeded');
    expect(await code({ outcome: 'NO', size: usdc('5') })).toBe('placed');
    await trader.use.limits.change.execute({ account: ALICE, change: { marketLossUsdc: usdc('1') }, mayLoosen: false });
    expect(await code({ outcome: 'NO', size: usdc('2') })).toBe('placed');
    expect(await code({ side: 'SELL', size: usdc('1') })).toBe('placed');
    // It would raise what is lost if NO wins nothing: 14 shares of NO against 20 of YES.
    expect(await code({ size: usdc('1') })).toBe('market_loss_exceeded');
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('is denied when it sells too much of a hedged pair', async () => {
    const { code } = fixture({ marketLossUsdc: usdc('5') });
    for (const outcome of ['YES', 'NO'] as const) expect(await code({ outcome, size: usdc('5') })).toBe('placed');
    for (const outcome of ['YES', 'NO'] as const) expect(await code({ outcome, size: usdc('5') })).toBe('placed');
    expect(await code({ side: 'SELL', price: price('0.1'), size: usdc('2') })).toBe('market_loss_exceeded');
    expect(await code({ side: 'SELL', price: price('0.9'), size: usdc('18') })).toBe('market_loss_exceeded');
    // 10 of each side bring 10 whatever comes, and the other 10 shares of NO cost 5.
    expect(await code({ side: 'SELL', price: price('0.1'), size: usdc('1') })).toBe('placed');
    expect(await code({ side: 'SELL', price: price('0.9'), size: usdc('0.9') })).toBe('market_loss_exceeded');
  });

  it('counts the fees of shares held, and not of shares gone', async () => {
    const { trader, begun } = fixture({ marketLossUsdc: usdc('10') }, { resting: true });
    await begun;
    const trade = async (side: 'BUY' | 'SELL', at: string, many: string, fee: string) => {
      const order = await trader.place({ side, price: price(at), size: notional(shares(many), price(at), 'ceil') });
      const terms = { shares: shares(many), price: price(at), fee: usdc(fee), confirmed: true };
      await trader.book(order, (posting) => posting.fill(anExecution(terms)));
    };
    await trade('BUY', '0.25', '24', '0.4');
    await trade('SELL', '0.5', '24', '0.2');
    await trade('BUY', '0.5', '6', '0.08');
    const { used } = await trader.use.limits.read.execute(ALICE, true);
    expect(used).toMatchObject({ marketLossUsdc: usdc('3.08'), eventLossUsdc: usdc('3.08') });
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('counts an order of each minute once, and frees the minute', async () => {
    const { code, clock } = fixture({ ordersPerMinute: 2 });
    const codes = [];
    for (const wait of [0, 30_000, 29_000, 2000, 30_000]) {
      clock.tick(wait);
      codes.push(await code({ size: usdc('1') }));
    }
    expect(codes).toEqual(['placed', 'placed', 'order_rate_exceeded', 'placed', 'placed']);
  });

  it('may cost the rest of the daily stake, which resets each day', async () => {
    const { code, clock } = fixture({ dailyStakeUsdc: usdc('20') });
    expect([await code({ size: usdc('15') }), await code({ size: usdc('5.5') })]).toEqual([
      'placed',
      'daily_stake_exceeded',
    ]);
    expect(await code({ side: 'SELL', size: usdc('5') })).toBe('placed');
    clock.tick(24 * 60 * 60 * 1000);
    expect(await code({ size: usdc('20') })).toBe('placed');
  });

  it.each([1, 2, 30])('counts for its own day despite a clock %i days ahead', async (days) => {
    const { code, clock, trader } = fixture({ dailyStakeUsdc: usdc('20') });
    const span = days * 24 * 60 * 60 * 1000;
    expect(await code({ size: usdc('15') })).toBe('placed');
    clock.tick(span);
    expect([await code({ size: usdc('12') }), await code({ size: usdc('9') })]).toEqual([
      'placed',
      'daily_stake_exceeded',
    ]);
    clock.tick(-span);
    expect([await code({ size: usdc('6') }), await code({ size: usdc('5') })]).toEqual([
      'daily_stake_exceeded',
      'placed',
    ]);
    clock.tick(span);
    expect([await code({ size: usdc('9') }), await code({ size: usdc('8') })]).toEqual([
      'daily_stake_exceeded',
      'placed',
    ]);
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('filled on a later day counts for the day it was placed', async () => {
    const { code, clock, trader } = fixture({ dailyStakeUsdc: usdc('20') }, { resting: true });
    expect(await code({ size: usdc('15') })).toBe('placed');
    clock.tick(24 * 60 * 60 * 1000);
    const [order] = await trader.ledger.listOrders(ALICE, {}, { limit: 1 });
    const fill = anExecution({ shares: shares('30'), confirmed: true });
    if (order !== undefined) await trader.book(order, (posting) => posting.fill(fill));
    expect((await trader.use.limits.read.execute(ALICE, true)).used.dailyStakeUsdc).toBe(0n);
    clock.tick(-24 * 60 * 60 * 1000);
    expect((await trader.use.limits.read.execute(ALICE, true)).used.dailyStakeUsdc).toBe(usdc('15'));
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('of yesterday that still rests takes nothing of today', async () => {
    const { code, clock, trader } = fixture({ dailyStakeUsdc: usdc('20') }, { resting: true });
    expect(await code({ size: usdc('15') })).toBe('placed');
    clock.tick(DAY);
    expect([await code({ size: usdc('6') }), await code({ size: usdc('15') })]).toEqual([
      'placed',
      'daily_stake_exceeded',
    ]);
    expect((await trader.use.limits.read.execute(ALICE, true)).used.dailyStakeUsdc).toBe(usdc('6'));
    clock.tick(-DAY);
    expect(await code({ size: usdc('6') })).toBe('daily_stake_exceeded');
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('of today still counts after those of days before were filled', async () => {
    const { code, clock, trader } = fixture({ dailyStakeUsdc: usdc('20') }, { resting: true });
    for (let n = 0; n < 5; n += 1) {
      expect(await code({ size: usdc('15') })).toBe('placed');
      clock.tick(DAY);
    }
    expect(await code({ size: usdc('15') })).toBe('placed');
    for (const order of await trader.ledger.listOrders(ALICE, { status: 'open' }, { limit: 10 })) {
      await trader.book(order, (posting) => posting.fill(anExecution({ shares: shares('30'), confirmed: true })));
      expect(await code({ size: usdc('6') })).toBe('daily_stake_exceeded');
    }
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('starts with today’s purchases, despite orders from a fast clock', async () => {
    const { code, clock, trader, set } = fixture(null, { resting: true });
    const used = async () => (await trader.use.limits.read.execute(ALICE, true)).used.dailyStakeUsdc;
    expect(await code({ size: usdc('15') })).toBe('placed');
    const [order] = await trader.ledger.listOrders(ALICE, {}, { limit: 1 });
    const half = anExecution({ shares: shares('15'), confirmed: true });
    if (order !== undefined) await trader.book(order, (posting) => posting.fill(half));
    clock.tick(DAY);
    const today = await trader.place({ size: usdc('4') });
    await trader.book(today, (posting) => posting.fill(anExecution({ shares: shares('8'), confirmed: true })));
    clock.tick(30 * DAY);
    // More than the orders are read at once.
    for (let n = 0; n < 250; n += 1) expect(await code({ size: usdc('0.01'), price: price('0.01') })).toBe('placed');
    clock.tick(-30 * DAY);
    await set({ dailyStakeUsdc: usdc('20') });
    expect(await used()).toBe(usdc('4'));
    clock.tick(-DAY);
    expect(await used()).toBe(usdc('15'));
    expect(await found(trader.ledger)).toEqual([]);
  });

  it('is not over the rate due to orders of a fast clock', async () => {
    const { code, clock } = fixture({ ordersPerMinute: 2 });
    clock.tick(20 * 60 * 60 * 1000);
    for (const expected of ['placed', 'placed', 'order_rate_exceeded'])
      expect(await code({ size: usdc('1') })).toBe(expected);
    clock.tick(-20 * 60 * 60 * 1000);
    for (const expected of ['placed', 'placed', 'order_rate_exceeded'])
      expect(await code({ size: usdc('1') })).toBe(expected);
  });

  it('is over the rate even if a fast clock placed one order', async () => {
    const { code, clock } = fixture({ ordersPerMinute: 2 });
    const ahead = 20 * 60 * 60 * 1000;
    const codes = [];
    for (const tick of [0, ahead, -ahead, 0, ahead, 0]) {
      clock.tick(tick);
      codes.push(await code({ size: usdc('1') }));
    }
    const within = ['placed', 'placed', 'placed', 'order_rate_exceeded'];
    expect(codes).toEqual([...within, 'placed', 'order_rate_exceeded']);
  });

  test.each([
    [{ side: 'BUY', price: price('0.6') }, 'placed'],
    [{ side: 'BUY', price: price('0.65') }, 'price_band'],
    [{ side: 'BUY', price: price('0.4') }, 'price_band'],
    [{ outcome: 'NO', price: price('0.45') }, 'placed'],
    [{ outcome: 'NO', price: price('0.57') }, 'price_band'],
  ] as const)('within 0.1 of the middle of a fresh book: %o is %s', async (draft, expected) => {
    const level = (at: string) => [{ price: price(at), shares: shares('100') }];
    const book = { bids: level('0.52'), asks: level('0.56'), at: new Date(NOON), fresh: true };
    const limits = { priceBand: price('0.1') };
    expect(await fixture(limits, { book }).code(draft)).toBe(expected);
    expect(await fixture(limits, { book: { ...book, fresh: false } }).code(draft)).toBe('market_data_stale');
    expect(await fixture(limits, { book: { ...book, asks: [] } }).code(draft)).toBe('market_data_stale');
    expect(await fixture(limits).code(draft)).toBe('market_data_stale');
  });

  test.each([
    [{ side: 'BUY', price: price('0.4') }, { outcome: 'NO', side: 'BUY', price: price('0.6') }, 'self_cross'],
    [{ side: 'BUY', price: price('0.4') }, { outcome: 'NO', side: 'BUY', price: price('0.59') }, 'placed'],
    [{ side: 'SELL', price: price('0.7') }, { side: 'BUY', price: price('0.7') }, 'self_cross'],
    [{ side: 'SELL', price: price('0.7') }, { side: 'BUY', price: price('0.69') }, 'placed'],
    [{ side: 'BUY', price: price('0.4') }, { side: 'SELL', price: price('0.4') }, 'self_cross'],
    [{ side: 'SELL', price: price('0.7') }, { outcome: 'NO', side: 'SELL', price: price('0.3') }, 'self_cross'],
    [{ side: 'SELL', price: price('0.7') }, { outcome: 'NO', side: 'SELL', price: price('0.31') }, 'placed'],
  ] as const)('beside its own %o, %o is %s', async (first, second, expected) => {
    const { trader, set, begun } = fixture({ orderUsdc: usdc('100') });
    await begun;
    for (const outcome of ['YES', 'NO'] as const) await trader.place({ outcome, size: usdc('20') });
    const resting = new Trading(trader.ledger, { context: trader.context, paper: new ScriptedSimulator() });
    await resting.place({ size: usdc('1'), ...first });
    const order = await resting.place({ size: usdc('1'), ...second });
    expect(order.refusal?.code ?? 'placed').toBe(expected);
    await set({ orderUsdc: null });
    expect((await resting.place({ size: usdc('1'), ...second })).state).toBe('open');
  });

  it('leaves a sum of possible losses that the audit checks', async () => {
    const { trader, code } = fixture({ openOrders: 5 }, { resting: true });
    await code({ size: usdc('5') });
    const [held] = await trader.ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 1 });
    if (held?.risk === undefined) throw new Error('an order under limits leaves a risk');
    const { risk, ...lost } = held;
    await trader.ledger.write({ account: ALICE }, () => ({ result: null, positions: [lost] }));
    expect(await found(trader.ledger)).toEqual(['risk will-it-rain YES']);
    const less = { ...risk, working: { ...risk.working, lost: usdc('4') } };
    await trader.ledger.write({ account: ALICE }, () => ({ result: null, positions: [{ ...held, risk: less }] }));
    expect(await found(trader.ledger)).toEqual(['risk will-it-rain YES']);
  });

  it('is not loosened without the right to', async () => {
    const { trader, set, begun } = fixture({ openOrders: 5 });
    await begun;
    await set({ openOrders: 4 });
    const change = { openOrders: 5, exposureUsdc: usdc('1') };
    await expect(trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: false })).rejects.toThrow(
      'needs the scope risk:write: open_orders.',
    );
  });
});
