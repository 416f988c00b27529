import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { BookPaperExchange } from '../../../src/adapters/paper/index.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import { formatMicro } from '../../../src/core/money.js';
import type { Order } from '../../../src/core/order/order.js';
import { restoreUseCase } from '../../../src/core/usecases/compose.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import type { ReportSink } from '../../../src/ports/exchange.js';
import type { Ledger } from '../../../src/ports/ledger.js';
import { found } from '../../support/audited.js';
import { ALICE, anOrderContext, BOB, type DraftChanges, NOON, price, shares, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { aMarket, CONDITION, levels, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { Trading } from '../../support/trading.js';

/** A store that outlives the servers on it. */
interface Kept {
  open(): Promise<Ledger & { close?: () => Promise<void> }>;
  remove(): Promise<void> | void;
}

async function inMemory(): Promise<Kept> {
  const ledger = new MemoryLedger();
  return { open: async () => ledger, remove: () => {} };
}

const STORES: readonly (readonly [name: string, kept: () => Promise<Kept>])[] = [
  ['in memory', inMemory],
  ...EACH_DATABASE.map(([name, fresh]) => {
    const kept = async (): Promise<Kept> => {
      const { url, remove } = await fresh();
      return { open: () => openSqlLedger(url), remove };
    };
    return [`on ${name}`, kept] as const;
  }),
];

/** One run of a server: its books begin anew, and what is on record is there. Without `asks` no book has come yet. */
async function run(kept: Kept, asks: string | null, { bids = '0.30x100', market = aMarket(), from = NOON } = {}) {
  const ledger = await kept.open();
  const time = new ManualTimeline(from);
  const source = new ScriptedMarket(market, time, bids, asks ?? '');
  if (asks === null) source.first = null;
  const context = anOrderContext({ clock: time, openingCash: usdc('10000') });
  const sink: ReportSink = async (order, reports) =>
    void (await trading.use.orders.recordReports.execute(order, reports));
  const exchange = new BookPaperExchange({ markets: marketsAt(source), timeline: time, sink, ledger });
  const trading: Trading = new Trading(ledger, { context, paper: exchange, markets: source });
  await restoreUseCase(trading.ports, trading.use.orders, exchange).execute();
  /** Lets time pass until there is an answer. */
  async function within<T>(answer: Promise<T>): Promise<T> {
    const settled = answer.then(() => true);
    const later = async () => {
      // A store on disk answers in a turn of its own.
      await setImmediate();
      await time.pass(50);
      return false;
    };
    while (!(await Promise.race([settled, later()])));
    return answer;
  }
  return {
    ledger,
    time,
    source,
    exchange,
    trading,
    within,
    /** Places an order for 250 at one half, by default, and lets it travel. */
    buy(draft: DraftChanges = {}): Promise<Order> {
      const half = { price: price('0.50'), size: usdc('125'), timeInForce: 'GTC' } as const;
      return within(trading.place({ marketId: CONDITION, ...half, ...draft }));
    },
    /** How many shares of each have filled by now. */
    async filled(...orders: readonly Order[]): Promise<readonly string[]> {
      const now = await Promise.all(orders.map(({ account, id }) => ledger.findOrder(account, id)));
      return now.map((order) => formatMicro(order?.filled.shares ?? usdc('0')));
    },
    now: ({ account, id }: Order) => ledger.findOrder(account, id),
    async end() {
      exchange.close();
      await ledger.close?.();
    },
  };
}

/** A purchase for 250 that ends at once with what it finds. */
const FAK: DraftChanges = { timeInForce: 'FAK' };

describe.each(STORES)('What paper orders took of a level, over restarts, %s', (_, fresh) => {
  let kept: Kept;
  beforeEach(async () => {
    kept = await fresh();
  });
  afterEach(() => kept.remove());

  it('stays taken separately per account and per level', async () => {
    const first = await run(kept, '0.49x20 0.50x90');
    const [alices, bobs] = [await first.buy(), await first.buy({ account: BOB, price: price('0.49') })];
    expect(await first.filled(alices, bobs)).toEqual(['110', '20']);
    await first.end();
    const second = await run(kept, '0.49x20 0.50x90');
    expect(await second.filled(alices, bobs)).toEqual(['110', '20']);
    const more = await second.buy({ account: BOB, price: price('0.50') });
    expect(await second.filled(more)).toEqual(['90']);
    await second.end();
    const third = await run(kept, '0.49x25 0.50x90');
    expect(await third.filled(alices, bobs, more)).toEqual(['115', '25', '90']);
    await third.end();
    const last = await run(kept, '0.49x25 0.50x90');
    expect(await last.filled(alices, bobs, more)).toEqual(['115', '25', '90']);
    expect(await found(last.ledger)).toEqual([]);
    await last.end();
  });

  it('250 ordered get the 90 displayed, and no more after restarts', async () => {
    const first = await run(kept, '0.50x90');
    const order = await first.buy();
    expect(await first.filled(order)).toEqual(['90']);
    await first.end();
    for (const _restart of [1, 2]) {
      const next = await run(kept, '0.50x90');
      expect(await next.filled(order)).toEqual(['90']);
      await next.end();
    }
  });
});

describe('After a restart, of a level of which 90 of 90 were taken', () => {
  /** A purchase of 250 that got them and rests, and the next run of the server. */
  async function restarted(asks: string, more: object = {}) {
    const kept = await inMemory();
    const first = await run(kept, '0.50x90');
    const order = await first.buy();
    await first.end();
    return { kept, order, next: await run(kept, asks, more) };
  }

  it('what exceeds them is there, and so is what it grows by', async () => {
    const { order, next } = await restarted('0.50x120');
    expect(await next.filled(order)).toEqual(['120']);
    await next.source.show('', '0.50x150');
    expect(await next.filled(order)).toEqual(['150']);
  });

  it('what it grows by after shrinking is available', async () => {
    const { order, next } = await restarted('0.50x50');
    expect(await next.filled(order)).toEqual(['90']);
    await next.source.show('', '0.50x80');
    expect(await next.filled(order)).toEqual(['120']);
  });

  it.each([
    ['it is gone', '0.60x10'],
    ['the book is empty', ''],
  ])('everything is there once it returns, when %s at first', async (_, asks) => {
    const { order, next } = await restarted(asks);
    await next.source.show('', '0.50x90');
    expect(await next.filled(order)).toEqual(['180']);
  });

  it('a crossed book says nothing: the first that is right counts', async () => {
    const { order, next } = await restarted('0.50x20', { bids: '0.55x10' });
    await next.source.show('', '0.50x90');
    expect(await next.filled(order)).toEqual(['90']);
  });

  it('none is available to the account after a paper money reset', async () => {
    const { order, next } = await restarted('0.50x90');
    const { resetPaper } = next.trading.use.accounts;
    await next.within(resetPaper.execute({ by: BOB, account: ALICE, idempotencyKey: null }));
    expect(await next.now(order)).toMatchObject({ state: 'cancelled' });
    expect(await next.now(await next.buy(FAK))).toMatchObject({ state: 'rejected' });
  });

  it('everything is available after the market was unfollowed and followed again', async () => {
    const { order, next } = await restarted('0.60x10');
    await next.within(next.trading.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null }));
    await next.time.pass(20 * 60_000);
    next.source.first = { type: 'book', bids: [], asks: levels('0.50x90') };
    expect(await next.filled(await next.buy(FAK))).toEqual(['90']);
  });

  it('an order that cannot read what was taken is denied', async () => {
    const kept = await inMemory();
    const first = await run(kept, '0.50x90');
    const taken = await first.buy(FAK);
    await first.end();
    const next = await run(kept, '0.50x90');
    const { listMarketOrders } = next.ledger;
    next.ledger.listMarketOrders = () => Promise.reject(new StorageUnavailable());
    expect(await next.now(await next.buy(FAK))).toMatchObject({ state: 'denied' });
    next.ledger.listMarketOrders = listMarketOrders;
    expect(await next.now(await next.buy(FAK))).toMatchObject({ state: 'rejected' });
    expect(await next.filled(taken)).toEqual(['90']);
  });
});

describe('After a restart, taken is', () => {
  it('what was taken since the level was seen empty', async () => {
    const kept = await inMemory();
    const first = await run(kept, '0.50x90');
    const order = await first.buy();
    await first.time.pass(1);
    await first.source.show('', '');
    await first.source.show('', '0.50x40');
    expect(await first.filled(order)).toEqual(['130']);
    await first.end();
    const next = await run(kept, '0.50x90');
    expect(await next.filled(order)).toEqual(['180']);
  });

  it('what several orders took together, and what they left is there', async () => {
    const kept = await inMemory();
    const first = await run(kept, '0.50x100');
    for (const size of ['10', '20']) await first.buy({ ...FAK, size: usdc(size) });
    await first.end();
    const next = await run(kept, '0.50x100');
    expect(await next.filled(await next.buy(FAK))).toEqual(['40']);
    await next.end();
    const last = await run(kept, '0.50x100');
    expect(await last.now(await last.buy(FAK))).toMatchObject({ state: 'rejected' });
  });

  it('the level that a resting order met, not its own price', async () => {
    const kept = await inMemory();
    const first = await run(kept, '0.60x10');
    const order = await first.buy();
    await first.source.show('', '0.48x30');
    expect(await first.now(order)).toMatchObject({ fills: [{ price: price('0.50'), shares: shares('30') }] });
    await first.end();
    const next = await run(kept, '0.48x30 0.50x10');
    expect(await next.filled(order)).toEqual(['40']);
  });

  it('a bid, where the second outcome was bought', async () => {
    const kept = await inMemory();
    const second = { outcome: 'NO', price: price('0.60') } as const;
    const first = await run(kept, '', { bids: '0.40x90' });
    expect(await first.filled(await first.buy({ ...FAK, ...second }))).toEqual(['90']);
    await first.end();
    const next = await run(kept, '0.40x90', { bids: '0.39x90' });
    expect(await next.filled(await next.buy({ ...FAK, price: price('0.40') }))).toEqual(['90']);
    await next.end();
    const last = await run(kept, '', { bids: '0.40x90' });
    expect(await last.now(await last.buy({ ...FAK, ...second }))).toMatchObject({ state: 'rejected' });
  });

  it('nothing for a resting order filled by a trade', async () => {
    const kept = await inMemory();
    const first = await run(kept, '0.60x10', { bids: '' });
    const order = await first.buy();
    await first.source.trade('0.50', '30', 'SELL');
    expect(await first.now(order)).toMatchObject({ fills: [{ shares: shares('30') }] });
    await first.end();
    const next = await run(kept, '0.50x30');
    expect(await next.filled(order)).toEqual(['60']);
  });

  it('the latest taking, even when that server’s clock was behind', async () => {
    const kept = await inMemory();
    const first = await run(kept, '0.50x90');
    await first.buy({ ...FAK, size: usdc('30') });
    await first.end();
    const behind = await run(kept, '0.50x90', { from: '2026-03-01T11:59:50.000Z' });
    expect(await behind.filled(await behind.buy(FAK))).toEqual(['30']);
    await behind.end();
    const last = await run(kept, '0.50x90');
    expect(await last.now(await last.buy(FAK))).toMatchObject({ state: 'rejected' });
  });

  describe('nothing of before a game, where the venue clears the book at its start', () => {
    const market = aMarket({ clearsBookAtStart: true }, { startsAt: new Date(Date.parse(NOON) + 60_000) });

    it('that came before the server', async () => {
      const kept = await inMemory();
      const first = await run(kept, '0.50x90', { market });
      await first.buy(FAK);
      await first.end();
      const before = await run(kept, '0.50x90', { market, from: '2026-03-01T12:00:30.000Z' });
      expect(await before.now(await before.buy(FAK))).toMatchObject({ state: 'rejected' });
      await before.end();
      const after = await run(kept, '0.50x90', { market, from: '2026-03-01T12:01:30.000Z' });
      expect(await after.filled(await after.buy(FAK))).toEqual(['90']);
    });

    it('that comes before any book does', async () => {
      const kept = await inMemory();
      const first = await run(kept, '0.50x90', { market });
      const order = await first.buy();
      await first.end();
      const next = await run(kept, null, { market, from: '2026-03-01T12:00:30.000Z' });
      await next.time.pass(30_000);
      expect(await next.now(order)).toMatchObject({ state: 'cancelled' });
      await next.source.show('', '0.50x90');
      expect(await next.filled(await next.buy(FAK))).toEqual(['90']);
    });
  });
});
