import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { BookPaperExchange, PaperExchange } from '../../../src/adapters/paper/index.js';
import { MarketUnusable } from '../../../src/core/errors.js';
import type { Market } from '../../../src/core/market/market.js';
import type { Order } from '../../../src/core/order/order.js';
import { RecordReports } from '../../../src/core/usecases/orders/background/record-reports.js';
import { RestoreOrders } from '../../../src/core/usecases/orders/background/restore-orders.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { anOrderContext, price, usdc } from '../../support/builders.js';
import { aMarket, CONDITION, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { Trading } from '../../support/trading.js';

/** A server's paper side over a ledger that outlives it. */
function fixture(ledger: MemoryLedger, market: Market = aMarket(), offer = '0.50x100') {
  const time = new ManualTimeline();
  const source = new ScriptedMarket(market, time, offer === '0.50x100' ? '0.40x50' : '', offer);
  const context = anOrderContext({ clock: time });
  const reports = new RecordReports(ledger, context);
  const sink = async (order: Order, batch: Parameters<RecordReports['execute']>[1]) => {
    await reports.execute(order, batch);
  };
  const exchange = new BookPaperExchange({ markets: marketsAt(source), timeline: time, sink });
  const trading = new Trading(ledger, { context, paper: exchange, markets: source });
  const resume = new RestoreOrders(ledger, exchange, reports, time);
  const place = async (changes: object) => {
    const placed = trading.place({ marketId: CONDITION, size: usdc('8'), ...changes });
    await time.planned();
    await time.pass(150);
    return placed;
  };
  const now = async ({ account, id }: Order) => (await ledger.findOrder(account, id)) as Order;
  return { time, source, exchange, trading, reports, resume, place, now };
}

/** An order that rested when its server ended. */
async function leftBehind(market?: Market, changes: object = { price: price('0.40') }) {
  const ledger = new MemoryLedger();
  const before = fixture(ledger, market);
  const order = await before.place(changes);
  before.exchange.close();
  return { ledger, order };
}

const cancelled = async ({ trading }: Pick<ReturnType<typeof fixture>, 'trading'>, { account, id }: Order) =>
  (await trading.cancelOrder.execute({ account, orderId: id, idempotencyKey: null })).record;

describe('An order that rested before a restart', () => {
  it('can be cancelled without an exchange, and is refunded', async () => {
    const { ledger, order } = await leftBehind();
    const after = fixture(ledger);
    expect((await cancelled(after, order)).state).toBe('cancelled');
    expect((await after.trading.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });

  it('can be cancelled where there are no books', async () => {
    const { ledger, order } = await leftBehind();
    const trading = new Trading(ledger, { paper: new PaperExchange() });
    expect((await cancelled({ trading }, order)).state).toBe('cancelled');
  });

  it('fills at its price at once if the market passed it meanwhile', async () => {
    const { ledger, order } = await leftBehind();
    const after = fixture(ledger, aMarket(), '0.39x100');
    expect(await after.resume.execute()).toMatchObject({ adopted: 1 });
    const fill = { price: price('0.40'), liquidity: 'MAKER', shares: order.intent.shares };
    expect(await after.now(order)).toMatchObject({ state: 'filled', fills: [fill] });
  });

  it('does not come back when it is cancelled on its way', async () => {
    const { ledger, order } = await leftBehind();
    const after = fixture(ledger);
    const { find } = after.source;
    const asked = new Promise<() => void>((tell) => {
      after.source.find = (id) => new Promise((resolve) => tell(() => resolve(find.call(after.source, id))));
    });
    const resumed = after.resume.execute();
    const answer = await asked;
    expect((await cancelled(after, order)).state).toBe('cancelled');
    answer();
    await resumed;
    expect(await after.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  it('is reported while its market is unusable, and restored afterwards', async () => {
    const { ledger, order } = await leftBehind();
    const after = fixture(ledger);
    const error = new MarketUnusable('no_tokens', 'The market has no tokens.');
    const { find } = after.source;
    after.source.find = () => Promise.reject(error);
    expect(await after.resume.execute()).toEqual({ adopted: 0, homeless: 0, failures: [{ order: order.id, error }] });
    after.source.find = find;
    expect(await after.resume.execute()).toEqual({ adopted: 1, homeless: 0, failures: [] });
    await after.resume.execute();
    await after.source.trade('0.40', '70', 'SELL');
    expect(await after.now(order)).toMatchObject({ state: 'filled', filled: { shares: order.intent.shares } });
  });

  it('is counted and unchanged when the source lacks its market', async () => {
    const { ledger, order } = await leftBehind();
    const after = fixture(ledger);
    after.source.find = async () => undefined;
    expect(await after.resume.execute()).toEqual({ adopted: 0, homeless: 1, failures: [] });
    expect(await after.now(order)).toEqual(order);
  });

  it('ends when delayed with no book to be released to', async () => {
    const { ledger, order } = await leftBehind(aMarket({ delaySeconds: 3 }), { price: price('0.50') });
    expect(order.state).toBe('delayed');
    const after = fixture(ledger);
    after.source.find = async () => undefined;
    await after.resume.execute();
    expect(await after.now(order)).toMatchObject({ state: 'rejected', refusal: { code: 'market_data_stale' } });
    expect((await after.trading.money(order)).balance).toMatchObject({ reserved: 0n });
  });

  it('ends when its cancellation was on its way', async () => {
    const { ledger, order } = await leftBehind();
    const after = fixture(ledger);
    await after.trading.book(order, (posting) => posting.record({ type: 'cancel_requested' }));
    after.source.find = async () => undefined;
    await after.resume.execute();
    expect((await after.now(order)).state).toBe('cancelled');
  });
});

describe('A paper order that has ended on record', () => {
  it('gains nothing from what fills after that', async () => {
    const { place, trading, source, now } = fixture(new MemoryLedger());
    const order = await place({ price: price('0.40') });
    await trading.book(order, (posting) => posting.record({ type: 'cancelled', reason: 'the result is known' }));
    await source.trade('0.40', '70', 'SELL');
    expect(await now(order)).toMatchObject({ state: 'cancelled', fills: [] });
    expect((await trading.money(order)).balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
  });
});

describe('A paper order whose market cannot be read before it is there', () => {
  it('is denied, and keeps no money', async () => {
    const { exchange, source } = fixture(new MemoryLedger());
    source.find = () => Promise.reject(new Error('down'));
    const { order } = await leftBehind();
    expect(await exchange.place(order)).toMatchObject({ kind: 'denied', refusal: { code: 'market_data_stale' } });
  });
});
