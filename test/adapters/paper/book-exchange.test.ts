import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { BookPaperExchange } from '../../../src/adapters/paper/index.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import { statusOf } from '../../../src/core/order/order.js';
import { RecordReports } from '../../../src/core/usecases/orders/background/record-reports.js';
import { RestoreOrders } from '../../../src/core/usecases/orders/background/restore-orders.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import type { ReportSink } from '../../../src/ports/exchange.js';
import { untilStored } from '../../../src/server/background/leased-paper.js';
import { anOrderContext, price, usdc } from '../../support/builders.js';
import { aMarket, CONDITION, FIVE_PERCENT, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { Trading } from '../../support/trading.js';
import { fixture } from './book-fixture.js';

describe('The paper exchange with a book', () => {
  it('walks the book level by level and never pays above the limit', async () => {
    const { place } = fixture(aMarket(), '', '0.50x10 0.52x5 0.55x100');
    const order = await place({ price: price('0.52'), size: usdc('10.4') });
    expect(order.fills.map(({ price: at, shares }) => [at, shares])).toEqual([
      [price('0.5'), 10_000_000n],
      [price('0.52'), 5_000_000n],
    ]);
    expect(statusOf(order)).toBe('partially_filled');
  });

  it('meets the book of its arrival, 150 ms after it was placed', async () => {
    const { trading, time, source, now } = fixture(aMarket(), '', '0.50x100');
    const placed = trading.place({ marketId: CONDITION });
    await time.planned();
    await time.pass(149);
    await source.show('', '0.51x100');
    await time.pass(1);
    expect(statusOf(await now(await placed))).toBe('open');
  });

  it('says with each fill what it assumed', async () => {
    const { place } = fixture();
    const [fill] = (await place()).fills;
    expect(fill?.model).toBe('book_walk;latency_ms=150;delay_s=0');
  });

  it('charges the market’s fee on top, and reserves it until then', async () => {
    const { place, trading } = fixture(aMarket({ fee: FIVE_PERCENT }));
    const order = await place();
    const { balance, position } = await trading.money(order);
    // 20 shares at 0.50: 10 USDC, and 20 × 0.05 × 0.5 × 0.5 = 0.25 of fee.
    expect(order.filled.fees).toBe(usdc('0.25'));
    expect(balance).toMatchObject({ cash: usdc('989.75'), reserved: 0n });
    expect(position).toMatchObject({ cost: usdc('10'), fees: usdc('0.25') });
  });

  it('denies an order whose notional is there but whose fee is not', async () => {
    const { place } = fixture(aMarket({ fee: FIVE_PERCENT }), '', '0.50x10000');
    const order = await place({ size: usdc('1000') });
    expect(order).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_balance' } });
  });

  it('denies an order in a market whose fee is unknown', async () => {
    const { place } = fixture(aMarket({ fee: null }));
    expect((await place()).refusal?.code).toBe('fee_unknown');
  });

  it('denies an order while the book may be stale', async () => {
    const { place, source } = fixture();
    expect(statusOf(await place())).toBe('filled');
    await source.tell({ type: 'gap', reason: 'the socket was silent' });
    const refused = await place();
    expect(refused).toMatchObject({ state: 'denied', refusal: { code: 'market_data_stale' } });
    await source.show('', '0.50x100');
    expect(statusOf(await place())).toBe('filled');
  });

  it('denies and refunds an order in flight when a gap arrives', async () => {
    const { trading, time, source, now } = fixture();
    const placed = trading.place({ marketId: CONDITION });
    await time.planned();
    await time.pass(100);
    await source.tell({ type: 'gap', reason: 'the socket was silent' });
    await time.pass(50);
    const order = await now(await placed);
    expect(order).toMatchObject({ state: 'denied', refusal: { code: 'market_data_stale' } });
    expect((await trading.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });

  it('fills a matching order after the market’s delay, at the later book', async () => {
    const { place, time, source, now } = fixture(aMarket({ delaySeconds: 3 }));
    const order = await place();
    expect(statusOf(order)).toBe('delayed');
    await source.show('', '0.49x100');
    await time.pass(3000);
    const released = await now(order);
    expect(statusOf(released)).toBe('filled');
    expect(released.fills[0]).toMatchObject({ price: price('0.49'), model: 'book_walk;latency_ms=150;delay_s=3' });
  });

  it('refuses to cancel an order that is held', async () => {
    const { place, trading } = fixture(aMarket({ delaySeconds: 3 }));
    const { account, id: orderId } = await place();
    const cancelling = trading.cancelOrder.execute({ account, orderId, idempotencyKey: null });
    await expect(cancelling).rejects.toMatchObject({ code: 'order_not_cancellable' });
  });

  it('fills a resting order only after those who were there first', async () => {
    const { place, source, now } = fixture();
    const order = await place({ price: price('0.48'), size: usdc('9.6') });
    await source.trade('0.48', '100', 'SELL');
    expect((await now(order)).filled.shares).toBe(0n);
    await source.trade('0.48', '7', 'SELL');
    const [fill] = (await now(order)).fills;
    expect(fill).toMatchObject({ shares: 7_000_000n, fee: 0n, liquidity: 'MAKER', model: 'queue_traded;ahead=100' });
  });

  it('cancels a resting order on request, after the way to the venue', async () => {
    const { place, trading, time, now } = fixture();
    const order = await place({ price: price('0.40') });
    const { account, id: orderId } = order;
    const cancelling = trading.cancelOrder.execute({ account, orderId, idempotencyKey: null });
    await time.planned();
    await time.pass(149);
    expect(statusOf(await now(order))).toBe('open');
    await time.pass(1);
    expect(statusOf((await cancelling).record)).toBe('cancelled');
    expect((await trading.money(order)).balance).toMatchObject({ reserved: 0n });
  });

  it('remembers taken shares while they are displayed, even without orders', async () => {
    const { place, time } = fixture(aMarket(), '', '0.50x20');
    expect(statusOf(await place())).toBe('filled');
    await time.pass(16 * 60 * 1000);
    expect(await place({ timeInForce: 'FAK' })).toMatchObject({ state: 'rejected', refusal: { code: 'fak_no_match' } });
  });

  it('stores the condition id, regardless of the name used for the market', async () => {
    const { place } = fixture();
    const order = await place({ marketId: 'nba-mil-okc-2026-03-01' as never });
    expect(order.intent).toMatchObject({ marketId: CONDITION, conditionId: CONDITION, outcomeLabel: 'Bucks' });
  });

  it('takes the second outcome from the mirrored book', async () => {
    const { place } = fixture(aMarket(), '0.48x100', '');
    const order = await place({ outcome: 'NO', price: price('0.53') });
    expect(order.fills[0]?.price).toBe(price('0.52'));
  });

  it('writes until the store answers, and fills nothing twice', async () => {
    const time = new ManualTimeline();
    const source = new ScriptedMarket(aMarket(), time, '', '0.50x100');
    const ledger = new MemoryLedger();
    const context = anOrderContext({ clock: time });
    const reports = new RecordReports(ledger, context);
    let failures = 2;
    const sink: ReportSink = async (order, batch) => {
      failures -= 1;
      if (failures >= 0) throw new StorageUnavailable();
      await reports.execute(order, batch);
    };
    const exchange = new BookPaperExchange({ markets: marketsAt(source), timeline: time, sink: untilStored(sink) });
    const trading = new Trading(ledger, { context, paper: exchange, markets: source });
    const placed = trading.place({ marketId: CONDITION });
    await time.planned();
    const [order] = await Promise.all([placed, time.pass(150)]);
    expect(order).toMatchObject({ state: 'filled', filled: { shares: 20_000_000n } });
  });

  it('restores resting orders after a restart, behind everyone in the queue', async () => {
    const ledger = new MemoryLedger();
    const before = fixture(aMarket(), '0.40x30', '', ledger);
    const order = await before.place({ price: price('0.40') });
    before.exchange.close();
    const after = fixture(aMarket(), '0.40x50', '', ledger);
    await new RestoreOrders(ledger, after.exchange, new RecordReports(ledger, anOrderContext()), after.time).execute();
    await after.source.trade('0.40', '50', 'SELL');
    expect((await after.now(order)).filled.shares).toBe(0n);
    await after.source.trade('0.40', '25', 'SELL');
    expect(statusOf(await after.now(order))).toBe('filled');
  });
});
