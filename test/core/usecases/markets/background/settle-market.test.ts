import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../../src/adapters/paper/paper-exchange.js';
import { PAPER_CASH } from '../../../../../src/core/account/account.js';
import type { Snapshot } from '../../../../../src/core/ledger/decision.js';
import { NO_WON, type Payout, SPLIT, YES_WON } from '../../../../../src/core/market/lifecycle.js';
import type { Order } from '../../../../../src/core/order/order.js';
import { SettleMarket } from '../../../../../src/core/usecases/markets/background/settle-market.js';
import type { Exchange } from '../../../../../src/ports/exchange.js';
import { found } from '../../../../support/audited.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  clockAt,
  NOON,
  price,
  shares,
  usdc,
  WHERE,
} from '../../../../support/builders.js';
import { ScriptedSimulator } from '../../../../support/scripted-exchange.js';
import { seenAs } from '../../../../support/seen-as.js';
import { Trading } from '../../../../support/trading.js';

function fixture(paper: Exchange = new PaperExchange(), context = anOrderContext()) {
  const trading = new Trading(new MemoryLedger(), { paper, context });
  const settle = new SettleMarket(trading.ledger, trading.ports.venues, trading.context);
  return {
    trading,
    settle: (payout: Payout) => settle.execute(WHERE, payout),
    now: (order: Order) => trading.orders.one(order.account, order.id),
    /** Cash, and debits against credits. */
    async books() {
      const entries = await trading.ledger.listEntries(ALICE, true, { limit: 1000 });
      const lines = entries.flatMap((entry) => entry.lines);
      const sum = (ledger: string) => lines.filter((l) => l.ledger === ledger).reduce((s, l) => s + l.amount, 0n);
      const balance = await trading.ledger.findBalance(ALICE, PAPER_CASH);
      expect(sum('cash')).toBe(balance?.cash);
      return {
        cash: balance?.cash,
        realised: -sum('realised'),
        held: sum('position'),
        causes: entries.map((e) => e.cause),
      };
    },
  };
}

describe('A market that has a result', () => {
  it.each([
    ['YES won', YES_WON, '1010', '20', '10'],
    ['NO won', NO_WON, '990', '0', '-10'],
    ['split', SPLIT, '1000', '10', '0'],
  ] as const)(
    '%s: pays each share, and records on the order what came back',
    async (_, payout, cash, returned, profit) => {
      const { trading, settle, now, books } = fixture();
      const order = await trading.place(); // 20 YES at 0.50 for 10 of 1000 USDC
      expect(await settle(payout)).toBe(1);
      expect((await now(order)).settlement?.returned).toBe(usdc(returned));
      const realised = profit.startsWith('-') ? -usdc(profit.slice(1)) : usdc(profit);
      expect(await books()).toMatchObject({ cash: usdc(cash), realised, held: 0n });
    },
  );

  it('pays an order from a fast clock, no earlier than its placement', async () => {
    const clock = clockAt(NOON);
    const { trading, settle, now, books } = fixture(new ScriptedSimulator(), anOrderContext({ clock }));
    const order = await trading.place();
    clock.tick(-24 * 3600 * 1000);
    await trading.book(order, (posting) =>
      posting.fill(anExecution({ shares: order.intent.shares, price: order.intent.price, confirmed: true })),
    );
    expect(await settle(YES_WON)).toBe(1);
    expect((await now(order)).settlement).toEqual({ at: order.placedAt, returned: usdc('20') });
    expect(await settle(SPLIT)).toBe(1);
    expect((await now(order)).settlement).toEqual({ at: order.placedAt, returned: usdc('10') });
    expect(await books()).toMatchObject({ cash: usdc('1000'), held: 0n });
  });

  it('pays once, however often the result is reported', async () => {
    const { trading, settle, books } = fixture();
    await trading.place();
    await settle(YES_WON);
    const once = await books();
    expect(await settle(YES_WON)).toBe(0);
    expect(await settle(YES_WON)).toBe(0);
    expect(await books()).toEqual(once);
  });

  it('reverses by entries of their own what an amended result had paid', async () => {
    const { trading, settle, now, books } = fixture();
    const order = await trading.place();
    await settle(YES_WON);
    await settle(NO_WON);
    expect((await now(order)).settlement?.returned).toBe(0n);
    const { cash, causes } = await books();
    expect(cash).toBe(usdc('990'));
    expect(causes).toEqual(['opening', 'fill', 'settlement', 'reversal']);
  });

  it('takes back spent money when amended, even below zero', async () => {
    const { trading, settle } = fixture();
    await trading.place({ size: usdc('1000') });
    await settle(YES_WON);
    await trading.place({ size: usdc('2000'), marketId: 'another' as never });
    await settle(NO_WON);
    expect((await trading.ledger.findBalance(ALICE, PAPER_CASH))?.cash).toBe(-usdc('2000'));
    const next = await trading.place({ size: usdc('10'), marketId: 'a-third' as never });
    expect(next.refusal?.code).toBe('insufficient_balance');
  });

  it('pays only the shares that were not sold before', async () => {
    const { trading, settle, now, books } = fixture();
    const bought = await trading.place();
    const sold = await trading.place({ side: 'SELL', price: price('0.6'), size: usdc('6') }); // 10 of the 20
    await settle(YES_WON);
    expect((await now(bought)).settlement?.returned).toBe(usdc('20'));
    expect((await now(sold)).settlement?.returned).toBe(usdc('6'));
    expect(await books()).toMatchObject({ cash: usdc('1006'), realised: usdc('6'), held: 0n });
  });

  it('gives the strategy its bankroll back', async () => {
    const { trading, settle } = fixture();
    const strategy = await trading.strategy();
    const order = await trading.place({ strategyId: strategy.id });
    await settle(NO_WON);
    const { exposure, strategyPosition } = await trading.money(order);
    expect(exposure?.committed).toBe(0n);
    expect(strategyPosition).toMatchObject({ shares: 0n, realised: -usdc('10') });
  });

  it('cancels working orders, and pays a fill that comes later', async () => {
    const { trading, settle, now, books } = fixture(new ScriptedSimulator());
    const order = await trading.place();
    await trading.book(order, (posting) => posting.fill(anExecution({ tradeId: 'early', shares: shares('5') })));
    await settle(YES_WON);
    expect(await now(order)).toMatchObject({ state: 'cancelled', settlement: { returned: usdc('5') } });
    await trading.book(order, (posting) => posting.fill(anExecution({ tradeId: 'late', shares: shares('2') })));
    await settle(YES_WON);
    expect((await now(order)).settlement?.returned).toBe(usdc('7'));
    // 7 shares at 0.50 cost 3.50 and paid 7.
    expect(await books()).toMatchObject({ cash: usdc('1003.5'), realised: usdc('3.5'), held: 0n });
  });

  it('pays shares that a sale reserved only once it is over', async () => {
    const { trading, now, books } = fixture(new ScriptedSimulator());
    const order = await trading.place();
    await trading.book(order, (posting) => posting.fill(anExecution()));
    const no = await trading.place({ outcome: 'NO' });
    await trading.book(no, (posting) => posting.fill(anExecution()));
    const sales: Order[] = [];
    const seen = seenAs(trading.ledger, {
      listMarketOrders: async (filter, page) => {
        const orders = await trading.ledger.listMarketOrders(filter, page);
        // What works was cancelled by now, and nothing is paid yet.
        const isPaying = filter.paper && filter.working !== true;
        if (isPaying && sales.length === 0) sales.push(await trading.place({ side: 'SELL' }));
        return orders;
      },
    });
    const settle = new SettleMarket(seen, trading.ports.venues, trading.context);
    expect(await settle.execute(WHERE, NO_WON)).toBe(1);
    expect(await found(trading.ledger)).toEqual([]);
    // An order is settled with the payment of its shares, and no earlier.
    expect((await now(no)).settlement?.returned).toBe(usdc('20'));
    expect((await now(order)).settlement).toBeNull();
    // The 20 NO pay 20 and the 20 YES stay, promised to the sale.
    expect(await books()).toMatchObject({ cash: usdc('1000'), realised: usdc('10'), held: usdc('10') });
    const [sale] = sales as [Order];
    await trading.cancelOrder.execute({ account: ALICE, orderId: sale.id, idempotencyKey: null });
    expect((await now(sale)).state).toBe('cancelled');
    expect(await settle.execute(WHERE, NO_WON)).toBe(1);
    expect((await now(order)).settlement?.returned).toBe(0n);
    expect(await books()).toMatchObject({ cash: usdc('1000'), realised: 0n, held: 0n });
    expect(await found(trading.ledger)).toEqual([]);
  });

  it('records the return of an order without position, but pays nothing', async () => {
    const { trading, now } = fixture();
    const order = await trading.place();
    const { ledger } = trading;
    const without = (snapshot: Snapshot): Snapshot =>
      new Proxy(snapshot, {
        get: (target, name) => (name === 'position' ? () => undefined : Reflect.get(target, name, target)),
      });
    const seen = seenAs(ledger, { write: (scope, decide) => ledger.write(scope, (now) => decide(without(now))) });
    expect(await new SettleMarket(seen, trading.ports.venues, trading.context).execute(WHERE, YES_WON)).toBe(1);
    expect((await now(order)).settlement?.returned).toBe(usdc('20'));
    expect((await ledger.findBalance(ALICE, PAPER_CASH))?.cash).toBe(usdc('990'));
  });
});
