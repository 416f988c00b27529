import { describe, expect, it } from 'vitest';
import type { PositionKey } from '../../src/core/account/position.js';
import { scopeOf } from '../../src/core/ledger/decision.js';
import type { EventType } from '../../src/core/ledger/event-log.js';
import { type Page, whole } from '../../src/core/ledger/query.js';
import { NO_VENUE, refOf } from '../../src/core/market/market.js';
import type { Order } from '../../src/core/order/order.js';
import { ClosePosition } from '../../src/core/usecases/strategies/close-position.js';
import { ReadHoldings } from '../../src/core/usecases/strategies/read-holdings.js';
import type { LocalVenue } from '../../src/ports/exchange.js';
import type { Ledger } from '../../src/ports/ledger.js';
import {
  ALICE,
  anOrderContext,
  anOrderDraft,
  aStrategy,
  BOB,
  clockAt,
  type DraftChanges,
  History,
  MARKET,
  NOON,
  price,
  shares,
  usdc,
} from '../support/builders.js';
import { ScriptedExchange } from '../support/scripted-exchange.js';
import { aMarket, CONDITION, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { HOME } from '../support/strategy-fixture.js';
import { Trading } from '../support/trading.js';
import type { TestedLedger } from './opened.js';

const SUBMITTING = { type: 'submitting' } as const;
const ACCEPTED = { type: 'accepted', venueOrderId: 'v', delayed: false } as const;

/** The working sales of a part of a strategy: what every store promises of them. */
export function ledgerSales(open: () => TestedLedger): void {
  it('reads the working sales of one strategy and outcome, of its owner', async () => {
    const ledger = open();
    const [strategy, other] = [aStrategy(), aStrategy()];
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy, other] }));
    const store = async (changes: DraftChanges, of = strategy, ...steps: readonly Parameters<History['add']>[0][]) => {
      const { order, events } = new History(anOrderDraft({ side: 'SELL', ...changes }), of).add(...steps);
      await ledger.write(scopeOf(order), () => ({ result: null, orders: [order], events }));
      return order.id;
    };
    const resting = await store({}, strategy, SUBMITTING, ACCEPTED);
    const asked = await store({}, strategy, SUBMITTING, ACCEPTED, { type: 'cancel_requested' });
    await store({}, strategy, SUBMITTING, ACCEPTED, { type: 'cancelled', reason: 'on request' });
    await store({}, other, SUBMITTING, ACCEPTED);
    await store({ side: 'BUY' }, strategy, SUBMITTING, ACCEPTED);
    await store({ outcome: 'NO' }, strategy, SUBMITTING, ACCEPTED);
    await store({ paper: false }, strategy, SUBMITTING, ACCEPTED);
    const part = { paper: true, venue: NO_VENUE, marketId: MARKET, outcome: 'YES', strategyId: strategy.id } as const;
    const found = (account = ALICE, sales: PositionKey = { account, ...part }) =>
      ledger.read({ account, sales }, (now) =>
        now
          .sales()
          .map(({ id }) => id)
          .sort(),
      );
    expect(await found()).toEqual([resting, asked].sort());
    expect(await found(BOB)).toEqual([]);
    expect(await ledger.read({ account: ALICE }, (now) => now.sales())).toEqual([]);
  });
}

/** Fills at once what must not rest, and lets all else rest. */
class RestingExchange extends ScriptedExchange {
  override readonly local: LocalVenue = {
    lease: () => undefined,
    arrival: () => null,
    prepare: async () => {},
    decide: ({ id, intent }) => {
      const rests = intent.timeInForce === 'GTC';
      const execution = { tradeId: `${id}-1`, shares: intent.shares, price: intent.price, fee: usdc('0') };
      const executions = rests ? [] : [{ ...execution, liquidity: 'TAKER' as const, confirmed: true, model: null }];
      return { kind: 'accepted', venueOrderId: id, executions, failed: [], rest: rests ? 'open' : 'none' };
    },
  };
}

/** Exits, sales of a client and cancellations at once, on one handle or on several of the same store. */
export function exitRaces(open: () => readonly TestedLedger[]): void {
  describe('exits in a race', () => {
    it("never sell more of their strategy's shares than are free", async () => {
      const clock = new ManualTimeline(NOON);
      const market = new ScriptedMarket(aMarket(), clock, '0.4x1000', '0.5x1000');
      const context = anOrderContext({ clock: clockAt(NOON) });
      const stages = open().map(
        (ledger) => new Trading(ledger, { context, paper: new RestingExchange(), markets: market }),
      );
      const at = (n: number): Trading => {
        const fixture = stages[n % stages.length];
        if (fixture === undefined) throw new Error('a race needs a ledger');
        return fixture;
      };
      const rules = { ...HOME, exit: { stop: { price: price('0.45') } } };
      const strategy = await at(0).strategy({
        automation: 'auto',
        rules,
        bankrollCap: usdc('900'),
        stakeCap: usdc('90'),
      });
      const own = { marketId: CONDITION, strategyId: strategy.id };
      const sell = (n: number, size: string, changes: DraftChanges = {}) =>
        at(n).place({ marketId: CONDITION, side: 'SELL', size: usdc(size), price: price('0.5'), ...changes });
      await at(0).place({ ...own, size: usdc('50'), timeInForce: 'FAK' });
      await at(0).place({ marketId: CONDITION, size: usdc('25'), timeInForce: 'FAK' });
      const resting: Order[] = [];
      for (let n = 0; n < 5; n += 1) resting.push(await sell(n, '4', own));
      const tasks = Array.from({ length: 100 }, (_, n) => {
        const cancelled = resting[n / 20];
        if (cancelled !== undefined)
          return at(n + 1).cancelOrder.execute({ account: ALICE, orderId: cancelled.id, idempotencyKey: null });
        if (n % 4 === 1) return sell(n, '0.5');
        if (n % 4 === 2) return sell(n, '1', own);
        return leave(at(n));
      });
      const ended = await Promise.allSettled(tasks);
      expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
      for (let n = 0; n < 3; n += 1) await leave(at(n));

      async function leave({ ledger, ports, submitOrder }: Trading) {
        const close = new ClosePosition(ledger, ports.venues, submitOrder, ports);
        const part = { strategy, paper: true, ...refOf(market.market), outcome: 'YES' } as const;
        const held = await new ReadHoldings(ledger).one(part);
        const book = { bids: levels('0.4x1000'), asks: levels('0.5x1000'), at: clock.now(), fresh: true };
        return held === null ? null : close.execute({ held, view: { market: market.market, book }, estimate: null });
      }

      const { ledger } = at(0);
      const exits = await checkExits(ledger, strategy.id);
      expect(exits).toBeGreaterThan(0);
      const key = { account: ALICE, paper: true, ...refOf(market.market), outcome: 'YES' } as const;
      const account = { ...key, strategyId: null };
      const held = await ledger.read({ account: ALICE, positions: [account] }, (now) => now.position(account));
      expect(held?.reserved).toBeLessThanOrEqual(held?.shares ?? 0n);
    });
  });
}

/** Goes through the log: at each exit its shares are among what the strategy held and nothing else sold. Counts the exits. */
async function checkExits(ledger: Ledger, strategyId: string): Promise<number> {
  const read = (page: Page<number>) => ledger.log.list(ALICE, {}, page);
  const held = new HeldByLog();
  for (const { type, subject } of await whole(read, ({ seq }) => seq)) {
    const order = subject.kind === 'order' ? await ledger.findOrder(ALICE, subject.id) : undefined;
    if (order?.intent.strategy?.id === strategyId && order.state !== 'denied') held.see(type, order);
  }
  expect(held.shares).toBeGreaterThanOrEqual(0n);
  expect(held.shares).toBeLessThan(shares('100'));
  return held.exits;
}

/** What a strategy holds and has on sale, by the events of its orders. */
class HeldByLog {
  shares = 0n;
  exits = 0;
  readonly #onSale = new Map<string, bigint>();

  see(type: EventType, { id, intent, filled }: Order): void {
    if (intent.side === 'SELL' && type === 'order.requested') this.#request(id, intent);
    if (type === 'order.cancelled' || type === 'order.fill') this.#onSale.delete(id);
    if (type === 'order.fill') this.shares += intent.side === 'BUY' ? filled.shares : -filled.shares;
  }

  #request(id: string, { timeInForce, shares: ordered }: Order['intent']): void {
    const selling = [...this.#onSale.values()].reduce((sum, one) => sum + one, 0n);
    this.#onSale.set(id, ordered);
    if (timeInForce !== 'FAK') return;
    expect(ordered).toBeLessThanOrEqual(this.shares - selling);
    this.exits += 1;
  }
}
